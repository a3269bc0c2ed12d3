"""A long run: memory, descriptors and the cost of a frame stay what they are, and
the last frame is the one that a run started there draws.

Usage: python3 soak.py SINEWAVE FRAMES [OPTION...]

Further options go to the program (--semaphore binary, --compute cuda). What the
run is at is read from its progress line on a terminal of its own. Frame times
are compared as processor time where the device is the processor, so that other
programs do no harm; --wall compares the clock.
"""

import os
import pty
import re
import statistics
import subprocess
import sys
import threading
import time

import fault_run

SIZE = ["--headless", "--size", "64x64", "--grid", "64x64", "--batch", "8"]
COLUMNS = {"clock": 1, "processor": 2}  # of a sample
SLICES = 5  # of half a run
FEWEST = 2 * SLICES  # samples in each
LIMIT = 1.5
TICKS = os.sysconf("SC_CLK_TCK")


def cost(pid):
    """Processor seconds so far, resident memory in KiB, open descriptors."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        memory = int(re.search(r"VmRSS:\s*(\d+)", file.read())[1])
    return (int(fields[11]) + int(fields[12])) / TICKS, memory, len(os.listdir(f"/proc/{pid}/fd"))


def watch(program, options, folder):
    """Runs to the end; returns (exit code, text, samples of (frame, clock,
    processor, memory, descriptors))."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [program] + options,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=slave,
        env={**os.environ, **fault_run.plain(folder)},
    )
    os.close(slave)
    text, samples = "", []

    def read():
        nonlocal text
        while True:
            try:
                data = os.read(master, 65536)
            except OSError:  # the other side is closed
                return
            if not data:
                return
            text = (text + data.decode("utf-8", "replace"))[-100000:]

    reader = threading.Thread(target=read)
    reader.start()
    while process.poll() is None:
        shown = re.findall(r"frame (\d+)/", text)
        if shown and (not samples or int(shown[-1]) > samples[-1][0]):
            try:
                samples.append((int(shown[-1]), time.monotonic(), *cost(process.pid)))
            except (OSError, TypeError):  # it has just ended
                break
        time.sleep(0.1)
    process.wait()
    reader.join()
    os.close(master)
    return process.returncode, text, samples


def halves(samples, frames):
    """Samples of the first half without its first tenth, and of the second."""
    first = [s for s in samples if frames * 0.1 <= s[0] < frames * 0.5]
    return first, [s for s in samples if s[0] >= frames * 0.5]


def judge(first, second):
    """Compares the second half with the first."""
    wrong = []
    early, last = first[0], second[-1]
    memory = [statistics.median(s[3] for s in part) for part in (first, second)]
    print(f"memory: {early[3]} KiB at frame {early[0]}, {last[3]} at frame {last[0]}; medians {memory[0]:.0f} and {memory[1]:.0f}")
    if memory[1] > memory[0] + 4096:  # what a software device takes swings by as much
        wrong.append("memory grows")
    descriptors = {s[4] for s in first + second}
    print(f"descriptors: {min(descriptors)} to {max(descriptors)}")
    if max(descriptors) != min(descriptors):
        wrong.append("descriptors come or go")
    for name, column in COLUMNS.items():
        print(f"a frame: {cost_of_a_frame(first, column):.1f} us {name} time in the first half, "
              f"{cost_of_a_frame(second, column):.1f} in the second")
    return wrong


def cost_of_a_frame(samples, column):
    """In microseconds: the median of slices of the run."""
    ends = samples[:: len(samples) // SLICES]
    return statistics.median((b[column] - a[column]) / (b[0] - a[0]) * 1e6 for a, b in zip(ends, ends[1:]))


def main():
    program = os.path.abspath(sys.argv[1])
    frames, options = int(sys.argv[2]), sys.argv[3:]
    column = COLUMNS["clock" if "--wall" in options else "processor"]
    options = [option for option in options if option != "--wall"]
    with fault_run.scratch() as folder:

        def long_run(count):
            return watch(
                program,
                SIZE + ["--frames", str(count), "--screenshot", "long.png", "--heights", "long.npy"] + options,
                folder,
            )

        while True:
            code, text, samples = long_run(frames)
            # The last sample may be of a run that has begun to close everything.
            first, second = halves(samples[:-1], frames)
            if code != 0 or min(len(first), len(second)) >= FEWEST:
                break
            print(f"{len(first)} and {len(second)} samples: {frames} frames are too few")
            frames *= 4
        if code != 0:
            print(f"soak.py: error: exit {code}: {text}")
            return 1
        wrong = judge(first, second)
        fresh = fault_run.run(
            [program] + SIZE + ["--frames", "1", "--first-frame", str(frames - 1)]
            + ["--screenshot", "fresh.png", "--heights", "fresh.npy"] + options,
            folder,
            fault_run.plain(folder),
        )
        wrong += [] if fresh.code == 0 else [str(fresh)]
        for ending in ("png", "npy"):
            data = []
            for name in ("long", "fresh"):
                with open(os.path.join(folder, f"{name}.{ending}"), "rb") as file:
                    data.append(file.read())
            same = data[0] == data[1]
            print(f"{ending} of frame {frames - 1}: {'equal to' if same else 'not'} that of a run started there")
            wrong += [] if same else [f"the last {ending} differs"]
        slow = cost_of_a_frame(second, column)
        if slow > LIMIT * cost_of_a_frame(first, column):
            # Or is it the machine that has slowed down?
            again = halves(long_run(frames)[2][:-1], frames)[0]
            now = cost_of_a_frame(again, column) if len(again) >= FEWEST else 0
            print(f"a frame: {now:.1f} us at the start of another run")
            if slow > LIMIT * now:
                wrong.append("frames take longer and longer")
    for line in wrong:
        print(f"soak.py: error: {line}")
    print(f"{frames} frames, {'flat' if not wrong else 'NOT as they should'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
