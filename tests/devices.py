"""Which device is taken, and what is told where none can be: no driver, no
display, no layer, no CUDA.

Usage: python3 devices.py SINEWAVE
"""

import glob
import os
import re

from support import check, headless, main, run

ENTRY = re.compile(
    r"^(?P<index>\d+): (?P<name>.+)\n"
    r"   UUID:    (?P<uuid>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\n"
    r"   type:    (?P<type>discrete GPU|integrated GPU|virtual GPU|software|other)\n"
    r"   driver:  (?P<driver>.+)\n"
    r"   Vulkan:  (?P<vulkan>\d+\.\d+\.\d+)\n"
    r"   group:   (?P<group>\d+) devices?\n"
    r"   CUDA:    (?P<cuda>device \d+, .+|none: .+)\n"
    r"(   unusable: .+\n)?",
    re.MULTILINE,
)


def devices():
    text = run("--list-devices", out=True).out
    found = list(ENTRY.finditer(text))
    check(found and "".join(match.group(0) for match in found) == text, "unexpected text:", text)
    return found


def test_list():
    for index, device in enumerate(devices()):
        check(int(device["index"]) == index, device.group(0))


def test_choice():
    taken = headless("--verbose").lines("device: ")[0]
    for device in devices():
        uuid, name = device["uuid"], device["name"]
        if f"UUID {uuid}" not in taken:
            continue
        for selector in (device["index"], uuid, uuid.upper(), uuid.replace("-", ""), f"GPU-{uuid}", name, name.upper()):
            told = headless("--device", selector, "--verbose").lines("device: ")
            check(told and f"UUID {uuid}" in told[-1], selector, told)


def test_no_match():
    for selector in ("99", "4294967296", "no such device", "00112233-4455-6677-8899-aabbccddeeff", "GPU-"):
        told = headless("--device", selector, code=3)
        check(selector in told.err and "--list-devices" in told.err, told)


def test_no_driver():
    nothing = os.path.abspath("nothing.json")
    for env in ({"VK_DRIVER_FILES": nothing, "VK_ICD_FILENAMES": nothing},):
        for options in (["--headless"], ["--list-devices"], ["--headless", "--screenshot", "a.png"]):
            told = run(*options, code=3, env=env)
            check("driver" in told.err, told)
    check(os.listdir(".") == [], os.listdir("."))


def test_a_driver_without_devices():
    """Mesa's drivers for GPUs that this machine has not."""
    tried = 0
    for driver in glob.glob("/usr/share/vulkan/icd.d/*.json"):
        env = {"VK_DRIVER_FILES": driver, "VK_ICD_FILENAMES": driver}
        if "lvp" in driver or "nvidia" in driver or os.path.exists("/dev/dri"):
            continue
        tried += 1
        told = run("--headless", "--screenshot", "a.png", code=3, env=env)
        check(re.search("no Vulkan device|VK_ERROR_INCOMPATIBLE_DRIVER", told.err), told)
        check("install a Vulkan driver" in told.err, told)
        run("--list-devices", code=3, env=env)
    print(f"{tried} drivers without a device tried")
    check(os.listdir(".") == [], os.listdir("."))


def test_no_display():
    for env in ({}, {"DISPLAY": ":32767"}, {"DISPLAY": "nonsense"}):
        told = run("--frames", 1, "--screenshot", "a.png", code=3, env=env)
        check("window" in told.err and "--headless" in told.err, told)
        check(os.listdir(".") == [], os.listdir("."))


def test_no_validation_layer():
    os.mkdir("empty")
    told = headless("--validation", code=3, env={"VK_LAYER_PATH": os.path.abspath("empty")})
    check("vulkan-validationlayers" in told.err, told)


def test_no_cuda():
    """Hidden from CUDA, or never there: the reason is told either way."""
    env = {"CUDA_VISIBLE_DEVICES": ""}
    told = run("--headless", "--size", "96x64", "--compute", "cuda", "--screenshot", "a.png", code=3, env=env)
    check(re.search(r"error: --compute cuda: .*(CUDA|driver|UUID).*; .*--compute vulkan", told.err), told)
    check(os.listdir(".") == [], os.listdir("."))
    told = run("--headless", "--size", "96x64", "--verbose", env=env)
    check(len(told.lines("^sinewave: stepping with Vulkan: .")) == 1, told)
    check(told.lines("stepper: vulkan"), told)
    told = run("--list-devices", out=True, env=env)
    check("CUDA:    none: " in told.out and "CUDA:    device" not in told.out, told)


if __name__ == "__main__":
    main(globals())
