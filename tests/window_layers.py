"""What no X server under test does, by a layer of the tests' own: a surface of
extent 0, swapchains out of date at every turn, a lost surface, a device that
cannot present, with and without a crash, one that has no multisampling.

Usage: python3 window_layers.py SINEWAVE LAYER-FOLDER
"""

import functools
import os
import subprocess

import display as shared
from display import SCENE, Display, Program, arguments, run, sanitized, wait_for

SINEWAVE, FOLDER = arguments()
layer = functools.partial(shared.layer, FOLDER)
STEPPED = ["--time-step", "0.05"]


COMPUTE = ["--renderer", "compute"]


def expected(display, frames, options):
    name = os.path.join(display.folder, "expected.png")
    renderer = COMPUTE if options[:2] == tuple(COMPUTE) else ["--samples", "4"]
    subprocess.run(
        [SINEWAVE, *SCENE, *STEPPED, *renderer, "--headless", "--frames", str(frames)]
        + ["--screenshot", name],
        check=True,
        capture_output=True,
    )
    return name


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


def same_picture(environment, frames, *more):
    with Display() as display:
        reference = expected(display, frames, more)
        for semaphore in ("timeline", "binary"):
            program = Program(
                display,
                SINEWAVE,
                *STEPPED,
                *["--frames", str(frames), "--screenshot", "shown.png"],
                *["--semaphore", semaphore, *more],
                environment=environment,
            )
            program.end()
            assert bytes_of(os.path.join(display.folder, "shown.png")) == bytes_of(reference)


def untouched():
    same_picture({}, 30)
    same_picture(layer(), 30, "--present-mode", "mailbox")


def present_mode():
    """What the window does not offer is told in a line, and is fifo."""
    with Display() as display:
        said = Program(display, SINEWAVE, "--frames", "3", "--present-mode", "mailbox").end()
        assert said.count("fifo") <= 1, said


def minimised():
    same_picture(layer(MINIMISE=20), 50)
    same_picture(layer(MINIMISE=20, USAGE=8), 50, *COMPUTE)


def closed_while_minimised():
    with Display() as display:
        program = Program(display, SINEWAVE, environment=layer(MINIMISE=1)).find()
        program.key("t", "w", "space", "space")

        def saved():
            program.key("p")  # nothing to save yet before the first frame
            return "saved sinewave-" in program.said()

        wait_for("a screenshot", saved)
        program.close()


def stale():
    same_picture(layer(STALE=3), 60)
    same_picture(layer(STALE=2), 60, "--test-toggle-every", "7")
    same_picture(layer(STALE=5), 60, "--test-toggle-every", "1", "--batch", "3")
    same_picture(layer(STALE=3), 60, *COMPUTE)
    same_picture(layer(STALE=2, USAGE=8), 60, *COMPUTE, "--test-toggle-every", "7")


def lost_surface():
    with Display() as display:
        said = Program(display, SINEWAVE, environment=layer(LOST=5)).end(4)
        assert "VK_ERROR_SURFACE_LOST_KHR" in said and said.count("sinewave: error: ") == 1, said


def passed_over(why, code=3, **settings):
    with Display() as display:
        program = Program(display, SINEWAVE, "--frames", "3", environment=layer(**settings))
        said = program.end(code)
        assert why in said and "--headless" in said, said
        assert said.count("sinewave: error: ") == 1, said


def cannot_present():
    passed_over("cannot present to this display", REFUSE=1)
    # A driver that needs its own part of the X server is tried out apart.
    # (A sanitizer turns the crash into an exit code.)
    crash = "cannot present" if sanitized(SINEWAVE) else "driver crashes on this display"
    passed_over(crash, NVIDIA=1, CRASH=1)
    passed_over("cannot present to this display", NVIDIA=1, REFUSE=1)
    same_picture(layer(NVIDIA=1), 5)


def no_multisampling():
    environment = layer(SAMPLES=1)
    with Display() as display:
        program = Program(
            display,
            SINEWAVE,
            *[*STEPPED, "--frames", "3", "--verbose"],
            environment=environment,
        )
        assert "1 sample," in program.end(), program.said()
        program = Program(display, SINEWAVE, "--samples", "4", environment=environment)
        assert "--samples 4" in program.end(3), program.said()
        program = Program(display, SINEWAVE, "--frames", "3", "--verbose")
        assert "4 samples," in program.end(), program.said()


run(
    untouched,
    present_mode,
    minimised,
    closed_while_minimised,
    stale,
    lost_surface,
    cannot_present,
    no_multisampling,
)
