"""Which renderer draws, and on which queue: what --renderer auto says and takes,
devices without a queue for graphics; wireframes of either.

Usage: python3 renderer_choice.py SINEWAVE FAULT_LAYER headless|window
"""

import functools
import re
import sys

import support
from support import check, fault_layer, main, run, same, x_server

# With it comes the software driver, where there is one.
LAYER = fault_layer(sys.argv[2])
NO_GRAPHICS = {**LAYER, "FAULT_QUEUES": "1"}
NO_ATOMICS = {**LAYER, "FAULT_FEATURES": "shaderBufferInt64Atomics"}
MEASURED = re.compile(r"drawing with (the rasterizer|compute shaders): "
                      r"the rasterizer takes (\d+) us a frame, compute shaders (\d+)$")


headless = functools.partial(support.headless, env=LAYER)


def taken(told):
    """The renderer that draws, in the words of --verbose."""
    lines = told.lines("^sinewave: renderer: ")
    check(len(lines) == 1, told)
    return lines[0].split(": ")[-1]


def notes(told):
    return [line[len("sinewave: "):] for line in told.lines("^sinewave: drawing with ")]


def measured(told):
    """Checks the note of an auto that measured, and returns what was taken."""
    found = [MEASURED.match(note) for note in notes(told)]
    check(len(found) == 1 and found[0], "not one line with two times:", told)
    name, raster_us, compute_us = found[0][1], int(found[0][2]), int(found[0][3])
    check(raster_us > 0 and compute_us > 0, told)
    check(compute_us <= raster_us if name == "compute shaders" else raster_us <= compute_us, told)
    check(taken(told) == ("compute" if name == "compute shaders" else "raster"), told)
    return taken(told)


def test_auto_tells_both_times():
    for style, heightmap in ("surface", "buffer"), ("points", "image"):
        scene = ["--grid", "33x17", "--frames", 3, "--style", style, "--heightmap", heightmap]
        told = headless(*scene, "--renderer", "auto", "--verbose", "--screenshot", "auto.png")
        headless(*scene, "--renderer", measured(told), "--screenshot", "named.png")
        same("named.png", "auto.png")


def test_what_is_named_is_not_measured():
    for renderer in "raster", "compute":
        told = headless("--renderer", renderer, "--verbose")
        check(not notes(told) and taken(told) == renderer, told)
    check(taken(headless("--verbose")) == "raster", "not the preset")


def test_auto_without_atomics():
    told = headless("--renderer", "auto", "--verbose", "--screenshot", "auto.png", env=NO_ATOMICS)
    check(notes(told) == ["drawing with the rasterizer: the device lacks 64-bit atomics "
                          "(shaderBufferInt64Atomics)"], told)
    check(taken(told) == "raster", told)
    headless("--screenshot", "raster.png")
    same("raster.png", "auto.png")


def test_auto_with_four_samples():
    four = ["--samples", 4, "--grid", "33x17"]
    told = headless(*four, "--renderer", "auto", "--verbose", "--screenshot", "auto.png")
    check(notes(told) == ["drawing with the rasterizer: a compute shader takes no 4 samples"], told)
    check(taken(told) == "raster" and told.lines("target: .*, 4 samples"), told)
    headless(*four, "--screenshot", "raster.png")
    same("raster.png", "auto.png")


def test_wireframes_are_the_same():
    """Of either renderer; of a row or a column too, whose surface has no area."""
    for grid in "9x9", "1x7", "7x1":
        scene = ["--size", "320x200", "--grid", grid]
        lines = [*scene, "--style", "wireframe"]
        headless(*lines, "--renderer", "compute", "--screenshot", "lines.png")
        headless(*lines, "--max-diff-ratio", 0.001, "--compare", "lines.png")
        headless(*scene, "--max-diff-ratio", 0, "--compare", "lines.png", code=1)  # not blank


def test_auto_with_a_large_picture():
    """One row more than the software driver binds pixels of 8 bytes."""
    large = ["--size", "4096x4097", "--grid", "2x2"]
    refused = headless(*large, "--renderer", "compute", code=3)
    found = re.search(r"error: --renderer compute: (a picture of 4096x4097 pixels needs a buffer of "
                      r"134250496 bytes and this device binds at most \d+); take a smaller", refused.err)
    check(found, refused)
    told = headless(*large, "--renderer", "auto", "--verbose")
    check(notes(told) == [f"drawing with the rasterizer: {found[1]}"] and taken(told) == "raster", told)


def test_the_other_order_of_red_and_blue():
    """Without B8G8R8A8_UNORM (44) images are R8G8B8A8_UNORM."""
    for name, env in ("before", LAYER), ("now", {**LAYER, "FAULT_FORMATS": "44"}):
        told = headless("--renderer", "compute", "--verbose", "--screenshot", f"{name}.png", env=env)
        check(told.lines(f"format {'B8G8R8A8' if name == 'before' else 'R8G8B8A8'}_UNORM,"), told)
    same("before.png", "now.png")


def test_no_queue_for_graphics():
    """Compute shaders alone draw there."""
    scene = ["--frames", 10, "--batch", 4]
    headless(*scene, "--renderer", "compute", "--screenshot", "before.png")
    headless(*scene, "--renderer", "compute", "--screenshot", "compute.png", env=NO_GRAPHICS)
    told = headless(*scene, "--renderer", "auto", "--verbose", "--screenshot", "auto.png", env=NO_GRAPHICS)
    same("before.png", "compute.png", "auto.png")
    check(notes(told) == ["drawing with compute shaders: the device has no queue for graphics"], told)
    check(taken(told) == "compute", told)
    for options in [], ["--renderer", "auto", "--samples", 4], ["--device", "0"]:
        told = headless(*options, code=3, env=NO_GRAPHICS)
        check("it has no queue for graphics (use --headless --renderer compute)" in told.err, told)


def test_no_queue_for_graphics_no_atomics():
    lacks = {**NO_GRAPHICS, **NO_ATOMICS}
    for renderer in "raster", "compute", "auto":
        told = headless("--renderer", renderer, code=3, env=lacks)
        check("it has no queue for graphics, and the device lacks 64-bit atomics" in told.err, told)


def test_no_queue_for_graphics_listed():
    only = "   only:    --headless --renderer compute (no queue for graphics)\n"
    check(only not in run("--list-devices", out=True, env=LAYER).out, "of a device with graphics")
    told = run("--list-devices", out=True, env=NO_GRAPHICS)
    check(only in told.out and "unusable" not in told.out, told)
    told = run("--list-devices", out=True, env={**NO_GRAPHICS, **NO_ATOMICS})
    check(only not in told.out and "unusable: it has no queue for graphics" in told.out, told)


def test_a_family_of_compute_alone():
    """Taken where all work is compute; the layer makes it the second one."""
    env = {**LAYER, "FAULT_QUEUES": "2"}
    scene = ["--frames", 10, "--batch", 4, "--verbose"]
    headless(*scene, "--renderer", "compute", "--screenshot", "before.png")
    for renderer, family in ("compute", 1), ("raster", 0), ("auto", 0):
        told = headless(*scene, "--renderer", renderer, "--screenshot", f"{renderer}.png", env=env)
        check(told.lines(f"queue: family {family}$"), told)
    same("before.png", "compute.png")


def window_choice():
    options = ["--size", "96x64", "--compute", "vulkan", "--frames", 3, "--time-step", 0.0625]
    for renderer in "raster", "compute", "auto":
        told = run(*options, "--renderer", renderer, code=3, env={**NO_GRAPHICS, **DISPLAY})
        check("it has no queue for graphics (use --headless --renderer compute)" in told.err, told)
    for samples in [], ["--samples", 1]:
        told = run(*options, *samples, "--renderer", "auto", "--verbose", env={**LAYER, **DISPLAY})
        measured(told)
        more = taken(told) == "raster" and not samples
        check(told.lines("target: window, .*, 4 samples" if more else "target: window, .*, 1 sample,"), told)
    told = run(*options, "--samples", 4, "--renderer", "auto", "--verbose", env={**LAYER, **DISPLAY})
    check(taken(told) == "raster" and told.lines("target: .*, 4 samples"), told)
    # Only the first family can present.
    told = run(*options, "--renderer", "compute", "--verbose", env={**LAYER, "FAULT_QUEUES": "2", **DISPLAY})
    check(told.lines("queue: family 0$"), told)


if __name__ == "__main__":
    if sys.argv[3] == "window":
        with x_server() as DISPLAY:
            main({"test_window_choice": window_choice})
    main(globals())
