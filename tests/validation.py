"""The validation layer, with synchronization checks, has nothing to say; and is
heard where it has. Headless, and in a window where there is an X server.

Usage: python3 validation.py SINEWAVE FAULT_LAYER headless|window
"""

import sys

import support
from support import check, fault_layer, headless, main, run, validation_or_skip, x_server

LAYER = fault_layer(sys.argv[2])
DISPLAY = {}
# --validation and --quiet: what is printed then is a message.
OPTIONS = ["--validation", "--quiet", "--compute", "vulkan"]


def clean(*options, env=None):
    if DISPLAY:
        told = run(*OPTIONS, "--size", "96x64", *options, env={**DISPLAY, **(env or {})})
    else:
        told = headless(*OPTIONS, *options, env=env)
    check(not told.err, "not silent:", told)


def test_layer():
    validation_or_skip()


def test_semaphore_types_and_batches():
    for semaphore in ("timeline", "binary"):
        for batch in (1, 3):
            clean("--semaphore", semaphore, "--batch", batch, "--frames", 14)


def test_large_rings():
    for semaphore in ("timeline", "binary"):
        clean("--semaphore", semaphore, "--batch", 2, "--frames", 30, "--test-ring-slots", 12,
              "--test-toggle-every", 7)


def test_styles_and_files():
    for style in ("surface", "wireframe", "points"):
        clean(
            "--style", style, "--frames", 4, "--grid", "33x17",
            "--screenshot", "a.png", "--heights", "a.npy",
        )


def test_odd_grids():
    for grid in ("1x1", "1x7", "257x3"):
        clean("--grid", grid, "--frames", 2)
        clean("--grid", grid, "--frames", 2, "--renderer", "compute")


def test_compute_renderer():
    """Into the window's images and, where they have no such format, by copy."""
    for hidden in {}, {**LAYER, "FAULT_FORMATS": "44"}:
        for semaphore, heightmap in ("timeline", "image"), ("binary", "buffer"):
            for style in ("surface", "wireframe", "points"):
                clean(
                    "--renderer", "compute", "--semaphore", semaphore, "--heightmap", heightmap,
                    "--style", style, "--frames", 12, "--batch", 2, "--grid", "33x17",
                    "--screenshot", "a.png", "--heights", "a.npy", env=hidden,
                )


def test_auto_renderer():
    for style in ("surface", "wireframe", "points"):
        clean("--renderer", "auto", "--style", style, "--frames", 2, "--grid", "33x17")


def test_an_error_is_heard():
    for semaphore in ("timeline", "binary"):
        options = ["--test-validation-error", "--semaphore", semaphore, "--frames", 2, "--size", "96x64"]
        told = run(
            *OPTIONS, *options, *([] if DISPLAY else ["--headless"]), code=1, env=DISPLAY
        )
        check(told.lines("^sinewave: validation (error|warning): .*VkFenceCreateInfo"), told)
        check(told.lines(r"^sinewave: error: --validation: \d+ message"), told)


def test_without_the_option_it_is_not():
    """The invalid call does no harm; only the layer would have told."""
    options = ["--test-validation-error", "--frames", 2, "--size", "96x64", "--compute", "vulkan"]
    run(*options, *([] if DISPLAY else ["--headless"]), env=DISPLAY)


if __name__ == "__main__":
    support.PROGRAM = sys.argv[1]
    if sys.argv[3] == "window":
        with x_server() as DISPLAY:
            main(globals())
    else:
        main(globals())
