"""What the window tests share: an X display of their own, the program on it,
and pictures of the display.
"""

import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

PATIENCE = 180  # seconds for anything that should happen at once
CACHE = tempfile.TemporaryDirectory(prefix="sinewave-cache-")  # not the user's, nor another test's
SIZE = (320, 200)
SCREEN = (800, 600)
SCENE = ["--size", "%dx%d" % SIZE, "--grid", "64x64", "--device", "llvmpipe", "--compute", "vulkan"]
LAYERS = [
    "/usr/share/vulkan/explicit_layer.d",
    "/usr/local/share/vulkan/explicit_layer.d",
    "/etc/vulkan/explicit_layer.d",
]


def wait_for(what, condition, patience=PATIENCE):
    """Returns the first true value of condition()."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"not within {patience} s: {what}")


def skip_unless_possible(program):
    for tool in ("Xvfb", "openbox", "wmctrl", "xdotool", "xprop", "xwd", "xwininfo"):
        if not shutil.which(tool):
            print(f"{tool} is not installed: sh scripts/install_packages.sh tests")
            sys.exit(77)
    listed = subprocess.run([program, "--list-devices"], capture_output=True, text=True)
    if "llvmpipe" not in listed.stdout:
        print("no software device (llvmpipe)")
        sys.exit(77)


def sanitized(program):
    """Whether it was built with the address sanitizer."""
    with open(program, "rb") as file:
        return b"__asan_init" in file.read()


class Display:
    """An Xvfb, with a window manager where asked for."""

    def __init__(self, manager=False, depth=24):
        self.folder = tempfile.mkdtemp(prefix="sinewave-window-")
        read, write = os.pipe()
        screen = "%dx%dx%d" % (*SCREEN, depth)
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", screen, "-wr", "-noreset", "-nolisten", "tcp"]
            + ["-r"],  # a key that is let go late does not repeat
            pass_fds=[write],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        assert number, "Xvfb did not start"
        self.environment = dict(os.environ, DISPLAY=":" + number, XDG_CACHE_HOME=CACHE.name)
        for name in ("WAYLAND_DISPLAY", "MALLOC_PERTURB_"):  # the latter is not for others' programs
            self.environment.pop(name, None)
        self.manager = None
        if manager:
            self.manager = subprocess.Popen(
                # What it starts itself comes when it has looked at all windows.
                ["openbox", "--startup", f"touch {self.folder}/managed"],
                env=self.environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            wait_for("a window manager", lambda: os.path.exists(os.path.join(self.folder, "managed")))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in (self.manager, self.server):
            if process:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder)

    def tool(self, *command):
        done = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, timeout=PATIENCE
        )
        return done.stdout

    def root(self):
        """The root window as rows of RGB bytes."""
        dump = subprocess.run(
            ["xwd", "-root", "-silent"],
            env=self.environment,
            check=True,
            capture_output=True,
            timeout=PATIENCE,
        ).stdout
        header = struct.unpack(">25I", dump[:100])
        width, height, stride, colors = header[4], header[5], header[12], header[19]
        # xwd packs the pixels tightly where windows of several visuals are shown.
        step = header[11] // 8
        assert step in (3, 4) and header[7] == 0, header
        pixels = dump[header[0] + 12 * colors :]
        rows = []
        for y in range(height):
            row = pixels[y * stride : y * stride + step * width]
            rgb = bytearray(3 * width)
            rgb[0::3], rgb[1::3], rgb[2::3] = row[2::step], row[1::step], row[0::step]
            rows.append(bytes(rgb))
        return rows


def crop(rows, x, y, width, height):
    return [row[3 * x : 3 * (x + width)] for row in rows[y : y + height]]


def write_png(path, rows):
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">2I5B", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row for row in rows), 1)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header))
        file.write(chunk(b"IDAT", data) + chunk(b"IEND", b""))


class Program:
    """sinewave in a window, in the display's folder."""

    def __init__(self, display, path, *arguments, validation=True, environment=None):
        self.display = display
        self.path = path
        self.keys = 0  # pressed and not known to be lost
        with tempfile.NamedTemporaryFile(delete=False) as file:
            # Read through a descriptor of our own: one offset for both would move
            # where the program writes.
            self.log = open(file.name, encoding="utf-8", errors="replace")
            with open(file.name, "ab") as errors:
                self.process = subprocess.Popen(
                    [path, *SCENE, "--test-idle", *(["--validation"] if validation else []), *arguments],
                    cwd=display.folder,
                    env=dict(display.environment, **(environment or {})),
                    stdin=subprocess.DEVNULL,
                    stdout=errors,
                    stderr=errors,
                    # A job in the background has SIGINT ignored, and so would the program.
                    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
                )
        os.unlink(file.name)
        self.window = None

    def said(self):
        self.log.seek(0)
        return self.log.read()

    def find(self):
        """Waits until the window is shown."""

        def shown():
            assert self.process.poll() is None, self.said()
            return self.display.tool("xdotool", "search", "--onlyvisible", "--name", "sinewave").split()

        try:
            self.window = wait_for("a window", shown)[0]
        except AssertionError:
            print(self.said(), self.display.tool("xwininfo", "-root", "-tree"))
            raise
        return self

    def xdotool(self, *arguments):
        return self.display.tool("xdotool", *arguments)

    def start_xdotool(self, *arguments):
        return subprocess.Popen(
            ["xdotool", *arguments], env=self.display.environment, stderr=subprocess.DEVNULL
        )

    def key(self, *names):
        self.xdotool("key", *names)
        self.keys += len(names)

    def title(self):
        return self.xdotool("getwindowname", self.window)

    def place(self):
        """x, y, width, height in pixels, without a manager's frame."""
        text = self.display.tool("xwininfo", "-id", self.window)
        values = dict(re.findall(r"(\w[\w -]*): +(-?\d+)\n", text))
        names = ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height")
        return tuple(int(values[name]) for name in names)

    def seen(self):
        return crop(self.display.root(), *self.place())

    def idle(self):
        """Waits until all that was done so far has been drawn (time must be held)."""
        self.key("x")  # means nothing, and comes after all else
        wait_for("a window at rest", lambda: f"idle after {self.keys} keys\n" in self.said())

    def still(self):
        """What is seen once it changes no more (time must be held)."""
        # Each key asks for three frames and more. What the first has drawn is shown
        # once a swapchain of up to five images has come round.
        for _ in range(3):
            self.idle()
        return self.seen()

    def screenshots(self):
        return sorted(f for f in os.listdir(self.display.folder) if f.startswith("sinewave-2"))

    def screenshot(self):
        """Presses P, and returns the new file once it is whole."""
        before = set(self.screenshots())
        told = self.said().count("saved sinewave-")
        self.key("p")
        wait_for("a screenshot", lambda: self.said().count("saved sinewave-") > told)
        new = [f for f in self.screenshots() if f not in before]
        assert len(new) == 1, f"{new} beside {before}"
        return os.path.join(self.display.folder, new[0])

    def same(self, rows, picture):
        """Asserts that what was seen is what the file shows, to the bit."""
        seen = os.path.join(self.display.folder, "seen.png")
        write_png(seen, rows)
        done = subprocess.run(
            [self.path, "--compare", picture, "--with", seen, "--threshold", "0"]
            + ["--max-diff-ratio", "0"],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr

    def end(self, code=0, patience=PATIENCE):
        """Waits for the exit code; validation must have been silent."""
        try:
            ended = self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGKILL)
            raise AssertionError(f"still running after {patience} s: {self.said()}") from None
        said = self.said()
        assert ended == code, f"exit code {ended}, not {code}: {said}"
        assert "validation" not in said.lower(), said
        return said

    def close(self, code=0):
        self.key("Escape")
        return self.end(code)


def arguments():
    """The program and the folder of the test layer."""
    skip_unless_possible(sys.argv[1])
    return sys.argv[1], sys.argv[2]


def layer(folder, **settings):
    """The environment that loads window_layer.c."""
    # The first of the path is the nearest to the program: validation sees what
    # reaches the driver.
    environment = {
        "VK_LAYER_PATH": ":".join([folder, *LAYERS]),
        "VK_INSTANCE_LAYERS": "VK_LAYER_SINEWAVE_window",
    }
    environment.update({f"WINDOW_LAYER_{name}": str(value) for name, value in settings.items()})
    return environment


def run(*tests):
    for test in tests:
        start = time.monotonic()
        test()
        print(f"ok: {test.__name__}, {time.monotonic() - start:.1f} s", flush=True)
