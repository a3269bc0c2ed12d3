"""The executable is hardened: position-independent, relocations read-only and
resolved at start, no executable stack, stack protector, checked libc calls.

Usage: python3 hardening.py SINEWAVE
"""

import subprocess
import sys


def readelf(*options):
    return subprocess.run(
        ["readelf", "--wide", *options, sys.argv[1]], check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def main():
    header, segments, dynamic = readelf("--file-header"), readelf("--segments"), readelf("--dynamic")
    symbols = readelf("--dyn-syms")
    stack = [line for line in segments.splitlines() if "GNU_STACK" in line]
    checks = {
        "position-independent": "DYN (Position-Independent" in header or "PIE" in dynamic,
        "read-only relocations": "GNU_RELRO" in segments,
        "resolved at start": "BIND_NOW" in dynamic or "NOW" in dynamic,
        "stack not executable": len(stack) == 1 and "RWE" not in stack[0],
        "no text relocations": "TEXTREL" not in dynamic,
        "no run path": "RUNPATH" not in dynamic and "RPATH" not in dynamic,
        "stack protector": "__stack_chk_fail" in symbols,
        "checked libc calls": any(f"__{name}_chk" in symbols for name in ("snprintf", "fprintf", "memcpy")),
        "no writable and executable segment": "RWE" not in segments,
    }
    for name, holds in checks.items():
        print(f"{'ok' if holds else 'MISSING'}: {name}")
    return 0 if all(checks.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
