"""How a run in a window ends when it is not closed: signals, a display that goes
away, none at all.

Usage: python3 window_end.py SINEWAVE LAYER-FOLDER
"""

import os
import signal
import subprocess

from display import PATIENCE, SCENE, Display, Program, arguments, run, wait_for

SINEWAVE, _ = arguments()


def signals():
    with Display() as display:
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            for key in ((), ("space",)):
                program = Program(display, SINEWAVE, "--screenshot", "last.png").find()
                before = program.seen()
                wait_for("frames", lambda: program.seen() != before)
                if key:
                    program.key(*key)
                    before = program.still()
                program.process.send_signal(number)
                program.end(code)
                picture = os.path.join(display.folder, "last.png")
                if key:
                    program.same(before, picture)
                os.unlink(picture)


def lost_display():
    for pause in (False, True):
        for semaphore in ("timeline", "binary"):
            display = Display()
            with display:
                program = Program(display, SINEWAVE, "--semaphore", semaphore).find()
                first = program.seen()
                wait_for("frames", lambda: program.seen() != first)
                if pause:
                    program.key("space")
                    program.still()
                display.server.kill()
                said = program.end(4)
                errors = [line for line in said.splitlines() if "error" in line]
                assert len(errors) == 1, said
                assert errors[0].startswith("sinewave: error: "), said
                assert "the display" in errors[0], said


def no_display():
    environment = dict(os.environ)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        environment.pop(name, None)
    for more in ({}, {"DISPLAY": ":65000"}, {"DISPLAY": "nonsense"}):
        done = subprocess.run(
            [SINEWAVE, *SCENE, "--frames", "2"],
            env=dict(environment, **more),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 3, done
        assert done.stderr.startswith("sinewave: error: cannot open a window: "), done.stderr
        assert "--headless" in done.stderr, done.stderr
        assert done.stderr.count("\n") == 1, done.stderr


def shallow_display():
    """One of 8 bits a pixel, into which no device can draw: exit code 3 or a
    picture, no crash."""
    with Display(depth=8) as display:
        program = Program(display, SINEWAVE, "--frames", "2")
        said = program.end(3)
        assert said.count("sinewave: error: ") == 1, said


run(signals, lost_display, no_display, shallow_display)
