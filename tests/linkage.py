"""The program starts on a machine without CUDA: neither the runtime nor the
driver is among the libraries it needs. Installed, it starts from any folder.

Usage: python3 linkage.py SINEWAVE
"""

import pathlib
import subprocess
import sys
import tempfile


def output(*command, **keywords):
    return subprocess.run(
        command, check=True, capture_output=True, text=True, **keywords
    ).stdout


def check_libraries(program):
    needed = output("ldd", program)
    print(needed)
    assert "libvulkan.so" in needed, "ldd told nothing"
    for library in ("libcuda.so", "libcudart.so", "libnvToolsExt.so"):
        assert library not in needed, f"{library} is needed at start"


def check_installation(program):
    build = pathlib.Path(program).parent
    with tempfile.TemporaryDirectory() as folder:
        output("meson", "install", "-C", build, "--no-rebuild", "--destdir", folder)
        (installed,) = pathlib.Path(folder).rglob("sinewave")
        version = output(installed, "--version", cwd="/")
        assert version.startswith("sinewave "), version


def main():
    check_libraries(sys.argv[1])
    check_installation(sys.argv[1])


if __name__ == "__main__":
    sys.exit(main())
