"""The program starts on a machine without CUDA: neither the runtime nor the
driver is among the libraries it needs.

Usage: python3 linkage.py SINEWAVE
"""

import subprocess
import sys


def main():
    needed = subprocess.run(
        ["ldd", sys.argv[1]], check=True, capture_output=True, text=True
    ).stdout
    print(needed)
    assert "libvulkan.so" in needed, "ldd told nothing"
    for library in ("libcuda.so", "libcudart.so", "libnvToolsExt.so"):
        assert library not in needed, f"{library} is needed at start"


if __name__ == "__main__":
    sys.exit(main())
