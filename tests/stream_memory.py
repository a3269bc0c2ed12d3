"""A y4m run holds constant memory: once the first frames are through its
resident size grows no more.

Usage: python3 stream_memory.py SINEWAVE WIDTHxHEIGHT GRID FRAMES

Prints the resident size along the run, read from /proc, and how fast the
frames came.
"""

import subprocess
import sys
import time
from statistics import median

SAMPLES = 90
# What a software driver holds for the frames in flight comes and goes by as
# much. FRAMES must be such that a third of them are far more.
LIMIT_KB = 16 << 10


def resident_kb(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
    return 0


def main():
    program, size, grid, frames = *sys.argv[1:4], int(sys.argv[4])
    width, height = (int(side) for side in size.split("x"))
    samples = []  # of frames read and kB
    start = time.monotonic()
    process = subprocess.Popen(
        [program, "--headless", "--compute", "vulkan", "--quiet", "--size", size,
         "--grid", grid, "--frames", str(frames), "--output", "-"], stdout=subprocess.PIPE)
    header = process.stdout.readline()
    assert header.startswith(b"YUV4MPEG2 "), header
    for frame in range(frames):
        assert process.stdout.readline() == b"FRAME\n", f"frame {frame} is missing"
        bytes_left = 3 * width * height
        while bytes_left:
            piece = len(process.stdout.read(min(bytes_left, 1 << 20)))
            assert piece, f"frame {frame} is short"
            bytes_left -= piece
        if frame % max(frames // SAMPLES, 1) == 0:
            samples.append((frame, resident_kb(process.pid)))
    assert process.stdout.read() == b""
    assert process.wait(300) == 0
    seconds = time.monotonic() - start
    for frame, kb in samples:
        print(f"frame {frame}: {kb} kB")
    third = len(samples) // 3
    before = median(kb for _, kb in samples[third:2 * third])
    after = median(kb for _, kb in samples[2 * third:])
    third_kb = 3 * width * height // 1024 * frames // 3
    print(f"{frames} frames of {size}: {frames / seconds:.1f} frames/s, {3 * third_kb} kB "
          f"through the pipe, {before:.0f} kB resident, growth {after - before:.0f} kB, "
          f"limit {LIMIT_KB} kB")
    assert third_kb > 3 * LIMIT_KB, "too few frames to see anything"
    assert before > 0 and after - before <= LIMIT_KB


if __name__ == "__main__":
    sys.exit(main())
