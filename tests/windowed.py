"""A window, under an X server of its own.

Usage: python3 windowed.py SINEWAVE
"""

from support import check, headless, main, one_sample, run, same, x_server

DISPLAY = {}
SMALL = ["--size", "240x150", "--grid", "64x64", "--compute", "vulkan"]


def test_120_frames():
    for semaphore in ("timeline", "binary"):
        told = run(*SMALL, "--frames", 120, "--semaphore", semaphore, "--verbose", env=DISPLAY)
        check(told.lines("target: window, 240x150"), told)
        check(told.lines(f"semaphore: {semaphore}, "), told)


def test_the_preset_size():
    told = run("--frames", 3, "--verbose", "--compute", "vulkan", env=DISPLAY)
    check(told.lines("target: window, 1280x800"), told)


def test_screenshot_equals_headless():
    for semaphore in ("timeline", "binary"):
        common = [*SMALL, *one_sample(), "--frames", 20, "--time-step", 0.0625, "--semaphore", semaphore]
        run(*common, "--screenshot", "window.png", env=DISPLAY)
        headless(*common, "--screenshot", "headless.png")
        same("headless.png", "window.png")


def test_heights_equal_headless():
    common = [*SMALL, "--frames", 7, "--time-step", 0.0625]
    run(*common, "--heights", "window.npy", env=DISPLAY)
    headless(*common, "--heights", "headless.npy")
    same("headless.npy", "window.npy")


def test_styles():
    for style in ("wireframe", "points"):
        common = [*SMALL, *one_sample(), "--frames", 3, "--time-step", 0.0625, "--style", style]
        run(*common, "--screenshot", "window.png", env=DISPLAY)
        headless(*common, "--screenshot", "headless.png")
        same("headless.png", "window.png")


if __name__ == "__main__":
    with x_server() as DISPLAY:
        main(globals())
