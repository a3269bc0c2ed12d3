"""Sequences: what --output writes, read by others, and its failures.

Usage: python3 sequences.py SINEWAVE
"""

import json
import os
import pathlib
import pty
import resource
import select
import shutil
import signal
import subprocess
import threading
import time

import support
from support import check, main


def command(*options):
    return [support.PROGRAM, "--headless", "--compute", "vulkan", "--grid", "64x64",
            *map(str, options)]


def start(words, **keywords):
    return subprocess.Popen(words, env=support.ENVIRONMENT, stdin=subprocess.DEVNULL, **keywords)


def output_of(words, data=None):
    return subprocess.run(words, input=data, stdout=subprocess.PIPE, check=True,
                          timeout=support.TIMEOUT, env=support.ENVIRONMENT).stdout


def test_ffmpeg_reads_the_stream():
    """Number, size, rate and colours of its frames are those of the PNG files."""
    # 0.04 s: 25 frames a second. 1001/30000 s: broadcast's fraction.
    for width, height, frames, step, rate in (
            (160, 100, 12, "0.04", "25/1"), (33, 21, 5, "0.033366666666666667", "30000/1001")):
        scene = command("--size", f"{width}x{height}", "--frames", frames, "--time-step", step)
        stream = output_of([*scene, "--output", "-"])
        output_of([*scene, "--output", "f-%02d.png"])

        told = json.loads(output_of(
            ["ffprobe", "-loglevel", "error", "-count_frames", "-show_streams", "-of", "json", "-"],
            stream))["streams"][0]
        check((told["width"], told["height"]) == (width, height), told)
        check(told["nb_read_frames"] == str(frames), told)
        check(told["r_frame_rate"] == rate, told)
        check((told["pix_fmt"], told["color_range"]) == ("yuv444p", "tv"), told)

        video = output_of(["ffmpeg", "-loglevel", "error", "-i", "-", "-f", "rawvideo",
                           "-pix_fmt", "rgb24", "-"], stream)
        size = 3 * width * height
        check(len(video) == frames * size, len(video))
        for i in range(frames):
            pixels = support.picture(f"f-{i:02}.png")[2]
            off = max(abs(a - b) for a, b in zip(video[i * size:], pixels))
            print(f"{width}x{height} frame {i}: colours off by at most {off}")
            # The stream has 220 steps of luma; both ways are rounded.
            check(off <= 3, off)


def check_full(code, told, folder, frames):
    """Exit code 4, and no file that is not whole under its final name."""
    files = sorted(os.listdir(folder))
    print(f"exit code {code}: {told.strip()}; {len(files)} of {frames} files")
    check(code == 4 and len(told.strip().splitlines()) == 1, told)
    check("cannot write frame-" in told and "free some space" in told, told)
    check(len(files) < frames, files)
    for name in files:
        check(name.startswith("frame-") and name.endswith(".png"), name)
        width, height, pixels = support.picture(os.path.join(folder, name))
        check((width, height) == (200, 120) and len(pixels) == 3 * width * height, name)
    return files


def test_file_too_large():
    def limit():
        # Below a frame's size. The signal's default action ends the process.
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)

    # By a worker thread, which gets no signals, and by the main one.
    for output in ("--output", "frame-%02d.png"), ("--screenshot", "frame-39.png"):
        process = start(command("--size", "200x120", "--frames", 40, "--quiet", *output),
                        stderr=subprocess.PIPE, text=True, preexec_fn=limit)
        told = process.communicate(timeout=support.TIMEOUT)[1]
        check_full(process.returncode, told, ".", 40)


def test_full_disk():
    """A file system of 100 kB in a mount namespace of its own, whose content is
    copied out at the end."""
    os.mkdir("full")
    os.mkdir("kept")
    namespace = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
    mount = "mount -t tmpfs -o size=100k full full && cd full || exit 99; "
    if subprocess.run([*namespace, mount], check=False).returncode != 0:
        print("not done: no file system of its own to fill")
        return
    process = start([*namespace, mount + '"$@"; code=$?; cp -a . ../kept || exit 98; exit $code',
                     "sh", *command("--size", "200x120", "--frames", 40, "--quiet", "--output",
                                    "frame-%02d.png")], stderr=subprocess.PIPE, text=True)
    told = process.communicate(timeout=support.TIMEOUT)[1]
    check(check_full(process.returncode, told, "kept", 40), "not one frame fitted: no disk was full")


def test_closed_pipe():
    process = start(command("--size", "320x200", "--frames", 60, "--quiet", "--output", "-"),
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                    preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL))
    check(process.stdout.read(9) == b"YUV4MPEG2")
    process.stdout.close()
    told = process.stderr.read().decode()
    code = process.wait(support.TIMEOUT)
    print(f"exit code {code}: {told.strip()}")
    check(code == 4 and "Broken pipe" in told and len(told.strip().splitlines()) == 1, told)


def on_terminal(*options, stdout=subprocess.DEVNULL):
    """What the program prints on a terminal as standard error. A pipe as standard
    output is read only after the program's second look at the clock (0.1 s) is due."""
    ours, theirs = pty.openpty()
    process = start(command(*options), stdout=stdout, stderr=theirs)
    os.close(theirs)
    text = b""
    reader = None
    if process.stdout:
        check(select.select([ours], [], [], support.TIMEOUT)[0], "nothing on the terminal")
        time.sleep(0.2)
        reader = threading.Thread(target=process.stdout.read)
        reader.start()
    try:
        while piece := os.read(ours, 4096):
            text += piece
    except OSError:  # the last user of the other end has gone
        pass
    os.close(ours)
    if reader:
        reader.join()
    check(process.wait(support.TIMEOUT) == 0, text)
    return text.decode()


def test_progress():
    """On a terminal only, and not with --quiet."""
    # More than a pipe and the program's own queue hold.
    scene = ["--size", "320x200", "--frames", 90, "--output", "-"]
    text = on_terminal(*scene, stdout=subprocess.PIPE)
    print(repr(text))
    for word in ("\rframe ", "/90", " fps", " left"):
        check(word in text, word)
    check(text.endswith("\r\033[K"), "something of it stays on the line")

    short = ["--size", "64x64", "--frames", 9]
    check("frame " in on_terminal(*short, "--output", "f-%03d.png"))
    check(len(list(pathlib.Path(".").glob("f-*.png"))) == 9)
    check(on_terminal(*short, "--output", "f-%03d.png", "--quiet") == "")
    told = support.headless(*short, "--output", "f-%03d.png").err
    check("fps" not in told and "\033" not in told, told)


if __name__ == "__main__":
    if not shutil.which("ffmpeg"):
        support.skip("ffmpeg is not installed (Debian: ffmpeg)")
    main(globals())
