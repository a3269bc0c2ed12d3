"""Lists the CUDA functions that kernels/ calls, for fault_cuda.c.

Usage: python3 fault_cuda_wrappers.py WRAPPERS LINKER_OPTIONS KERNELS COMPILER [ARGUMENT...]

Writes a line WRAP(name, parameters, arguments) for each to WRAPPERS, and the
linker's --wrap options to LINKER_OPTIONS. KERNELS is the folder.
"""

import glob
import os
import re
import subprocess
import sys


def main():
    wrappers, linker_options, kernels, compiler = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    used = set()
    for path in glob.glob(os.path.join(kernels, "*.c")) + glob.glob(os.path.join(kernels, "*.cu")):
        with open(path, encoding="utf-8") as file:
            used |= set(re.findall(r"\b(cuda[A-Z]\w*)\s*\(", file.read()))
    # A header may define one name as another.
    source = "#include <cuda_runtime_api.h>\nUSED " + " ".join(sorted(used)) + "\n"
    text = subprocess.run(
        compiler + ["-E", "-P", "-x", "c", "-"], input=source, check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    used = set(text[text.index("USED ") :].split())
    # How failures are told must not fail itself.
    used -= {"cudaGetLastError", "cudaPeekAtLastError"}
    lines, names = [], []
    for name, parameters in re.findall(r"\bcudaError_t\s+(cuda\w+)\s*\(([^()]*)\)\s*;", text):
        if name not in used:
            continue
        parameters = [" ".join(p.split()) for p in parameters.split(",")]
        arguments = [] if parameters == ["void"] else [re.search(r"(\w+)$", p).group(1) for p in parameters]
        lines.append(f"WRAP({name}, ({', '.join(parameters)}), ({', '.join(arguments)}))\n")
        names.append(name)
    if len(lines) < 20:
        sys.exit(f"fault_cuda_wrappers.py: error: only {len(lines)} functions found")
    with open(wrappers, "w", encoding="ascii") as file:
        file.writelines(lines)
    with open(linker_options, "w", encoding="ascii") as file:
        file.writelines(f"-Wl,--wrap={name}\n" for name in names)


if __name__ == "__main__":
    main()
