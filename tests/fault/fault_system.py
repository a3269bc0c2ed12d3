"""Makes every allocation, thread and file operation that the program's own code
asks for fail, one at a time, and looks at how the program takes it.

Usage: python3 fault_system.py SINEWAVE_FAULTY [RUN...] [--full] [--only FUNCTION]

RUN: one of RUNS below; all of them where none is given. Quick: each call fails in
one of the ways that fit it, in turn; --full: in each of them. A run that ends with
0 must have written what the run without a failure wrote, to the byte.
The last line is "N runs, N as they should".
"""

import argparse
import errno
import os
import sys
import zlib

import fault_run

# How each function may fail, and (RECOVERS) go on.
MEMORY = [errno.ENOMEM]
ERRORS = {
    "malloc": MEMORY,
    "calloc": MEMORY,
    "realloc": MEMORY,
    "strdup": MEMORY,
    "realpath": [errno.ENOMEM, errno.ELOOP],
    "fopen64": [errno.EMFILE, errno.EACCES, errno.ENOMEM],
    "read": [errno.EIO, errno.EINTR],
    "mkdir": [errno.EACCES, errno.ENOSPC, errno.EROFS],
    "rename": [errno.EACCES, errno.ENOSPC, errno.EIO],
    "pthread_create": [errno.EAGAIN],
    "pthread_mutex_init": [errno.ENOMEM],
    "pthread_cond_init": [errno.ENOMEM],
    "open64": [errno.EMFILE, errno.ENOSPC, errno.EACCES, errno.EINTR],
    "write": [errno.ENOSPC, errno.EIO, errno.EPIPE, errno.EINTR, errno.EAGAIN, 0],
    "close": [errno.ENOSPC, errno.EIO, errno.EINTR],
}
RECOVERS = {errno.EINTR, errno.EAGAIN, 0}

SHORT = ["--size", "64x64", "--grid", "16x16", "--time-step", "0.1", "--verbose"]
RUNS = {
    "headless": ["--headless", "--frames", "3", "--batch", "2", "--output", "frame-%d.png"]
    + ["--screenshot", "last.png", "--heights", "last.npy", "--stats", "stats.json"]
    + ["--compare", "../reference.png", "--diff", "diff.png"] + SHORT,
    "stream": ["--headless", "--frames", "3", "--output", "-", "--semaphore", "binary"] + SHORT,
    "window": ["--frames", "2", "--screenshot", "last.png", "--stats", "stats.json"] + SHORT,
    "files": ["--compare", "../reference.png", "--with", "../reference.png", "--diff", "diff.png"],
    "list-devices": ["--list-devices"],
}


class Sweep:
    def __init__(self, options, environment, folder):
        self.options, self.environment, self.folder = options, environment, folder
        self.good = {}
        self.reference()

    def reference(self):
        folder = os.path.join(self.folder, "reference")
        os.makedirs(folder)
        result = fault_run.run(
            [os.path.abspath(self.options.program), "--headless", "--frames", "3"]
            + ["--screenshot", "../reference.png"] + SHORT,
            folder,
            self.environment,
        )
        assert result.code == 0, result

    def run(self, name, folder, **environment):
        os.makedirs(folder)
        return fault_run.run(
            [os.path.abspath(self.options.program)] + RUNS[name],
            folder,
            {**self.environment, **environment},
        )

    def written(self, result, folder):
        """What a run gave, but for times and the cache."""
        files = {}
        for path in fault_run.files_below(folder):
            if not path.endswith((".json", ".pipelines")):
                with open(path, "rb") as file:
                    files[os.path.basename(path)] = file.read()
        return files, result.out

    def plan(self, name):
        folder = os.path.join(self.folder, name)
        log = os.path.join(self.folder, name + ".log")
        result = self.run(name, folder, FAULT_LOG=log)
        wrong = fault_run.problems(result, [0], [], folder)
        if wrong:
            sys.exit(f"{name}: the run that should succeed: {wrong}\n{result}")
        self.good[name] = self.written(result, folder)
        jobs = []
        with open(log, encoding="ascii") as file:
            calls = [line.split() for line in file]
        for function, number, _ in calls:
            numbers = ERRORS[function]
            if self.options.only and function != self.options.only:
                continue
            if not self.options.full:
                turn = int(number) - 1 + zlib.crc32(name.encode())
                numbers = [numbers[turn % len(numbers)]]
            jobs += [(name, function, int(number), value) for value in numbers]
        return jobs

    def try_one(self, job):
        name, function, number, value = job
        folder = os.path.join(self.folder, f"{name}-{function}-{number}-{value}")
        result = self.run(name, folder, FAULT_CALL=f"{function}:{number}:{value}")
        recovers = value in RECOVERS and not function.startswith("pthread")
        codes = [0] if recovers else [0, 3, 4]
        if "../reference.png" in RUNS[name] and not recovers:
            codes = codes + [2]  # a reference that cannot be read
        wrong = fault_run.problems(result, codes, [], folder)
        if f"fault_layer: {function}, call {number}," not in result.err:
            wrong.append("the call was not made")
        if result.code == 0 and self.written(result, folder) != self.good[name]:
            wrong.append("what was written differs from a good run")
        for line in result.errors:
            if function in ("malloc", "calloc", "realloc", "strdup") and "memory" not in line:
                wrong.append(f"the error does not tell of memory: {line}")
        return job, result, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("runs", nargs="*", choices=[[], *RUNS])
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only")
    options = parser.parse_args()
    name_of = lambda value: errno.errorcode.get(value, "one byte")
    with fault_run.scratch() as folder:
        environment = fault_run.plain(folder)
        sweep = Sweep(options, environment, folder)
        return fault_run.sweep(options.runs or list(RUNS), sweep, environment, name_of)


if __name__ == "__main__":
    sys.exit(main())
