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
import fcntl
import os
import shutil
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
    "renameat2": [errno.EACCES, errno.ENOSPC, errno.EEXIST, errno.EINVAL, errno.ENOSYS],
    "link": [errno.EACCES, errno.ENOSPC, errno.EEXIST, errno.EPERM],
    "unlink": [errno.EACCES, errno.EIO],
    "readlink": [errno.EACCES, errno.EIO],
    "access": [errno.EACCES, errno.EROFS],
    "stat64": [errno.EACCES, errno.EIO, errno.ELOOP],
    "lstat64": [errno.EACCES, errno.EIO],
    "fstat64": [errno.EIO],
    "poll": [errno.ENOMEM, errno.EINTR],
    "fread": [errno.EISDIR],
    "pthread_create": [errno.EAGAIN],
    "pthread_mutex_init": [errno.ENOMEM],
    "pthread_cond_init": [errno.ENOMEM],
    "open64": [errno.EMFILE, errno.ENOSPC, errno.EACCES, errno.EINTR],
    "write": [errno.ENOSPC, errno.EIO, errno.EPIPE, errno.EINTR, errno.EAGAIN, 0],
    "close": [errno.ENOSPC, errno.EIO, errno.EINTR],
}
# EEXIST, EINVAL and ENOSYS have the program take another name or another way: whether
# that succeeds, the run tells.
RECOVERS = {errno.EINTR, errno.EAGAIN, 0}
# An error of these tells of memory.
ALLOCATE = ("malloc", "calloc", "realloc", "strdup")

SHORT = ["--size", "64x64", "--grid", "16x16", "--time-step", "0.1", "--verbose"]
RUNS = {
    "headless": ["--headless", "--frames", "3", "--batch", "2", "--output", "frame-%d.png"]
    + ["--screenshot", "last.png", "--heights", "last.npy", "--stats", "stats.json"]
    + ["--compare", "../reference.png", "--diff", "diff.png"] + SHORT,
    # Standard output does not block, and is full at times.
    "pipe": ["--headless", "--frames", "3", "--output", "-", "--size", "256x256", "--grid", "16x16"],
    # The outputs are there, and so is a cache: a file, a link to one, a link to nothing.
    "there": ["--headless", "--frames", "1", "--screenshot", "file.png", "--compare", "../reference.png"]
    + ["--max-diff-ratio", "1", "--diff", "link.png", "--heights", "lost.npy"] + SHORT,
    "snapshot": ["--headless", "--frames", "2", "--test-snapshot-every", "1"] + SHORT,
    "snapshot-link": ["--headless", "--frames", "2", "--test-snapshot-every", "1"] + SHORT,
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

    def prepare(self, folder):
        """What is there before the run "there"."""
        reference = os.path.join(self.folder, "reference.png")
        shutil.copy(reference, os.path.join(folder, "file.png"))
        shutil.copy(reference, os.path.join(folder, "far.png"))
        os.symlink("far.png", os.path.join(folder, "link.png"))
        os.symlink("new.npy", os.path.join(folder, "lost.npy"))
        cache = os.path.join("cache", "sinewave")
        shutil.copytree(os.path.join(self.folder, "reference", cache), os.path.join(folder, cache))

    def run(self, name, folder, **environment):
        os.makedirs(folder)
        if name == "there":
            self.prepare(folder)
        before = None
        if name == "pipe":
            before = lambda: fcntl.fcntl(1, fcntl.F_SETFL, os.O_WRONLY | os.O_NONBLOCK)
        if name == "snapshot-link":  # a file system without the better way
            environment["FAULT_ALWAYS"] = f"renameat2:{errno.EINVAL}"
        return fault_run.run(
            [os.path.abspath(self.options.program)] + RUNS[name],
            folder,
            {**self.environment, **environment},
            before=before,
        )

    def written(self, result, folder):
        """What a run gave, but for times and the cache. Screenshots have the time in
        their names, and count from 1."""
        files = {}
        if any(name.startswith("sinewave-") for name in os.listdir(folder)):
            shots = [name for name in os.listdir(folder) if name.startswith("sinewave-")]
            return sorted(open(os.path.join(folder, name), "rb").read() for name in shots), result.out
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
            if (name, function) == ("snapshot-link", "renameat2"):  # fails anyhow
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
        # Nothing can be done about the file then, but to tell.
        if function == "unlink" and (result.code != 0 or name == "snapshot-link"):
            wrong = [line for line in wrong if not line.startswith("left over: .sinewave-")]
        told = name.startswith("snapshot") and result.code == 0 and result.errors
        if told:  # a screenshot that cannot be saved is no reason to end
            wrong = [line for line in wrong if "error lines, expected 0" not in line]
        made = f"fault_layer: {function}, call {number}," in result.err
        if name == "pipe" and function in ("poll", "write") and result.code == 0 and not made:
            result.code = fault_run.NOT_MADE  # the reader was faster this time
            return job, result, []
        if not made:
            wrong.append("the call was not made")
        if result.code == 0 and not told and self.written(result, folder) != self.good[name]:
            wrong.append("what was written differs from a good run")
        for line in result.errors:
            if function in ALLOCATE and "memory" not in line:
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
