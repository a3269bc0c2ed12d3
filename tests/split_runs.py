"""A sequence of 60 frames, drawn whole and as four parts that GNU parallel
starts: every file is the same.

Usage: python3 split_runs.py SINEWAVE
"""

import filecmp
import os
import pathlib
import shutil
import subprocess

import support
from support import check, main

FRAMES, PARTS = 60, 4


def test_parts_are_the_whole():
    scene = [support.PROGRAM, "--headless", "--compute", "vulkan", "--size", "160x100",
             "--grid", "65x64", "--quiet"]
    each = FRAMES // PARTS
    home = {**support.ENVIRONMENT, "HOME": os.getcwd()}  # parallel keeps files there
    os.mkdir("whole")
    os.mkdir("parts")
    subprocess.run([*scene, "--frames", str(FRAMES), "--output", "whole/frame-%05d.png"],
                   check=True, timeout=support.TIMEOUT, env=support.ENVIRONMENT)
    subprocess.run(["parallel", "--quote", "--jobs", "2", "--halt", "now,fail=1",
                    *scene, "--first-frame", "{}", "--frames", str(each),
                    "--output", "parts/frame-%05d.png",
                    ":::", *map(str, range(0, FRAMES, each))],
                   check=True, timeout=support.TIMEOUT, env=home)
    names = [f"frame-{i:05}.png" for i in range(FRAMES)]
    for folder in "whole", "parts":
        check(sorted(os.listdir(folder)) == names, folder, os.listdir(folder))
    same, different, failed = filecmp.cmpfiles("whole", "parts", names, shallow=False)
    print(f"{len(same)} files are the same, {len(different)} differ")
    check(len(same) == FRAMES, different, failed)
    # Files that are all alike would prove nothing.
    check(len({pathlib.Path("whole", name).read_bytes() for name in names}) == FRAMES)


def gnu_parallel():
    """Whether the parallel on PATH is GNU's; moreutils has another one."""
    return shutil.which("parallel") and "GNU" in subprocess.run(
        ["parallel", "--version"], capture_output=True, text=True, check=False).stdout


if __name__ == "__main__":
    if not gnu_parallel():
        support.skip("GNU parallel is not installed (Debian: parallel)")
    main(globals())
