"""SIGINT and SIGTERM: the frame and the files are finished; a second signal ends
the run at once.

Usage: python3 stopping.py SINEWAVE
"""

import os
import signal
import subprocess

import support
from support import TIMEOUT, check, environment, main, picture


def start(*options):
    """A run without end, that draws by the time this returns."""
    process = subprocess.Popen(
        [support.PROGRAM, "--headless", "--compute", "vulkan", "--test-checksums", "--frames",
         "1000000000", *map(str, options)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=environment({}), preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    for line in process.stderr:
        if " heights " in line:
            break
    check(process.poll() is None, "it ended by itself")
    return process


def end(process):
    out, err = process.communicate(timeout=TIMEOUT)
    check(not out, out)
    check("error" not in err, err)
    return process.returncode


def test_one_signal():
    for number in (signal.SIGINT, signal.SIGTERM):
        for semaphore in ("timeline", "binary"):
            process = start("--size", "96x64", "--semaphore", semaphore, "--screenshot", "a.png", "--heights", "a.npy")
            process.send_signal(number)
            code = end(process)
            check(code == 128 + number, f"exit code {code} after signal {number}")
            check(picture("a.png")[:2] == (96, 64), "size")
            check(sorted(os.listdir(".")) == ["a.npy", "a.png"], os.listdir("."))
            os.remove("a.png")
            os.remove("a.npy")


def test_no_comparison():
    """The frame that a signal happens to leave is no reference, nor to be held against one."""
    for bless in ([], ["--bless"]):
        support.run("--headless", "--size", "96x64", "--time-step", "1", "--screenshot", "reference.png")
        with open("reference.png", "rb") as file:
            reference = file.read()
        process = start("--size", "96x64", "--time-step", "0.01", "--threshold", "0", "--max-diff-ratio", "0",
                        "--compare", "reference.png", "--diff", "diff.png", "--screenshot", "a.png", *bless)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=TIMEOUT)
        check(process.returncode == 128 + signal.SIGTERM, f"exit code {process.returncode}: {err}")
        check("error" not in err and err.count("interrupted before its last frame") == 1, err)
        check(picture("a.png")[:2] == (96, 64), "size")
        with open("reference.png", "rb") as file:
            check(file.read() == reference, "the reference was written")
        check(sorted(os.listdir(".")) == ["a.png", "reference.png"], os.listdir("."))
        os.remove("a.png")


def test_two_signals():
    """Both are there when the process is woken up: there is no time for files."""
    process = start("--size", "96x64", "--screenshot", "a.png")
    process.send_signal(signal.SIGSTOP)
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGCONT)
    code = end(process)
    check(code in (128 + signal.SIGINT, 128 + signal.SIGTERM), f"exit code {code}")
    check(os.listdir(".") == [], os.listdir("."))


if __name__ == "__main__":
    main(globals())
