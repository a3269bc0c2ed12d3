"""Lists the Vulkan commands that return a VkResult, and those that destroy what a
device made, for fault_layer.c.

Usage: python3 fault_wrappers.py OUTPUT OUTPUT_DESTROY COMPILER [ARGUMENT...]

The compiler preprocesses vulkan_core.h; each of its commands becomes a line
  WRAP(vkCreateFence, DEVICE, (VkDevice device, ...), (device, ...), data)
where `data` is the array that a two-call query fills, or NOT_A_LIST, or else
  WRAP(vkDestroyFence, DEVICE, (VkDevice device, ...), (device, ...), )
"""

import re
import subprocess
import sys

# The layer writes these by hand: a chain passes through them, or there is no
# instance yet.
SPECIAL = {
    "vkCreateInstance",
    "vkCreateDevice",
    "vkEnumerateInstanceVersion",
    "vkEnumerateInstanceExtensionProperties",
    "vkEnumerateInstanceLayerProperties",
    "vkDestroyDevice",
}


def parts(parameters):
    """The parameters, and the names of them."""
    parameters = [" ".join(p.split()) for p in parameters.split(",")]
    return parameters, [re.search(r"(\w+)(\[\w*\])?$", p).group(1) for p in parameters]


def write(output, lines, least):
    if len(lines) < least:
        sys.exit(f"fault_wrappers.py: error: only {len(lines)} commands found for {output}")
    with open(output, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")


def main():
    output, output_destroy, compiler = sys.argv[1], sys.argv[2], sys.argv[3:]
    header = subprocess.run(
        compiler + ["-E", "-P", "-x", "c", "-include", "vulkan/vulkan_core.h", "/dev/null"],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    lines = []
    for name, parameters in re.findall(r"\bVkResult\s+(vk[A-Z]\w+)\s*\(([^()]*)\)\s*;", header):
        if name in SPECIAL:
            continue
        parameters, names = parts(parameters)
        level = "DEVICE" if re.match(r"Vk(Device|Queue|CommandBuffer) ", parameters[0]) else "INSTANCE"
        is_list = len(names) > 1 and re.match(r"(uint32_t|size_t) ?\*", parameters[-2])
        data = names[-1] if is_list else "NOT_A_LIST"
        lines.append(f"WRAP({name}, {level}, ({', '.join(parameters)}), ({', '.join(names)}), {data})")
    write(output, lines, 100)
    lines = []
    pattern = r"\bvoid\s+(vk(?:Destroy|Free)\w+)\s*\((\s*VkDevice\s[^()]*)\)\s*;"
    for name, parameters in re.findall(pattern, header):
        if name not in SPECIAL:
            parameters, names = parts(parameters)
            lines.append(f"WRAP({name}, DEVICE, ({', '.join(parameters)}), ({', '.join(names)}), )")
    write(output_destroy, lines, 20)


if __name__ == "__main__":
    main()
