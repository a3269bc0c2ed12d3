"""Resizing, minimising and closing a window while frames are under way.

Usage: python3 window_resize.py SINEWAVE LAYER-FOLDER
"""

import os
import random
import re
import signal
import subprocess
import sys
import time

import support
from display import Display, Program, arguments, layer, run, sanitized, wait_for

SINEWAVE, FOLDER = arguments()
STEPPED = ["--time-step", "0.05"]
SANITIZED = sanitized(SINEWAVE)


def sizes(count, seed):
    """xdotool's arguments for `count` resizes of the window %1."""
    chance = random.Random(seed)
    words = []
    for _ in range(count):
        width, height = chance.randint(1, 500), chance.randint(1, 400)
        words += ["windowsize", "%1", str(width), str(height), "sleep"]
        words += ["%.3f" % chance.choice([0, 0.002, 0.01, 0.03])]
    return words


def ways():
    """Options and environment of the ways to draw into a window, and the format of its
    images. An image of the compute renderer's is copied where a surface takes no storage
    images; without B8G8R8A8_UNORM (44) its red and blue change places too."""
    compute = ["--renderer", "compute"]
    other_order = {**support.fault_layer(f"{FOLDER}/fault/libfault_layer.so"), "FAULT_FORMATS": "44"}
    yield ["--semaphore", "timeline"], {}, "B8G8R8A8_SRGB"
    yield ["--semaphore", "binary"], {}, "B8G8R8A8_SRGB"
    yield [*compute, "--semaphore", "timeline"], {}, "B8G8R8A8_UNORM"
    yield [*compute, "--semaphore", "binary"], layer(FOLDER, USAGE=8), "B8G8R8A8_SRGB"
    yield [*compute, "--semaphore", "timeline"], other_order, "B8G8R8A8_SRGB"


def random_resizes():
    for options, environment, image_format in ways():
        with Display() as display:
            program = Program(
                display, SINEWAVE, *STEPPED, *options, "--verbose", environment=environment
            ).find()
            program.xdotool("search", "--name", "sinewave", *sizes(100, str(options)))
            program.xdotool("windowsize", program.window, "400", "300")
            wait_for("the last size", lambda: program.place()[2:] == (400, 300))
            program.xdotool("mousemove", "10", "10")
            program.key("space")
            for _ in range(3):  # the styles
                rows = program.still()
                assert len(set(bytes(rows[len(rows) // 2]))) > 20, "a blank picture"
                program.same(rows, program.screenshot())
                program.key("w")
            said = program.close()
            assert re.search(f"target: window, .*, format {image_format},", said), said


def no_garbage():
    """While no new frame comes, uncovered parts show the background."""
    with Display() as display:
        program = Program(display, SINEWAVE, *STEPPED).find()
        program.key("space")
        before = program.still()
        assert len(set(before[0][i : i + 3] for i in range(0, 900, 3))) == 1, "a plain corner"
        background = before[0][:3]
        program.process.send_signal(signal.SIGSTOP)
        program.xdotool("windowsize", program.window, "600", "500")
        wait_for("the size", lambda: program.place()[2:] == (600, 500))
        rows = program.seen()
        program.process.send_signal(signal.SIGCONT)
        assert [row[: len(before[0])] for row in rows[: len(before)]] == before, "what was there"
        for row in rows[len(before) :] + [row[len(before[0]) :] for row in rows[: len(before)]]:
            assert row == background * (len(row) // 3), "uncovered parts show something else"
        wait_for("a picture of the new size", lambda: program.seen() != rows)
        program.same(program.still(), program.screenshot())
        program.close()


def close_while_resizing():
    """Fifty times, fewer where a start takes long: by Esc, and as by the close
    button where there is a manager. Validation looks on at some."""
    chance = random.Random(3)
    with Display() as bare, Display(manager=True) as managed:
        for i in range(10 if SANITIZED else 50):
            display = managed if i % 2 else bare
            check = i % 6 < 2
            program = Program(display, SINEWAVE, *STEPPED, validation=check).find()
            program.xdotool("mousemove", "0", "0")  # a bare display's keys go there
            resizing = program.start_xdotool("search", "--name", "sinewave", *sizes(40, i))
            time.sleep(chance.uniform(0, 0.2))
            if display is managed:
                display.tool("wmctrl", "-i", "-c", hex(int(program.window)))
            else:
                program.key("Escape")
            program.end()
            resizing.kill()
            resizing.wait()


def ticks(process):
    """Processor time used, in seconds."""
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def share(process):
    """Its processor time beside that of a busy loop, which gets what a loaded
    machine has left."""
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy:
        start = ticks(busy), ticks(process)
        time.sleep(1.0)
        used = ticks(busy) - start[0], ticks(process) - start[1]
        busy.kill()
    return used[1] / max(used[0], 0.01)


def iconify():
    with Display(manager=True) as display:
        program = Program(display, SINEWAVE, *STEPPED).find()
        state = lambda: display.tool("xprop", "-id", program.window, "WM_STATE")
        program.xdotool("windowminimize", program.window)
        wait_for("the iconified state", lambda: "Iconic" in state())
        wait_for("rest while minimised", lambda: share(program.process) < 0.3)
        program.xdotool("windowmap", program.window)
        wait_for("the normal state", lambda: "Normal" in state())
        first = program.seen()
        wait_for("a new frame", lambda: program.seen() != first)
        program.xdotool("windowfocus", "--sync", program.window)
        program.key("space")
        program.same(program.still(), program.screenshot())
        # While minimised it can be closed all the same.
        program.xdotool("windowminimize", program.window)
        wait_for("the iconified state", lambda: "Iconic" in state())
        program.process.send_signal(signal.SIGTERM)
        program.end(143)


run(random_resizes, no_garbage, iconify, close_while_resizing)
