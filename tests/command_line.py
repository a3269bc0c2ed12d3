"""The command line as a user meets it: bad values of every option, help, what
goes to standard output and what does not.

Usage: python3 command_line.py SINEWAVE
"""

import os
import re
import subprocess

import support
from support import check, environment, headless, main, run

# Bad values for an option whose argument the help shows as this.
BAD = {
    "WIDTHxHEIGHT": ["x", "5", "5x", "x5", "0x5", "5x0", "-1x5", "99999999x99999999", "4294967297x5",
            "18446744073709551617x5", "5x5x5", "5X5", " 5x5", "5.0x5", "0x5x5"],
    "N": ["x", "-1", "1.5", "18446744073709551616", "99999999999999999999999", "0x10", "+1", " 1"],
    "K": ["x", "-1", "1.5", "18446744073709551616"],
    "MS": ["x", "-1", "1.5", "60001"],
    "S": ["x", "nan", "inf", "-inf", "1e999", "0x1p3", "1,5", "1s", " 1"],
    "C": ["x", "-1", "256", "1.5"],
    "R": ["x", "-0.1", "1.1", "nan"],
}
# Any text is good: a file, a name. That it is not there shows later.
ANY = re.compile(r"[A-Z]+\.(png|npy|json)|INDEX\|UUID\|NAME|PATTERN")


def options():
    """Name and argument (or None) of every option that the helps show."""
    text = run("--help", out=True).out + run("--help-tests", out=True).out
    found = dict(re.findall(r"^  (--[a-z-]+)(?: (\S+))?(?=\s|$)", text, re.MULTILINE))
    check(len(found) > 15 and "--grid" in found and "--help" in found, found)
    return {name: argument or None for name, argument in found.items()}


def refused(*words):
    told = run(*words, code=2)
    check(len(told.err.splitlines()) == 1, "one line expected:", told)
    return told


def test_bad_values():
    # As nothing is run, no value that is good after all may start a run.
    for name, argument in options().items():
        if argument is None:
            refused(f"{name}=yes")
            continue
        refused(f"{name}=")
        refused(name)
        refused(name, "--quiet")
        if argument in BAD:
            values = BAD[argument]
        elif ANY.match(argument):
            values = []
        else:
            check(re.fullmatch(r"[a-z0-9]+(\|[a-z0-9]+)+", argument), f"{name} {argument}: add it to BAD")
            values = ["nonsense", argument, argument.split("|")[0] + " ", argument.split("|")[0].upper() + "?"]
        for value in values:
            told = refused("--headless", f"{name}={value}") if name != "--headless" else None
            check(told is None or name in told.err, told)


def test_twice():
    for name, argument in options().items():
        if name not in ("--help", "--help-tests", "--version", "--list-devices"):
            value = "" if argument is None else {"WIDTHxHEIGHT": "=5x5"}.get(argument, f"={argument.split('|')[0]}")
            if argument in ("N", "K", "MS", "S", "C", "R"):
                value = "=1"
            check("twice" in refused(name + value, name + value).err, name)


def test_unknown_options():
    for word in ("--nonsense", "--gridd=5x5", "-h", "-", "--", "file.png", "--Grid", "--grid5x5", "\x1b[31m"):
        told = refused(word)
        check("\x1b" not in told.err, repr(told.err))
    check("--headless" in refused("--headles").err, "no guess")


def test_contradictions():
    refused("--quiet", "--verbose")
    refused("--headless", "--first-frame", 3)
    refused("--headless", "--screenshot", "-")
    refused("--headless", "--screenshot", "a", "--heights", "a")


def test_limits():
    refused("--headless", "--grid", "65537x1")
    refused("--headless", "--grid", "1x65537")
    refused("--headless", "--size", "16385x1")
    refused("--headless", "--frames", 0)
    headless("--grid", "65536x1")
    headless("--grid", "1x65536")


def test_a_grid_too_large_for_the_device():
    """16 GiB a height map: more than what there is, or than the device can bind."""
    ended = subprocess.run(
        [support.PROGRAM, "--headless", "--compute", "vulkan", "--grid", "65536x65536", "--size", "16x16",
         "--screenshot", "a.png"],
        capture_output=True, text=True, env=environment({}), check=False,
    )
    check(ended.returncode in (3, 4), ended)
    check(ended.stderr.count("sinewave: error: ") == 1, ended)
    check(not os.listdir("."), os.listdir("."))


def test_help_and_version():
    check("--semaphore timeline|binary" in run("--help", out=True).out, "no --semaphore")
    check("--test-" not in run("--help", out=True).out, "options for tests in the help")
    check("--test-validation-error" in run("--help-tests", out=True).out, "none in --help-tests")
    check(re.fullmatch(r"sinewave \d+\.\d+\.\d+\n", run("--version", out=True).out), "version")
    for line in run("--help", out=True).out.splitlines():
        check(len(line) <= 80, line)
    # Whoever asks for help gets it.
    check(run("--headless", "--help", "--quiet", "--verbose", out=True).out, "no help")


def test_standard_output_that_cannot_be_written():
    for option in ("--help", "--help-tests", "--version", "--list-devices"):
        with open("/dev/full", "w", encoding="utf-8") as full:
            broken(option, full, "No space left on device")
        read, write = os.pipe()
        os.close(read)
        with os.fdopen(write, "w") as pipe:
            broken(option, pipe, "Broken pipe")


def broken(option, out, why):
    ended = subprocess.run(
        [support.PROGRAM, option], stdout=out, stderr=subprocess.PIPE, text=True,
        env=environment({}), check=False,
    )
    check(ended.returncode == 4, option, ended)
    check(ended.stderr.startswith("sinewave: error: ") and why in ended.stderr, ended)
    check(len(ended.stderr.splitlines()) == 1, ended)


def test_quiet_and_verbose():
    check(not headless("--quiet", "--frames", 2).err, "--quiet is not")
    check(not headless("--frames", 2).err, "a run that went well has something to say")
    for semaphore in ("timeline", "binary"):
        told = headless("--verbose", "--semaphore", semaphore, "--grid", "33x17", "--frames", 3, "--batch", 2)
        for pattern in (f"semaphore: {semaphore}, ", "stepper: vulkan", "device: .+UUID ",
                        "memory: 4 height maps of 33x17", "target: offscreen, 96x64"):
            check(len(told.lines(f"^sinewave: {pattern}")) == 1, f"no single line {pattern}:", told)


if __name__ == "__main__":
    main(globals())
