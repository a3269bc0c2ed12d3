"""How a run in a window ends when it is not closed: signals, a display that goes
away, none at all.

Usage: python3 window_end.py SINEWAVE LAYER-FOLDER
"""

import os
import signal
import subprocess
import time

from display import SCENE, Display, Program, arguments, run, wait_for

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
                program.end(code, patience=30)
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
                if pause:
                    program.key("space")
                    program.still()
                time.sleep(0.1)
                display.server.kill()
                said = program.end(4, patience=30)
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
            timeout=60,
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


def first_frame():
    """Within a second; on a machine with others at work, the best of three."""
    with Display() as display:
        best = 1e9
        for _ in range(3):
            start = time.monotonic()
            program = Program(display, SINEWAVE, "--frames", "1", validation=False)
            program.end()
            best = min(best, time.monotonic() - start)
        limit = 5.0 if "sanitize" in SINEWAVE else 1.0
        assert best < limit, f"{best:.2f} s to the first frame and out"
        print(f"first frame and out: {best:.2f} s")


run(signals, lost_display, no_display, shallow_display, first_frame)
