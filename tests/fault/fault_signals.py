"""Ends from outside: signals in the midst of writing, a display that goes, and
what becomes of standard streams that are closed.

Usage: python3 fault_signals.py SINEWAVE [KILLS]

SIGKILL comes at KILLS (30) random moments, and at those when a screenshot gets
its name: a file under its final name is always whole. The last line is "N runs, N as they should".
"""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

import fault_run

ENDLESS = ["--headless", "--frames", "1000000000", "--size", "64x64", "--grid", "16x16"]
counts = {"runs": 0, "good": 0}


def hear_signals(before):
    """What a child does first: a job in the background starts with SIGINT ignored."""
    def act():
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if before:
            before()
    return act


def start(program, arguments, folder, environment, stdout=subprocess.PIPE, before=None):
    os.makedirs(folder, exist_ok=True)
    return subprocess.Popen(
        [program] + arguments,
        cwd=folder,
        env={**os.environ, **fault_run.plain(folder + "-cache"), "XDG_CACHE_HOME": folder + "-cache", **environment},
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        preexec_fn=hear_signals(before),
    )


def end(process):
    out, err = process.communicate(timeout=fault_run.TIMEOUT)
    return fault_run.Result(process.returncode, out, err.decode("utf-8", "replace"))


def wait_for(condition, process, seconds=fault_run.TIMEOUT):
    limit = time.monotonic() + seconds
    while not condition() and process.poll() is None and time.monotonic() < limit:
        time.sleep(0.005)


def tell(name, wrong, result):
    counts["runs"] += 1
    counts["good"] += not wrong
    print(f"{'WRONG' if wrong else 'ok'}: {name}: exit {result.code}")
    if wrong:
        print("    " + "\n    ".join(wrong) + f"\n{result}", flush=True)


def frames(folder):
    return [name for name in os.listdir(folder) if name.startswith("frame-")]


def stop_frames(program, folder):
    """A signal while pictures are written: those that are there are whole."""
    for number in (signal.SIGINT, signal.SIGTERM):
        place = os.path.join(folder, f"frames-{number}")
        process = start(program, ENDLESS + ["--output", "frame-%d.png"], place, {})
        wait_for(lambda: len(frames(place)) > 20, process)
        process.send_signal(number)
        result = end(process)
        wrong = [] if result.code == 128 + number else [f"exit {result.code}"]
        wrong += fault_run.bad_files(place)
        have = sorted(int(re.sub(r"\D", "", name)) for name in frames(place))
        if have != list(range(len(have))):
            wrong.append("a frame is missing in between")
        tell(f"signal {number} while frames are written", wrong + result.errors, result)
        shutil.rmtree(place)


def stop_stream(program, folder):
    """A signal while a stream is written: it ends with a whole frame."""
    for number in (signal.SIGINT, signal.SIGTERM):
        place = os.path.join(folder, f"stream-{number}")
        path = place + ".y4m"
        with open(path, "wb") as file:
            process = start(program, ENDLESS + ["--output", "-"], place, {}, stdout=file)
        wait_for(lambda: os.path.getsize(path) > 300000, process)
        process.send_signal(number)
        result = end(process)
        wrong = [] if result.code == 128 + number else [f"exit {result.code}"]
        with open(path, "rb") as file:
            header = len(file.readline())
        frame = len(b"FRAME\n") + 3 * 64 * 64
        if (os.path.getsize(path) - header) % frame != 0:
            wrong.append("the last frame is not whole")
        tell(f"signal {number} while a stream is written", wrong + result.errors, result)
        os.remove(path)


def stop_reader(program, folder):
    """The reader of the stream goes away."""
    place = os.path.join(folder, "reader")
    process = start(program, ENDLESS + ["--output", "-"], place, {})
    process.stdout.read(100000)
    process.stdout.close()
    process.stdout = None
    result = end(process)
    tell("the reader goes", fault_run.problems(result, [4], ["stream"], place), result)


def kill(program, folder, number):
    place = os.path.join(folder, f"kill-{number}")
    arguments = ["--headless", "--frames", "1000000000" if number % 2 else "40", "--size", "320x200", "--grid", "16x16"]
    arguments += ["--output", "frame-%d.png", "--screenshot", "last.png", "--heights", "last.npy", "--stats", "stats.json"]
    process = start(program, arguments, place, {})
    if number % 3:
        wait_for(lambda: frames(place), process)
    time.sleep(random.uniform(0, 0.6))
    process.kill()
    result = end(process)
    wrong = fault_run.bad_files(place, killed=True)
    wrong += [] if result.code in (-signal.SIGKILL, 0) else [f"exit {result.code}"]
    tell(f"kill {number}, {len(frames(place))} frames", wrong, result)
    shutil.rmtree(place)


def kill_screenshot(program, folder, number):
    """The moment that a screenshot of key P has its name it is whole."""
    place = os.path.join(folder, f"screenshot-{number}")
    arguments = ENDLESS[:3] + ["--size", "640x400", "--grid", "16x16", "--test-snapshot-every", "1"]
    process = start(program, arguments, place, {})
    while process.poll() is None and not any(name.startswith("sinewave-") for name in os.listdir(place)):
        pass
    process.kill()
    result = end(process)
    wrong = fault_run.bad_files(place, killed=True)
    wrong += [] if result.code == -signal.SIGKILL else [f"exit {result.code}"]
    tell(f"kill at screenshot {number}", wrong, result)
    shutil.rmtree(place)


def lose_display(program, folder):
    place = os.path.join(folder, "display")
    server = fault_run.Display()
    name = server.__enter__()
    process = start(program, ["--frames", "1000000000", "--size", "64x64", "--test-checksums"], place, {"DISPLAY": name})
    for line in process.stderr:
        if b" heights " in line:
            break
    server.process.kill()
    server.process.wait()
    result = end(process)
    tell("the display goes", fault_run.problems(result, [4], ["display"], place), result)


def closed_streams(program, folder):
    """No file or device becomes a standard stream."""
    for descriptors in ((0,), (0, 1), (2,), (0, 1, 2)):
        place = os.path.join(folder, "closed")

        def close():
            for descriptor in descriptors:
                os.close(descriptor)

        process = start(program, ENDLESS + ["--output", "frame-%d.png"], place, {}, before=close)
        wait_for(lambda: frames(place), process)
        links = [os.readlink(f"/proc/{process.pid}/fd/{fd}") for fd in descriptors]
        process.terminate()
        result = end(process)
        wrong = [f"{fd} is {link}" for fd, link in zip(descriptors, links) if link != "/dev/null"]
        wrong += [] if result.code == 128 + signal.SIGTERM else [f"exit {result.code}"]
        tell(f"closed descriptors {descriptors}", wrong, result)
        shutil.rmtree(place)


def main():
    program = os.path.abspath(sys.argv[1])
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 30
    seed = int.from_bytes(os.urandom(4), "little")
    random.seed(seed)
    print(f"seed {seed}")
    with fault_run.scratch() as folder:
        stop_frames(program, folder)
        stop_stream(program, folder)
        stop_reader(program, folder)
        closed_streams(program, folder)
        if b"glfwInit" in subprocess.run(["nm", "-D", program], stdout=subprocess.PIPE, check=True).stdout:
            lose_display(program, folder)
        for number in range(12):
            kill_screenshot(program, folder, number)
        for number in range(kills):
            kill(program, folder, number)
    print(f"{counts['runs']} runs, {counts['good']} as they should")
    return 0 if counts["good"] == counts["runs"] else 1


if __name__ == "__main__":
    sys.exit(main())
