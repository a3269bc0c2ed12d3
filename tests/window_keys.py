"""Keys, pointer and wheel in a window: what is seen on the X display is what the
screenshots show, to the bit, and changes as it should.

Usage: python3 window_keys.py SINEWAVE LAYER-FOLDER
"""

import json
import os
import time

from display import SIZE, Display, Program, arguments, run, wait_for

SINEWAVE, _ = arguments()
STEPPED = ["--time-step", "0.05"]


def paused(display, *more):
    program = Program(display, SINEWAVE, *STEPPED, *more).find()
    program.xdotool("mousemove", "160", "100")
    program.key("space")
    return program


def pictures():
    with Display() as display:
        program = paused(display)
        first = program.still()
        assert len(set(bytes(first[len(first) // 2]))) > 20, "a blank picture"
        shot = program.screenshot()
        program.same(first, shot)

        program.key("period")
        second = program.still()
        assert second != first, "a step changes nothing"
        again = program.screenshot()
        program.same(second, again)

        for name, gesture in {
            "drag": ["mousedown", "1", "mousemove", "210", "90", "mouseup", "1"],
            "wheel": ["click", "4"],
        }.items():
            program.xdotool(*gesture)
            moved = program.still()
            assert moved != second, f"{name} changes nothing"
            program.same(moved, program.screenshot())
            program.key("r")
            assert program.still() == second, f"R does not undo the {name}"
        program.xdotool("mousemove", "160", "100")
        assert program.still() == second, "the pointer turns the view without a button"

        styles = [second]
        for _ in range(2):
            program.key("w")
            styles.append(program.still())
            program.same(styles[-1], program.screenshot())
        assert len({b"".join(rows) for rows in styles}) == 3, "two styles look alike"
        program.key("w")
        assert program.still() == second, "the third W does not bring the surface back"

        program.key("t")
        assert program.still() == second, "T changes the picture"
        wait_for("binary in the title", lambda: "binary" in program.title())
        program.key("t")
        wait_for("timeline in the title", lambda: "timeline" in program.title())
        assert program.still() == second, "T changes the picture"

        # Those of one second have names of their own, and none is written over.
        taken = {name: read(display, name) for name in program.screenshots()}
        for _ in range(4):
            program.screenshot()
        assert len(program.screenshots()) == len(taken) + 4
        assert all(read(display, name) == data for name, data in taken.items())
        program.close()


def read(display, name):
    with open(os.path.join(display.folder, name), "rb") as file:
        return file.read()


def screenshot_at_the_end():
    with Display() as display:
        program = paused(display, "--screenshot", "end.png", "--semaphore", "binary")
        program.xdotool("click", "5")
        seen = program.still()
        program.key("t")
        program.still()
        program.close()
        program.same(seen, os.path.join(display.folder, "end.png"))


def full_screen():
    for manager in (False, True):
        with Display(manager) as display:
            program = paused(display)
            program.still()
            place = program.place()
            assert place[2:] == SIZE, place
            program.key("f")
            wait_for("full screen", lambda: program.place() == (0, 0, 800, 600))
            program.same(program.still(), program.screenshot())
            program.key("f")
            wait_for("the old size", lambda: program.place()[2:] == SIZE)
            wait_for("the old place", lambda: program.place() == place)
            program.same(program.still(), program.screenshot())
            program.close()


def title_and_time():
    """By the wall clock; on, paused, on again."""
    with Display() as display:
        program = Program(display, SINEWAVE).find()
        wait_for("the rate in the title", lambda: " fps - vulkan stepper" in program.title())
        assert "llvmpipe" in program.title(), program.title()
        assert "timeline" in program.title(), program.title()
        first = program.seen()
        wait_for("a new frame", lambda: program.seen() != first)
        program.key("space")
        wait_for("the pause in the title", lambda: "paused" in program.title())
        held = program.still()
        time.sleep(0.7)
        assert program.still() == held, "time goes on while it is held"
        program.key("space")
        wait_for("a new frame", lambda: program.seen() != held)
        wait_for("the rate in the title", lambda: " fps" in program.title())
        program.close()


def a_pause_is_no_frame():
    """The longest frame of the statistics is shorter than the time in which none
    was drawn; nor does the device's rest count."""
    pause = 6.0
    with Display() as display:
        program = Program(display, SINEWAVE, "--stats", "stats.json", "--test-checksums",
                          validation=False).find()

        def draw_on():
            drawn = program.said().count(" heights ") + 40
            wait_for("frames", lambda: program.said().count(" heights ") >= drawn)

        wait_for("the rate in the title", lambda: " fps" in program.title())
        draw_on()
        for _ in range(2):
            program.key("space")
            wait_for("the pause in the title", lambda: "paused" in program.title())
            time.sleep(pause)
            program.key("space")
            wait_for("the rate in the title", lambda: " fps" in program.title())
        draw_on()
        program.close()
        stats = json.loads(read(display, "stats.json"))
    assert stats["options"]["present_mode"] in ("fifo", "mailbox", "immediate"), stats
    assert stats["options"]["time_step"] is None, stats
    for stage in ("frame", "host", "pacing", "handoff_wait"):
        times = stats["microseconds"][stage]
        assert times["count"] > 0 and times["max"] < 0.8 * pause * 1e6, (stage, times)
    measured = stats["frames"] - stats["warmup_frames"]
    assert measured - 10 < stats["microseconds"]["frame"]["count"] <= measured - 2, stats


def toggle_often():
    with Display() as display:
        program = Program(display, SINEWAVE, *STEPPED, "--verbose").find()
        for count in range(11, 102, 10):  # the window takes 64 keys at a time
            program.key(*["t"] * 10)
            wait_for("switches", lambda count=count: program.said().count("semaphore: ") >= count)
        before = program.seen()
        wait_for("frames after it", lambda: program.seen() != before)
        said = program.close()
        assert said.count("semaphore: ") == 101, said


run(pictures, screenshot_at_the_end, full_screen, title_and_time, a_pause_is_no_frame, toggle_often)
