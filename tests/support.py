"""What the integration tests share: running the program, an X server of one's
own, reading its pictures. A test file calls main(), which runs its functions
test_* in order, each in an empty folder of its own.
"""

import contextlib
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import time
import traceback
import zlib

PROGRAM = ""
SKIP = 77
TIMEOUT = 300  # seconds for one run: a loaded machine, with sanitizers
SANITIZER = 99  # exit code of a finding

CACHE = tempfile.TemporaryDirectory(prefix="sinewave-cache-")  # not the user's, nor another test's
# Without a display unless a test gives one; CUDA has tests of its own.
ENVIRONMENT = {
    name: value
    for name, value in os.environ.items()
    if name not in ("DISPLAY", "WAYLAND_DISPLAY", "MALLOC_PERTURB_")
} | {"XDG_CACHE_HOME": CACHE.name}


class Result:
    """An ended run: exit code, standard output, standard error."""

    def __init__(self, command, code, out, err):
        self.command, self.code, self.out, self.err = command, code, out, err

    def lines(self, pattern):
        """Lines of standard error that match."""
        return [line for line in self.err.splitlines() if re.search(pattern, line)]

    def __str__(self):
        return f"{' '.join(self.command)}\nexit code {self.code}\n{self.out}{self.err}"


def check(condition, *told):
    """An assertion that stays with python -O, and shows what it is about."""
    if not condition:
        raise AssertionError("\n".join(str(part) for part in told))


def environment(changes):
    """The tests' environment with changes; None removes a variable."""
    merged = {**ENVIRONMENT, **(changes or {})}
    return {name: value for name, value in merged.items() if value is not None}


def run(*options, code=0, env=None, out=False, program=None):
    """Runs the program and checks the exit code; that standard output is empty,
    unless out; that a failure is told in one line of the form "what: why; what
    to do", and success without one.
    """
    command = [program or PROGRAM, *map(str, options)]
    ended = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=TIMEOUT,
        env=environment(env),
        check=False,
    )
    result = Result(command, ended.returncode, ended.stdout, ended.stderr)
    check(result.code == code, f"exit code {code} expected:", result)
    check(out or not result.out, "standard output is not empty:", result)
    errors = result.lines("^sinewave: error: ")
    check(len(errors) == (1 if code else 0), "one line for an error expected:", result)
    check(not code or re.fullmatch(r"sinewave: error: .+: .+; .+", errors[0]), "not what, why, what to do:", result)
    foreign = result.lines("^(?!sinewave: )")
    check(not foreign, "lines without the program's name:", result)
    return result


def headless(*options, **keywords):
    """A small headless run, stepped by Vulkan unless told."""
    given = " ".join(map(str, options))
    preset = ["--headless"]
    preset += [] if "--size" in given else ["--size", "96x64"]
    preset += [] if "--compute" in given else ["--compute", "vulkan"]
    return run(*preset, *options, **keywords)


def has_option(name):
    """Whether this build of the program knows the option."""
    return re.search(rf"^  {name}\b", run("--help", out=True).out, re.MULTILINE) is not None


def one_sample():
    """Options that make a window sample as a headless run does."""
    return ["--samples", "1"] if has_option("--samples") else []


@contextlib.contextmanager
def x_server():
    """An X server; gives the environment that leads to it."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1400x900x24", "-nolisten", "tcp",
               "-noreset"]  # a new client may come just as the last one leaves
    try:
        server = subprocess.Popen(
            command, pass_fds=[write], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
    except FileNotFoundError:
        skip("Xvfb is not installed (Debian: xvfb)")
    os.close(write)
    try:
        with os.fdopen(read) as pipe:
            display = pipe.readline().strip()
        check(display, "Xvfb did not start")
        yield {"DISPLAY": f":{display}", "XAUTHORITY": None, "WAYLAND_DISPLAY": None}
    finally:
        server.terminate()
        server.wait()


def fault_layer(library):
    """The environment that loads the layer of fault/ (fault_layer.c)."""
    sys.path.append(str(pathlib.Path(__file__).parent / "fault"))
    import fault_run  # pylint: disable=import-outside-toplevel

    return fault_run.install_layer(library, os.path.join(CACHE.name, "layers"))


def picture(path):
    """Width, height and the RGB bytes of a PNG as the program writes it."""
    data = pathlib.Path(path).read_bytes()
    check(data.startswith(b"\x89PNG\r\n\x1a\n"), f"{path} is no PNG")
    at, packed, header = 8, b"", None
    while at < len(data):
        (length,), kind = struct.unpack(">I", data[at : at + 4]), data[at + 4 : at + 8]
        body = data[at + 8 : at + 8 + length]
        header = struct.unpack(">IIBBBBB", body) if kind == b"IHDR" else header
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    width, height, depth, color, *_, interlace = header
    check((depth, color, interlace) == (8, 2, 0), f"{path}: not 8-bit RGB")
    rows, stride, before = zlib.decompress(packed), 3 * width, bytes(3 * width)
    pixels = bytearray()
    for y in range(height):
        kind, row = rows[y * (stride + 1)], bytearray(rows[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
        for i in range(stride):
            left = row[i - 3] if i >= 3 else 0
            corner = before[i - 3] if i >= 3 else 0
            guess = 0
            if kind == 1:
                guess = left
            elif kind == 2:
                guess = before[i]
            elif kind == 3:
                guess = (left + before[i]) // 2
            elif kind == 4:
                away = left + before[i] - corner
                guess = min((left, before[i], corner), key=lambda value, away=away: abs(away - value))
            row[i] = (row[i] + guess) & 255
        pixels += row
        before = row
    return width, height, bytes(pixels)


def same(first, *others):
    """All files are equal to the byte."""
    wanted = pathlib.Path(first).read_bytes()
    check(wanted, f"{first} is empty")
    for other in others:
        check(pathlib.Path(other).read_bytes() == wanted, f"{other} differs from {first}")


def skip(why):
    """Ends the test file: it cannot be run here."""
    print(f"skipped: {why}")
    sys.exit(SKIP)


def validation_or_skip():
    """Ends the test file where there is no validation layer."""
    ended = subprocess.run(
        [PROGRAM, "--headless", "--size", "16x16", "--compute", "vulkan", "--validation"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, env=ENVIRONMENT, check=False,
    )
    if ended.returncode == 3 and "--validation:" in ended.stderr:
        skip(ended.stderr.strip())


def main(names, device=True):
    """Runs the functions test_* of a test file. Ends with 77 where there is no
    device and it needs one.
    """
    global PROGRAM
    PROGRAM = sys.argv[1]
    if device:
        ended = subprocess.run([PROGRAM, "--list-devices"], capture_output=True, text=True,
                               env=ENVIRONMENT, check=False)
        if ended.returncode == 3:
            skip(ended.stderr.strip())
    failed = 0
    for name, function in list(names.items()):
        if not name.startswith("test_"):
            continue
        start = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="sinewave-test-") as folder:
            os.chdir(folder)
            try:
                function()
                verdict = "ok"
            except Exception:  # pylint: disable=broad-except
                traceback.print_exc(file=sys.stdout)
                verdict = "not ok"
                failed += 1
            os.chdir("/")
        print(f"{verdict} {name} ({time.monotonic() - start:.1f} s)", flush=True)
    sys.exit(1 if failed else 0)
