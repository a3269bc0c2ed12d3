"""Lets the device hang from one submission of a short run on, each in turn, and
looks at how the program leaves: with one error and exit code 4, nothing destroyed
that may be in use, no wait without a time-out, no file left over or half written.

Usage: python3 fault_hang.py SINEWAVE FAULT_LAYER [RUN...] [--full]

RUN: one of fault_sweep.RUNS that submits, or "stalled", a stream that nobody reads
while the device hangs; all where none is given. From that
submission on the layer runs none (fault_layer.c), as a GPU's one queue would not.
Quick: waits with a time-out, up to the ten minutes of a software device, take a
600th of it; --full: the whole of it, and all runs wait at once.
The last line is "N runs, N as they should".
"""

import argparse
import concurrent.futures
import os
import sys
import time

import fault_run
import fault_sweep

TIMEOUT = 750  # seconds; the longest wait is 600, and the leaving may take 14 more
HASTE = "600"
# What the layer says of a wait or a destruction that must not be.
WRONG = ("of a device that hangs", "waits for a device that hangs")


RUNS = [name for name in fault_sweep.RUNS if name != "list-devices"]  # which submits nothing
# The worker waits for the reader with the first frame, and has a buffer for the
# second; a frame does not fit into a pipe.
STALLED = ["--headless", "--frames", "5", "--size", "256x256", "--grid", "16x16", "--output", "-"]


class Hang(fault_sweep.Sweep):
    def run(self, name, folder, **environment):
        if name != "stalled":
            return super().run(name, folder, **environment)
        os.makedirs(folder)
        command = [os.path.abspath(self.options.program)] + STALLED
        environment = {**self.environment, **environment}
        if "FAULT_CALL" not in environment:
            return fault_run.run(command, folder, environment)
        read, write = os.pipe()
        try:
            return fault_run.run(command, folder, environment, self.timeout, write)
        finally:
            os.close(read)
            os.close(write)

    def plan(self, name):
        calls = sum(call[0] == "vkQueueSubmit2" for call in self.count(name))
        return [(name, number) for number in range(1, calls + 1)]

    def try_one(self, job):
        name, number = job
        folder = os.path.join(self.folder, f"{name}-{number}")
        start = time.monotonic()
        haste = None if self.options.full else HASTE
        result = self.run(name, folder, FAULT_CALL=f"vkQueueSubmit2:{number}:0", FAULT_HASTE=haste)
        seconds = time.monotonic() - start
        wrong = fault_run.problems(result, [4], ["look for a hung GPU"], folder)
        if f"fault_layer: vkQueueSubmit2, call {number}," not in result.err:
            wrong = [] if name in fault_sweep.BY_TIME and result.code == 0 else wrong + ["the call was not made"]
        wrong += [line for line in result.err.splitlines() if line.endswith(WRONG)]
        return job, seconds, result, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("layer")
    parser.add_argument("runs", nargs="*", choices=[[], "stalled", *RUNS])
    parser.add_argument("--full", action="store_true")
    options = parser.parse_args()
    with fault_run.scratch() as folder, fault_run.Display() as display:
        environment = fault_run.install_layer(options.layer, os.path.join(folder, "layers"))
        environment.update({"DISPLAY": display, "WAYLAND_DISPLAY": None})
        hang = Hang(options, environment, folder, TIMEOUT)
        jobs = [job for name in options.runs or ["stalled", *RUNS] for job in hang.plan(name)]
        good = 0
        workers = len(jobs) if options.full else 2 * os.cpu_count()
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            for (name, number), seconds, result, wrong in pool.map(hang.try_one, jobs):
                good += not wrong
                print(f"{'WRONG' if wrong else 'ok'}: {name}, submission {number}: "
                      f"exit {result.code} after {seconds:.0f} s, {' '.join(result.errors)}")
                if wrong:
                    print("    " + "\n    ".join(wrong) + f"\n{result}", flush=True)
    print(f"{len(jobs)} runs, {good} as they should")
    return 0 if jobs and good == len(jobs) else 1


if __name__ == "__main__":
    sys.exit(main())
