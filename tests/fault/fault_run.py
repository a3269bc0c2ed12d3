"""What the fault tests share: runs of the program in a folder of their own, and
what must be true of every run that failed.

A module, not a test.
"""

import collections
import concurrent.futures
import json
import os
import re
import signal
import struct
import subprocess
import tempfile
import time
import zlib

TIMEOUT = 300  # seconds for one run: a loaded machine, with sanitizers
MANIFEST = {
    "file_format_version": "1.1.2",
    "layer": {
        "name": "VK_LAYER_SINEWAVE_fault",
        "type": "GLOBAL",
        "library_path": None,
        "api_version": "1.3.0",
        "implementation_version": "1",
        "description": "counts calls, makes one fail, hides features: for tests",
        "functions": {"vkNegotiateLoaderLayerInterfaceVersion": "fault_negotiate"},
        "pre_instance_functions": {
            name: "fault_" + name
            for name in (
                "vkEnumerateInstanceVersion",
                "vkEnumerateInstanceExtensionProperties",
                "vkEnumerateInstanceLayerProperties",
            )
        },
        "enable_environment": {"SINEWAVE_FAULT_LAYER": "1"},
        "disable_environment": {"SINEWAVE_NO_FAULT_LAYER": "1"},
    },
}


def software_driver():
    """The environment that names the software driver alone, where it is found:
    what is counted must not depend on the machine's GPUs."""
    if os.environ.get("VK_DRIVER_FILES") or os.environ.get("VK_ICD_FILENAMES"):
        return {}
    folder = "/usr/share/vulkan/icd.d"
    names = os.listdir(folder) if os.path.isdir(folder) else []
    files = [os.path.join(folder, n) for n in sorted(names) if n.startswith("lvp_icd")]
    return {"VK_ICD_FILENAMES": files[0]} if files else {}


def install_layer(library, folder):
    """Makes the layer known below `folder`; returns the environment that loads it."""
    place = os.path.join(folder, "vulkan", "implicit_layer.d")
    os.makedirs(place, exist_ok=True)
    manifest = json.loads(json.dumps(MANIFEST))
    manifest["layer"]["library_path"] = os.path.abspath(library)
    with open(os.path.join(place, "fault.json"), "w", encoding="utf-8") as file:
        json.dump(manifest, file)
    return {
        "XDG_DATA_HOME": folder,
        "SINEWAVE_FAULT_LAYER": "1",
        "NODEVICE_SELECT": "1",  # Mesa's layer asks for devices too
        **plain(folder),
    }


def plain(folder):
    """The environment of a run without the layer."""
    # Mesa's cache is shared, and not among the program's files.
    return {"MESA_SHADER_CACHE_DIR": os.path.join(folder, "mesa"), **software_driver()}


NOT_MADE = "the call not made"  # in place of an exit code: nothing failed, nothing to judge


class Result:
    """How a run ended: code (None: time-out; negative: a signal), out, err."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err
        self.errors = [line for line in err.splitlines() if line.startswith("sinewave: error:")]

    def __str__(self):
        return f"exit {self.code}\n{self.err[-3000:]}"


def run(command, folder, environment, timeout=TIMEOUT, stdout=subprocess.PIPE, before=None):
    """Runs in `folder`, which also gets the caches; ends the whole group at a
    time-out. `before` runs in the child."""
    full = {**os.environ, "XDG_CACHE_HOME": os.path.join(folder, "cache"), **environment}
    full = {name: value for name, value in full.items() if value is not None}
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=full,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=before,
    )
    try:
        out, err = process.communicate(timeout=timeout)
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        code = None
    return Result(code, out or b"", err.decode("utf-8", "replace"))


def whole_png(data):
    """Whether a PNG has all its chunks, with right checksums, and all its rows."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        return False
    at, pixels, size = 8, b"", None
    while at + 12 <= len(data):
        length = struct.unpack(">I", data[at : at + 4])[0]
        kind = data[at + 4 : at + 8]
        body = data[at + 8 : at + 8 + length]
        if len(body) != length or data[at + 8 + length : at + 12 + length] != struct.pack(
            ">I", zlib.crc32(kind + body)
        ):
            return False
        at += 12 + length
        if kind == b"IHDR":
            size = struct.unpack(">II", body[:8])
        elif kind == b"IDAT":
            pixels += body
        elif kind == b"IEND":
            try:
                rows = zlib.decompress(pixels)
            except zlib.error:
                return False
            return at == len(data) and len(rows) == size[1] * (1 + 3 * size[0])
    return False


def whole_npy(data):
    header = re.search(rb"'shape': \((\d+), (\d+)\)", data[:128])
    return bool(header) and len(data) == 128 + 4 * int(header[1]) * int(header[2])


def whole_cache(data):
    return data[:8] == b"sinepipe" and len(data) == 32 + struct.unpack("<Q", data[16:24])[0]


def whole_json(data):
    try:
        json.loads(data)
    except ValueError:
        return False
    return True


WHOLE = {".png": whole_png, ".npy": whole_npy, ".pipelines": whole_cache, ".json": whole_json}


def files_below(folder):
    """All files but those of drivers, which keep caches beside the program's."""
    for path, folders, names in os.walk(folder):
        if os.path.basename(path) == "cache":
            folders[:] = [name for name in folders if name == "sinewave"]
            names = []  # layers' own
        for name in names:
            yield os.path.join(path, name)


def pictures(folder):
    """By name what does not depend on the clock, nor on the stepper."""
    files = {}
    for path in files_below(folder):
        if path.endswith((".png", ".npy")):
            with open(path, "rb") as file:
                files[os.path.basename(path)] = file.read()
    return files


def bad_files(folder, ignore=(), killed=False):
    """Files that are left over or not whole. What lay beside its place when the
    program was killed is left, under a name that tells."""
    bad = []
    for path in files_below(folder):
        name = os.path.basename(path)
        check = WHOLE.get(os.path.splitext(name)[1])
        if name in ignore or not os.path.exists(path):  # a link to nothing
            continue
        if killed and name.startswith(".sinewave-"):
            continue
        if ".sinewave-" in name or not check:
            bad.append(f"left over: {name}")
            continue
        with open(path, "rb") as file:
            if not check(file.read()):
                bad.append(f"not whole: {name}")
    return bad


def problems(result, codes, names, folder, ignore=()):
    """What is wrong with a run that should end with one of `codes`; an error
    names one of `names`. An empty list: nothing."""
    wrong = []
    if result.code is None:
        wrong.append("did not end in time")
    elif result.code not in codes:
        wrong.append(f"exit {result.code}, expected {' or '.join(map(str, codes))}")
    wanted = 0 if result.code == 0 else 1
    if len(result.errors) != wanted:
        wrong.append(f"{len(result.errors)} error lines, expected {wanted}")
    for line in result.errors:
        if names and not any(name in line for name in names):
            wrong.append(f"the error names none of {', '.join(names)}: {line}")
        if not re.fullmatch(r"sinewave: error: .+: .+; .+", line):
            wrong.append(f"not of the form what: why; what to do: {line}")
    for mark in ("Sanitizer", "runtime error:", "validation error", "Assertion"):
        if mark in result.err:
            wrong.append(f"standard error has {mark!r}")
    return wrong + bad_files(folder, ignore)


class Display:
    """An X server of its own: with Display() as name."""

    def __enter__(self):
        read, write = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "640x480x24", "-nolisten", "tcp",
             "-noreset"],  # a new client may come just as the last one leaves
            pass_fds=[write],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        with os.fdopen(read) as file:
            number = file.readline().strip()
        if not number:
            raise RuntimeError("Xvfb did not start")
        return ":" + number

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def sweep(runs, one, environment, name_of, workers=os.cpu_count()):
    """Plans and tries all jobs (run, function, number, value) of `one`, so many at
    a time, prints a table, and returns the exit code. Runs named window... get a
    display."""
    table = collections.defaultdict(collections.Counter)
    good = total = 0
    longest = (0.0, "")

    def timed(job):
        start = time.monotonic()
        return *one.try_one(job), time.monotonic() - start

    def go(names):
        nonlocal good, total, longest
        jobs = [job for name in names for job in one.plan(name)]
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            for future in concurrent.futures.as_completed([pool.submit(timed, job) for job in jobs]):
                job, result, wrong, seconds = future.result()
                name, function, number, value = job
                longest = max(longest, (seconds, f"{name}: {function}, call {number}, {name_of(value)}"))
                total += result.code != NOT_MADE
                good += not wrong and result.code != NOT_MADE
                table[function, name_of(value)][result.code] += 1
                if wrong:
                    print(f"WRONG: {name}: {function}, call {number}, {name_of(value)}:")
                    print("    " + "\n    ".join(wrong) + f"\n{result}", flush=True)

    go([name for name in runs if not name.startswith("window")])
    windows = [name for name in runs if name.startswith("window")]
    if windows:
        with Display() as display:
            environment.update({"DISPLAY": display, "WAYLAND_DISPLAY": None})
            go(windows)
    print(f"{'function':45}{'failure':24}runs by exit code")
    for (function, failure), codes in sorted(table.items()):
        ends = ", ".join(f"{count} with {code}" for code, count in sorted(codes.items(), key=str))
        print(f"{function:45}{failure:24}{ends}")
    print(f"the longest run took {longest[0]:.1f} s ({longest[1]})")
    print(f"{total} runs, {good} as they should")
    return 0 if total > 0 and good == total else 1


def scratch():
    return tempfile.TemporaryDirectory(prefix="sinewave-fault-")
