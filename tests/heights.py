"""The height maps that the Vulkan stepper writes, to the byte and against the
formula in double precision.

Usage: python3 heights.py SINEWAVE CHECK_HEIGHTS
"""

import subprocess
import sys

from support import check, headless, main, same

# Also those where a chunk of four runs on into the next row, and maps that end
# with one, two or three floats of a chunk.
GRIDS = [
    "256x256", "257x131", "258x131", "1x1", "4096x3", "3x4096", "2x9", "4x4", "5x5", "6x3", "7x9",
    "1x65536", "7x65535", "1023x1025",
]
TIMES = [0, 1, 1000000]


def reference(path, grid, time):
    """check_heights finds the file to hold the wave of this time."""
    width, height = grid.split("x")
    ended = subprocess.run(
        [sys.argv[2], path, width, height, repr(time)],
        capture_output=True, text=True, check=False,
    )
    print(ended.stdout.strip())
    check(ended.returncode == 0, ended.stdout, ended.stderr)


def test_sizes_and_times():
    for grid in GRIDS:
        for time in TIMES:
            headless("--grid", grid, "--start-time", time, "--heights", "heights.npy")
            reference("heights.npy", grid, time)


def test_times_that_are_no_floats():
    for time in (1000000.3, -12345.678, 0.1):
        headless("--grid", "31x17", "--start-time", time, "--heights", "heights.npy")
        reference("heights.npy", "31x17", time)


def test_slots_used_again():
    """The last of many frames, in every place of the ring."""
    for frames in range(1, 20):
        headless(
            "--grid", "31x17", "--frames", frames, "--batch", 3, "--start-time", 2,
            "--time-step", 0.25, "--heights", "heights.npy",
        )
        reference("heights.npy", "31x17", 2 + (frames - 1) * 0.25)


def test_preset_step_and_first_frame():
    headless("--grid", "31x17", "--frames", 5, "--first-frame", 100, "--heights", "heights.npy")
    reference("heights.npy", "31x17", 104 * (1 / 60))


def test_semaphore_types():
    for semaphore in ("timeline", "binary"):
        headless(
            "--grid", "257x131", "--frames", 20, "--batch", 3, "--semaphore", semaphore,
            "--heights", f"{semaphore}.npy",
        )
    same("timeline.npy", "binary.npy")


if __name__ == "__main__":
    main(globals())
