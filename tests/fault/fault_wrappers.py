"""Lists every Vulkan command that returns a VkResult, for fault_layer.c.

Usage: python3 fault_wrappers.py OUTPUT COMPILER [ARGUMENT...]

The compiler preprocesses vulkan_core.h; each of its commands becomes a line
  WRAP(vkCreateFence, DEVICE, (VkDevice device, ...), (device, ...), data)
where `data` is the array that a two-call query fills, or NOT_A_LIST.
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
}


def main():
    output, compiler = sys.argv[1], sys.argv[2:]
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
        parameters = [" ".join(p.split()) for p in parameters.split(",")]
        names = [re.search(r"(\w+)(\[\w*\])?$", p).group(1) for p in parameters]
        level = "DEVICE" if re.match(r"Vk(Device|Queue|CommandBuffer) ", parameters[0]) else "INSTANCE"
        is_list = len(names) > 1 and re.match(r"(uint32_t|size_t) ?\*", parameters[-2])
        data = names[-1] if is_list else "NOT_A_LIST"
        lines.append(f"WRAP({name}, {level}, ({', '.join(parameters)}), ({', '.join(names)}), {data})")
    if len(lines) < 100:
        sys.exit(f"fault_wrappers.py: error: only {len(lines)} commands found in vulkan_core.h")
    with open(output, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
