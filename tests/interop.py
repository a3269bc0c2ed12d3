"""Every way to share a height map, stepped by Vulkan: the same pictures, heights
and checksums, silent validation. And what happens when a signal does not come.

The matrix with CUDA is in gpu.sh.

Usage: python3 interop.py SINEWAVE
"""

import itertools
import json
import os
import pathlib

import support
from support import check, headless, main, same

FRAMES = 13
MATRIX = list(
    itertools.product(("timeline", "binary"), ("dedicated", "suballocated"), ("buffer", "image"), (1, 3, 8))
)


def has_validation():
    try:
        support.validation_or_skip()
    except SystemExit:
        return False
    return True


def checksums(result):
    """The lines of --test-checksums, which must be one for each frame."""
    lines = result.lines("^sinewave: frame ")
    check(len(lines) == len(result.err.splitlines()), "other messages:", result)
    return lines


def share(semaphore, memory, heightmap, batch, *options):
    return headless(
        "--semaphore", semaphore, "--memory", memory, "--heightmap", heightmap, "--batch", batch,
        "--frames", FRAMES, "--test-checksums", *options,
    )


def test_matrix():
    """Grids whose rows, and whose size, are no multiple of any alignment."""
    validation = ["--validation"] if has_validation() else []
    if not validation:
        print("no validation layer: the matrix runs without it")
    for grid in ("67x35", "1x9"):
        serial = None
        files = []
        for semaphore, memory, heightmap, batch in MATRIX:
            name = f"{grid}-{semaphore}-{memory}-{heightmap}-{batch}"
            files.append(name)
            lines = checksums(share(
                semaphore, memory, heightmap, batch, "--grid", grid, "--screenshot", name + ".png",
                "--heights", name + ".npy", *validation,
            ))
            check([line.split()[2] for line in lines] == [str(i) for i in range(FRAMES)], lines)
            check(len(set(lines)) == FRAMES and len({line.split()[4] for line in lines}) == FRAMES, lines)
            serial = serial or lines
            check(lines == serial, name, lines, serial)
        same(*(name + ".png" for name in files))
        same(*(name + ".npy" for name in files))


def test_styles_of_an_image():
    for renderer, style in itertools.product(("raster", "compute"), ("surface", "wireframe", "points")):
        names = [f"{renderer}-{style}-{heightmap}.png" for heightmap in ("buffer", "image")]
        for name, heightmap in zip(names, ("buffer", "image")):
            headless(
                "--style", style, "--heightmap", heightmap, "--screenshot", name, "--frames", 2,
                "--renderer", renderer,
            )
        same(*names)


def test_what_was_made():
    for memory, heightmap in itertools.product(("dedicated", "suballocated"), ("buffer", "image")):
        told = headless("--memory", memory, "--heightmap", heightmap, "--verbose")
        check(told.lines(f"^sinewave: memory: .*, {memory} {heightmap}s, "), told)


def test_an_image_too_wide():
    told = headless("--heightmap", "image", "--grid", "65536x1", code=3)
    check(told.lines("--grid 65536x1: an image of this device has at most .*; "), told)


def test_checksums_of_a_part():
    """Frames have their absolute index, and the delay does not change them."""
    whole = checksums(headless("--frames", 9, "--grid", "33x17", "--test-checksums"))
    part = checksums(headless(
        "--frames", 4, "--first-frame", 5, "--grid", "33x17", "--test-checksums",
        "--batch", 1, "--test-submit-delay", 30,
    ))
    check(part == whole[5:], part, whole)


def test_every_picture():
    """Of each frame, not of the last one alone."""
    ways = {f"{way[0]}-{way[1]}": way for way in itertools.product(("timeline", "binary"), ("buffer", "image"))}
    for renderer in ("raster", "compute"):
        common = ("--frames", 24, "--grid", "67x35", "--quiet", "--renderer", renderer)
        os.makedirs(f"{renderer}/serial")
        headless(*common, "--output", f"{renderer}/serial/%02d.png")
        for name, (semaphore, heightmap) in ways.items():
            os.makedirs(f"{renderer}/{name}")
            headless(
                *common, "--semaphore", semaphore, "--heightmap", heightmap, "--batch", 2,
                "--test-ring-slots", 8, "--test-submit-delay", 5, "--output", f"{renderer}/{name}/%02d.png",
            )
        pictures = [f"{frame:02}.png" for frame in range(24)]
        for picture in pictures:
            same(f"{renderer}/serial/{picture}", *(f"{renderer}/{name}/{picture}" for name in ways))
        check(len({pathlib.Path(renderer, "serial", picture).read_bytes() for picture in pictures}) == 24)


def test_a_switch_of_type():
    """Timelines only grow and binary signals are waited for once, across
    switches: the program's own account and the validation layer would tell."""
    one = checksums(headless("--frames", 20, "--batch", 3, "--test-checksums"))
    two = checksums(headless(
        "--frames", 20, "--batch", 3, "--test-checksums", "--test-toggle-every", 4, "--heightmap", "image",
    ))
    check(one == two, one, two)


def test_large_rings():
    """By halves of several batches, whatever the run's length, with switches of
    type amid a half."""
    for frames, batch in ((1, 1), (7, 1), (40, 1), (33, 2), (50, 3), (40, 8)):
        common = ("--frames", frames, "--batch", batch, "--grid", "33x17", "--test-checksums")
        plain = checksums(headless(*common))
        for slots, semaphore in itertools.product((8, 32), ("timeline", "binary")):
            for more in ((), ("--test-toggle-every", 5)):
                told = headless(*common, "--test-ring-slots", slots, "--semaphore", semaphore, *more)
                check(checksums(told) == plain, plain, told)


def test_a_dropped_signal_of_a_large_ring():
    told = headless("--frames", 60, "--batch", 2, "--test-ring-slots", 16, "--test-drop-signal", 11, code=4)
    check(told.lines(
        r'^sinewave: error: time-out in frame 20: semaphore "ready 0" \(timeline, value 11\) did not arrive'
    ), told)


def test_a_dropped_signal():
    """Whatever else is queued behind it, the semaphore is named."""
    for drop, batch in ((1, 1), (3, 2)):
        told = headless("--frames", 10, "--batch", batch, "--test-drop-signal", drop, code=4)
        check(told.lines(
            rf'^sinewave: error: time-out in frame {(drop - 1) * batch}: semaphore "ready 0" '
            rf"\(timeline, value {drop}\) did not arrive"
        ), told)


def test_drawing_alone_waits_for_nothing():
    for alone, waits in (((), True), (("--test-draw-alone",), False)):
        told = headless("--frames", 40, "--batch", 1, "--grid", "16x16", *alone, "--stats", "-", out=True)
        stages = json.loads(told.out)["microseconds"]
        check(stages["draw"]["count"] == 30, told)
        check((stages["handoff_wait"]["count"] > 0) == waits, told)


def test_a_dropped_binary_signal_is_refused():
    told = headless("--semaphore", "binary", "--test-drop-signal", 2, code=3)
    check(told.lines("--test-drop-signal: .*; use --semaphore timeline or --compute cuda"), told)


def test_a_kernel_delay_is_refused():
    told = headless("--test-kernel-delay", 5, code=3)
    check(told.lines("--test-kernel-delay: .*; use --compute cuda"), told)


if __name__ == "__main__":
    main(globals())
