"""A profiler sees each step of each frame as a range, and every range ended.

Usage: python3 ranges.py SINEWAVE PROFILER
"""

import pathlib
import sys

from support import check, headless, main

STEPS = ["pace", "acquire", "step", "record", "submit", "present"]


def test_ranges():
    headless(
        "--frames", 5, "--grid", "16x16",
        env={"NVTX_INJECTION64_PATH": sys.argv[2], "PROFILER_RANGES": "ranges.txt"},
    )
    told = pathlib.Path("ranges.txt").read_text(encoding="utf-8").split()
    check(told == [word for _ in range(5) for step in STEPS for word in (step, "end")], told)


if __name__ == "__main__":
    main(globals())
