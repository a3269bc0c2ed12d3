"""What the frame loop does not do any more once all slots and images have been drawn:
create, allocate, record.

Usage: python3 steady_loop.py SINEWAVE FAULT_LAYER LOOP_ALLOCATIONS headless|window

The Vulkan stepper records each batch anew; batches are told apart by their number.
"""

import collections
import os
import re
import sys

from support import check, fault_layer, main, run, x_server

LAYER = fault_layer(sys.argv[2])
LOOP_ALLOCATIONS = os.path.abspath(sys.argv[3])
DISPLAY = {}
COMMON = ["--compute", "vulkan", "--size", "96x64", "--grid", "33x17", "--time-step", "0.0625"]
SHORT, LONG = 48, 96
MODES = [
    ["--renderer", renderer, "--heightmap", heightmap, "--semaphore", semaphore]
    for renderer in ("raster", "compute")
    for heightmap, semaphore in (("buffer", "timeline"), ("image", "binary"))
]
MADE = re.compile("vkCreate|vkAllocate|vkBeginCommandBuffer")


def calls(frames, options):
    """How often each function was called that creates, allocates or records."""
    run(*COMMON, "--frames", frames, *options, env={**LAYER, **DISPLAY, "FAULT_LOG": "calls.txt"})
    with open("calls.txt", encoding="ascii") as file:
        counts = collections.Counter(line.split()[0] for line in file)
    os.remove("calls.txt")
    return {name: count for name, count in counts.items() if MADE.match(name)}


def compare(options, batch, spare):
    """`spare`: pairs of slot and image that may not have been drawn in the short run."""
    short, long = calls(SHORT, options), calls(LONG, options)
    for made in "vkCreateDevice", "vkAllocateMemory", "vkBeginCommandBuffer":
        check(short.get(made), f"{options}: no {made}", short)
    recorded = long.pop("vkBeginCommandBuffer") - short.pop("vkBeginCommandBuffer")
    check(short == long, f"{options}: {LONG} frames make more than {SHORT}", short, long)
    batches = (LONG - SHORT) // batch
    check(batches <= recorded <= batches + spare,
          f"{options}: {recorded} recordings more, of them {batches} batches")


def headless_calls():
    for mode in MODES:
        # Eight slots and three images: each pair comes once in 24 frames.
        compare(["--headless", "--batch", 4, *mode], 4, 0)


def window_calls():
    """Which image comes when is the display's choice: at most five, of two slots."""
    for mode in MODES:
        compare(["--batch", 1, "--samples", 1, *mode], 1, 10)


def allocations():
    """Of our own code on the host: loop_allocations.c says and counts."""
    for mode in MODES:
        options = [*COMMON, "--frames", 60, "--stats", os.devnull, *mode]
        options += [] if DISPLAY else ["--headless", "--batch", 3]
        told = run(*options, out=True, program=LOOP_ALLOCATIONS, env=DISPLAY)
        check(told.out.endswith(f", 0 in 60 frames {'in a window' if DISPLAY else 'headless'}\n"), told)


if __name__ == "__main__":
    if sys.argv[4] == "window":
        with x_server() as DISPLAY:
            main({"test_window_calls": window_calls, "test_allocations": allocations})
    main({"test_headless_calls": headless_calls, "test_allocations": allocations})
