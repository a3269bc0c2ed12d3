"""Odd machines: drivers that lack something, disks that are full, descriptors
and memory that run short, streams that are closed.

Usage: python3 fault_environment.py SINEWAVE FAULT_LAYER [--only NAME]

The last line is "N runs, N as they should".
"""

import argparse
import os
import re
import resource
import subprocess
import sys

import fault_run

DRAW = ["--headless", "--frames", "2", "--size", "64x64", "--grid", "16x16"]
PICTURE = DRAW + ["--screenshot", "last.png"]
WINDOW = ["--frames", "2", "--size", "64x64", "--grid", "16x16"]
# Numbers of VkFormat.
B8G8R8A8_SRGB, R8G8B8A8_SRGB, D32_SFLOAT = "50", "43", "126"


class Case:
    """A run and how it must end: `codes`, and each of `words` in what it says.
    `environment` may have None: not set."""

    def __init__(self, name, arguments, codes, words=(), environment=None, stdout=None, limit=None):
        self.name, self.arguments, self.words = name, arguments, words
        self.codes = codes if isinstance(codes, list) else [codes]
        self.environment = environment or {}
        self.stdout, self.limit = stdout, limit
        self.window = arguments[: len(WINDOW)] == WINDOW


def drivers():
    yield Case("driver of 1.2", DRAW, 3, ["1.3", "update"], {"FAULT_API": "1.2"})
    yield Case("driver of 1.0", DRAW, 3, ["1.3"], {"FAULT_API": "1.0"})
    yield Case("driver of 1.2, listed", ["--list-devices"], 0, ["unusable"], {"FAULT_API": "1.2"})
    for feature in ("synchronization2", "dynamicRendering", "maintenance4", "timelineSemaphore"):
        yield Case("without " + feature, DRAW, 3, [feature], {"FAULT_FEATURES": feature})
    yield Case("without graphics", DRAW, 3, ["graphics"], {"FAULT_QUEUES": "1"})
    yield Case("without largePoints", PICTURE + ["--style", "points"], 0, [], {"FAULT_FEATURES": "largePoints"})
    yield Case("without a budget", PICTURE, 0, [], {"FAULT_EXTENSIONS": "VK_EXT_memory_budget"})
    yield Case("without D32", PICTURE + ["--verbose"], 0, ["X8_D24"], {"FAULT_FORMATS": D32_SFLOAT})
    for feature in ("shaderInt64", "shaderBufferInt64Atomics", "shaderStorageImageWriteWithoutFormat"):
        lacks = {"FAULT_FEATURES": feature}
        yield Case("compute renderer without " + feature, DRAW + ["--renderer", "compute"], 3,
                   ["--renderer compute: the device lacks ", feature], lacks)
        yield Case("auto renderer without " + feature, PICTURE + ["--renderer", "auto", "--verbose"], 0,
                   ["drawing with the rasterizer: the device lacks ", feature, "renderer: raster"], lacks)
    yield Case("window without a swapchain", WINDOW, 3, ["swapchain", "--headless"],
               {"FAULT_EXTENSIONS": "VK_KHR_swapchain"})
    yield Case("window without sRGB", WINDOW, 3, ["sRGB"],
               {"FAULT_FORMATS": B8G8R8A8_SRGB + "," + R8G8B8A8_SRGB})
    group = {"FAULT_GROUP": "2"}
    yield Case("in a group of two", PICTURE, 0, ["stepping with Vulkan: the Vulkan device belongs to a group of 2"], group)
    yield Case("in a group of two, CUDA", DRAW + ["--compute", "cuda"], 3, ["group of 2 devices"], group)
    yield Case("in a group of two, listed", ["--list-devices"], 0, ["group:   2 devices"], group)
    largest = {"FAULT_ALLOCATION": "16384"}  # eight maps of 2 KiB
    maps = ["--headless", "--frames", "40", "--size", "64x64", "--grid", "32x16", "--memory"]
    yield Case("small allocations", maps + ["suballocated", "--batch", "4"], 0, [], largest)
    yield Case("small allocations, block", maps + ["suballocated", "--batch", "8"], 4,
               ["16384 bytes, the largest allocation", "--memory dedicated"], largest)
    yield Case("small allocations, smaller batch", maps + ["suballocated"], 0, ["batch 4"], largest)
    yield Case("small allocations, each its own", maps + ["dedicated", "--batch", "8"], 0, [], largest)
    yield Case("small allocations, large map", DRAW[:-1] + ["65x64"], 3, ["16640 bytes"], largest)
    name = b"\xff\xfe\x1b[31mG\xe9ant\x07"
    yield Case("name of odd bytes", ["--list-devices"], 0, ["ant"], {"FAULT_NAME": name})
    yield Case("name of odd bytes, drawn", DRAW + ["--verbose", "--stats", "stats.json"], 0, ["ant"],
               {"FAULT_NAME": name})
    yield Case("name of odd bytes, chosen", DRAW + ["--device", b"g\xe9"], 0, [], {"FAULT_NAME": name})
    yield Case("name of odd bytes, wrong", DRAW + ["--device", b"\x1b[31m\xff"], 3, [])


def surroundings():
    yield Case("no HOME, no cache", PICTURE, 0, [], {"HOME": None, "XDG_CACHE_HOME": None})
    for place in ("/proc/nonexistent/x", "/dev/null", "/proc", "relative", ""):
        yield Case(f"cache in '{place}'", PICTURE, 0, [], {"HOME": None, "XDG_CACHE_HOME": place})
        yield Case(f"HOME is '{place}'", PICTURE, 0, [], {"HOME": place, "XDG_CACHE_HOME": None})
    yield Case("cache that no disk takes", PICTURE + ["--verbose"], 0, ["no place for it"],
               {"HOME": None, "XDG_CACHE_HOME": "/proc/a/b"})
    for place in ("/nonexistent", "/dev/null", "::::", "\n", "/"):
        layers = {"VK_LAYER_PATH": place}
        yield Case(f"layers in {place!r}", PICTURE, 0, [], layers)
        yield Case(f"layers in {place!r}, validation", PICTURE + ["--validation"], 3,
                   ["vulkan-validationlayers"], layers)
    yield Case("locale", PICTURE + ["--time-step", "0.5"], 0, [], {"LC_ALL": "de_DE.UTF-8"})


def full(path):
    return lambda: open(path, "wb")


def closed_pipe():
    read, write = os.pipe()
    os.close(read)
    return os.fdopen(write, "wb")


def limit(kind, value):
    return lambda: resource.setrlimit(kind, (value, value))


def close(*descriptors):
    def act():
        for descriptor in descriptors:
            os.close(descriptor)
    return act


def streams():
    stream = DRAW + ["--output", "-"]
    for name, arguments in (("stream", stream), ("list", ["--list-devices"]), ("help", ["--help"]),
                            ("version", ["--version"]), ("statistics", DRAW + ["--stats", "-"])):
        yield Case(name + " to a full disk", arguments, 4, ["No space left"], stdout=full("/dev/full"))
        yield Case(name + " to a closed pipe", arguments, 4, ["Broken pipe"], stdout=closed_pipe)
        yield Case(name + " to a closed descriptor", arguments, 4, [], limit=close(1))
    # What the driver opens must not become standard output or error.
    for name, descriptors in (("input", [0]), ("input and output", [0, 1]), ("error", [2]), ("all", [0, 1, 2])):
        yield Case("closed standard " + name, PICTURE + ["--verbose"], 0, [], limit=close(*descriptors))
    for option in ("--screenshot", "--heights", "--stats"):
        yield Case(option + " to a full disk", DRAW + [option, "/dev/full"], 4, ["No space left"])
        for size in (0, 100, 1000):
            name = "file" + {"--screenshot": ".png", "--heights": ".npy", "--stats": ".json"}[option]
            yield Case(f"{option}, files of {size} bytes at most", DRAW + [option, name],
                       4 if size < 200 or option == "--heights" else [0, 4], [],
                       limit=limit(resource.RLIMIT_FSIZE, size))
    yield Case("frames, files of 100 bytes at most", DRAW + ["--output", "frame-%d.png"], 4, [],
               limit=limit(resource.RLIMIT_FSIZE, 100))
    yield Case("heights to a folder that is not there", DRAW + ["--heights", "no/last.npy"], 4, ["no/last.npy"])


def limits(sanitized):
    outputs = PICTURE + ["--heights", "last.npy", "--output", "frame-%d.png"]
    for count in list(range(4, 24)) + [32, 48, 64]:
        yield Case(f"{count} descriptors", outputs, [0, 3, 4], [], limit=limit(resource.RLIMIT_NOFILE, count))
    for megabytes in [] if sanitized else list(range(400, 700, 21)) + list(range(700, 1300, 100)):
        yield Case(f"{megabytes} MB of address space", outputs, [0, 3, 4], [],
                   {"LP_NUM_THREADS": "2", "FAULT_CRASH": "1"},
                   limit=limit(resource.RLIMIT_AS, megabytes << 20))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("layer")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    symbols = subprocess.run(["nm", "-D", program], stdout=subprocess.PIPE, check=True).stdout
    cases = list(drivers()) + list(surroundings()) + list(streams()) + list(limits(b"__asan" in symbols))
    cases = [case for case in cases if options.only in case.name]
    good = total = driver = 0
    with fault_run.scratch() as folder, fault_run.Display() as display:
        environment = fault_run.install_layer(options.layer, os.path.join(folder, "layers"))
        for case in cases:
            place = os.path.join(folder, str(total))
            os.makedirs(place)
            env = {**environment, **case.environment}
            if case.window:
                env.update({"DISPLAY": display, "WAYLAND_DISPLAY": None})
            out = case.stdout() if case.stdout else subprocess.PIPE
            result = fault_run.run([program] + case.arguments, place, env, stdout=out, before=case.limit)
            if case.stdout:
                out.close()
            wrong = fault_run.problems(result, case.codes, [], place)
            crash = re.search(r"fault_layer: crash in (.*)", result.err)
            if case.environment.get("FAULT_CRASH") and (
                (crash and program not in crash[1]) or "thread-local data: ABORT" in result.err
            ):
                driver += 1  # want of memory ended it in the driver, or in the C library
                wrong = fault_run.bad_files(place, killed=True)
            said = result.err + result.out.decode("utf-8", "replace")
            wrong += [f"does not say {word!r}" for word in case.words if word not in said]
            if any(c in said for c in "\x1b\x07"):
                wrong.append("control characters reach the terminal")
            total += 1
            good += not wrong
            print(f"{'WRONG' if wrong else 'ok'}: {case.name}: exit {result.code}"
                  + (f", {result.errors[0]}" if result.errors else ""))
            if wrong:
                print("    " + "\n    ".join(wrong) + f"\n{result}", flush=True)
    may_crash = sum("FAULT_CRASH" in case.environment for case in cases)
    too_many = driver > may_crash // 2
    print(f"{driver} of {may_crash} runs ended in the driver or the C library, for want of memory"
          + (": WRONG, more than half" if too_many else ""))
    print(f"{total} runs, {good} as they should")
    return 0 if total > 0 and good == total and not too_many else 1


if __name__ == "__main__":
    sys.exit(main())
