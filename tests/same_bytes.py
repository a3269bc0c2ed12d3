"""One device, one picture: the last frame and its heights are the same bytes
whatever carries them there.

Usage: python3 same_bytes.py SINEWAVE headless|window
"""

import os
import pathlib
import subprocess
import sys

from support import check, has_option, headless, main, one_sample, run, same, x_server

DISPLAY = {}
COMMON = ["--compute", "vulkan", "--size", "240x150", "--grid", "65x64", "--time-step", "0.015625"]
RUN = [*COMMON, "--frames", 61]


def draw(name, *options):
    """Picture and heights of the last frame, headless."""
    headless(*options, "--screenshot", f"{name}.png", "--heights", f"{name}.npy")


def as_before(*options):
    draw("now", *options)
    for kind in "png", "npy":
        same(f"before.{kind}", f"now.{kind}")


def renderers():
    return [[]] + ([["--renderer", "compute"]] if has_option("--renderer") else [])


def memory_modes():
    one = [["--memory", "suballocated"]] if has_option("--memory") else []
    other = [["--heightmap", "image"]] if has_option("--heightmap") else []
    both = [one[0] + other[0]] if one and other else []
    return [[], *one, *other, *both]


def test_modes():
    """Semaphores, batches and memory. More of the first two: pictures.py."""
    short = [*COMMON, "--frames", 19]
    for renderer in renderers():
        draw("before", *short, *renderer)
        for mode in memory_modes():
            for semaphore, batch in ("binary", 1), ("timeline", 19):
                as_before(*short, *renderer, *mode, "--semaphore", semaphore, "--batch", batch)


def test_sequence():
    """A sequence's last file, and runs that start later."""
    draw("before", *RUN, "--output", "frame-%02d.png")
    same("before.png", "frame-60.png")
    check(pathlib.Path("frame-59.png").read_bytes() != pathlib.Path("frame-60.png").read_bytes(),
          "all frames are alike")
    as_before(*COMMON, "--first-frame", 60, "--frames", 1)
    as_before(*COMMON, "--first-frame", 47, "--frames", 14, "--batch", 4)


def test_under_load():
    """The same frame again while every core is busy."""
    draw("before", *RUN)
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
            for _ in range(2 * len(os.sched_getaffinity(0)))]
    try:
        for semaphore in "timeline", "binary":
            as_before(*RUN, "--semaphore", semaphore)
    finally:
        for process in busy:
            process.kill()
            process.wait()


def window_modes():
    """Either semaphore type, with one sample and with four."""
    samples = [["--samples", 1], ["--samples", 4]] if one_sample() else [[]]
    for how in samples + [[*one_sample(), *renderer] for renderer in renderers()[1:]]:
        headless(*RUN, *how, "--screenshot", "headless.png")
        for semaphore in "timeline", "binary":
            run(*RUN, *how, "--semaphore", semaphore, "--screenshot", "window.png", env=DISPLAY)
            same("headless.png", "window.png")


if __name__ == "__main__":
    if sys.argv[2] == "window":
        with x_server() as DISPLAY:
            main({"test_window_modes": window_modes})
    main(globals())
