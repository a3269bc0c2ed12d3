"""Pictures of a headless run: equal to the byte where they must be, different
where they must be, and not blank.

Usage: python3 pictures.py SINEWAVE
"""

import itertools

from support import check, headless, main, picture, same

SIZE = (240, 150)


def draw(name, *options):
    headless("--size", "x".join(map(str, SIZE)), *options, "--screenshot", name)
    return name


def test_semaphore_types_and_batches():
    """Neither the semaphores nor the batch show in a picture."""
    for frames in (1, 3, 20):
        names = [
            draw(f"{semaphore}-{batch}.png", "--frames", frames, "--semaphore", semaphore, "--batch", batch)
            for semaphore, batch in itertools.product(("timeline", "binary"), (1, 3, 8))
        ]
        same(*names)


def test_the_preset_batch():
    same(
        draw("preset.png", "--frames", 11),
        draw("one.png", "--frames", 11, "--batch", 1),
        draw("binary.png", "--frames", 11, "--semaphore", "binary"),
    )


def test_runs_are_repeatable():
    same(*(draw(f"{i}.png", "--frames", 2) for i in range(3)))


def test_what_is_in_a_picture():
    """A lit surface in the middle on a plain ground."""
    width, height, pixels = picture(draw("a.png", "--frames", 1, "--start-time", 1))
    check((width, height) == SIZE, width, height)
    colors = {pixels[i : i + 3] for i in range(0, len(pixels), 3)}
    check(len(colors) > 500, f"only {len(colors)} colours")
    covered = 0
    for y in range(height):
        row = [pixels[3 * (y * width + x) : 3 * (y * width + x) + 3] for x in range(width)]
        ground = row[0]
        check(row[-1] == ground, f"row {y}: the ground differs left and right")
        covered += sum(1 for pixel in row if pixel != ground)
    share = covered / (width * height)
    check(0.15 < share < 0.8, f"{share:.0%} of the picture is covered")


def different(first, second):
    """Share of pixels that differ."""
    a, b = picture(first)[2], picture(second)[2]
    return sum(a[i : i + 3] != b[i : i + 3] for i in range(0, len(a), 3)) * 3 / len(a)


def test_frames_differ():
    draw("0.png", "--frames", 1)
    draw("1.png", "--frames", 2)
    check(different("0.png", "1.png") > 0.02, "frame 0 and 1 look alike")


def test_a_frame_is_where_it_belongs():
    """Frame 1 of a run is frame 0 of one that starts a step later."""
    same(
        draw("run.png", "--frames", 2, "--start-time", 3, "--time-step", 0.25),
        draw("later.png", "--frames", 1, "--start-time", 3.25),
    )


def test_styles():
    styles = ["surface", "wireframe", "points"]
    for style in styles:
        for semaphore in ("timeline", "binary"):
            draw(f"{style}-{semaphore}.png", "--style", style, "--frames", 2, "--semaphore", semaphore,
                 "--grid", "32x32")
        same(f"{style}-timeline.png", f"{style}-binary.png")
    for a, b in itertools.combinations(styles, 2):
        check(different(f"{a}-timeline.png", f"{b}-timeline.png") > 0.02, f"{a} looks like {b}")
    same(draw("preset.png", "--frames", 2, "--grid", "32x32"), "surface-timeline.png")


def test_odd_grids_and_sizes():
    """Each is drawn; a grid without an area by itself is no error."""
    for grid in ("1x1", "1x7", "7x1", "2x2", "3x1000"):
        for style in ("surface", "wireframe", "points"):
            draw("odd.png", "--grid", grid, "--style", style)
    for size in ("1x1", "1x64", "333x7"):
        headless("--size", size, "--screenshot", "odd.png")
        width, height, _ = picture("odd.png")
        check(f"{width}x{height}" == size, f"{width}x{height} instead of {size}")


if __name__ == "__main__":
    main(globals())
