"""Checks on a host with two NVIDIA GPUs: the right one, each time.

Usage: gpu_two.py SINEWAVE FOLDER [PART...]

Parts: selection memory visible together split second; without one, all.
Prints "ok NAME", "not ok NAME: why" or "skip NAME: why" lines, as gpu.sh counts
them. The folder takes pictures and heights.
"""
import filecmp
import json
import os
import re
import subprocess
import sys
import time

SINEWAVE = sys.argv[1]
FOLDER = sys.argv[2]
LIMIT = 180


def tell(name, why=""):
    print(f"not ok {name}: {why}" if why else f"ok {name}", flush=True)


def run(arguments, **environment):
    """Exit code, standard output and error of one headless run."""
    result = subprocess.run([SINEWAVE] + arguments, capture_output=True, text=True, timeout=LIMIT,
                            env={**os.environ, **environment}, check=False)
    return result.returncode, result.stdout, result.stderr


def draw(arguments, **environment):
    """Statistics of a run, or None with the reason."""
    code, out, err = run(["--headless", "--quiet", "--stats", "-"] + arguments, **environment)
    return (json.loads(out), "") if code == 0 else (None, f"exit code {code}: {err.strip()}")


def list_gpus(**environment):
    """Vulkan index, UUID and CUDA ordinal (None where there is none) of each GPU."""
    code, out, err = run(["--list-devices"], **environment)
    if code != 0:
        sys.exit(f"--list-devices: exit code {code}: {err.strip()}")
    gpus = []
    for block in re.split(r"(?m)^(?=\d+: )", out):
        index = re.match(r"(\d+): (.*)", block)
        uuid = re.search(r"UUID: +(\S+)", block)
        ordinal = re.search(r"CUDA: +device (\d+)", block)
        if index and uuid and "NVIDIA" in index.group(2):
            gpus.append({"index": int(index.group(1)), "name": index.group(2).strip(),
                         "uuid": uuid.group(1),
                         "ordinal": int(ordinal.group(1)) if ordinal else None})
    return gpus


def memory_used():
    """Bytes in use on each GPU, by UUID without prefix."""
    out = subprocess.run(["nvidia-smi", "--query-gpu=uuid,memory.used",
                          "--format=csv,noheader,nounits"],
                         capture_output=True, text=True, timeout=60, check=True).stdout
    rows = [line.split(",") for line in out.splitlines() if line.strip()]
    return {uuid.strip().removeprefix("GPU-"): int(used) << 20 for uuid, used in rows}


def check_selection(gpus):
    for gpu in gpus:
        for selector in (str(gpu["index"]), gpu["uuid"], "GPU-" + gpu["uuid"]):
            for stepper in ("cuda", "vulkan"):
                name = f"two gpus: --device {selector} --compute {stepper}"
                stats, why = draw(["--size", "64x64", "--device", selector, "--compute", stepper])
                if stats and stats["device"]["uuid"] != gpu["uuid"]:
                    why = f"drew on {stats['device']['uuid']}"
                tell(name, why)
    part = gpus[0]["name"].split()[-1].lower()
    stats, why = draw(["--size", "64x64", "--device", part])
    if stats and stats["device"]["uuid"] != gpus[0]["uuid"]:
        why = f"drew on {stats['device']['uuid']}, not on the lowest index"
    tell(f"two gpus: --device {part} takes the lowest index", why)


def check_memory(gpus):
    """A ring of 1 GiB must lie on the chosen GPU; CUDA's and Vulkan's contexts on
    no other."""
    for gpu in gpus:
        before = memory_used()
        process = subprocess.Popen([SINEWAVE, "--headless", "--quiet", "--size", "64x64",
                                    "--grid", "4096x4096", "--batch", "8", "--frames", "1000000000",
                                    "--compute", "cuda", "--device", gpu["uuid"]])
        most = dict.fromkeys(before, 0)
        deadline = time.monotonic() + LIMIT
        seen = 0  # looks since the ring was there
        while time.monotonic() < deadline and process.poll() is None and seen < 3:
            now = memory_used()
            most = {uuid: max(most[uuid], now[uuid] - before[uuid]) for uuid in before}
            seen += most[gpu["uuid"]] >= 1 << 30
        process.terminate()
        process.wait(timeout=LIMIT)
        others = max(most[uuid] for uuid in most if uuid != gpu["uuid"])
        why = ""
        if most[gpu["uuid"]] < 1 << 30:
            why = f"its memory grew by {most[gpu['uuid']] >> 20} MiB only"
        elif others > 256 << 20:
            why = f"another GPU's memory grew by {others >> 20} MiB"
        tell(f"two gpus: memory grows on {gpu['index']} alone", why)
        print(f"    {most[gpu['uuid']] >> 20} MiB there, {others >> 20} MiB elsewhere")


def check_visible(gpus):
    """Whatever CUDA sees, in whatever order: the matched GPU or none, with the
    reason."""
    first, second = gpus
    cases = [
        ("1", None), ("1,0", None), ("0", None),
        ("GPU-" + first["uuid"], {first["uuid"]}), ("GPU-" + second["uuid"], {second["uuid"]}),
        ("", set()),
    ]
    for value, visible in cases:
        listed = {g["uuid"]: g["ordinal"] for g in list_gpus(CUDA_VISIBLE_DEVICES=value)}
        seen = {uuid for uuid, ordinal in listed.items() if ordinal is not None}
        count = len([part for part in value.split(",") if part])
        why = ""
        if len(seen) != count or (visible is not None and seen != visible):
            why = f"CUDA ordinals {listed}"
        tell(f"two gpus: CUDA_VISIBLE_DEVICES={value} lists", why)
        for gpu in gpus:
            arguments = ["--headless", "--size", "64x64", "--device", gpu["uuid"], "--verbose"]
            name = f"two gpus: CUDA_VISIBLE_DEVICES={value} --device {gpu['index']}"
            code, _, err = run(arguments, CUDA_VISIBLE_DEVICES=value)
            stepper = "cuda" if gpu["uuid"] in seen else "vulkan"
            why = ""
            if code != 0 or f"stepper: {stepper}" not in err or gpu["uuid"] not in err:
                why = f"exit code {code}: {err.strip()}"
            elif stepper == "vulkan" and "stepping with Vulkan: " not in err:
                why = "falls back without a reason"
            tell(f"{name} auto steps with {stepper}", why)
            code, _, err = run(arguments + ["--compute", "cuda"], CUDA_VISIBLE_DEVICES=value)
            want = 0 if gpu["uuid"] in seen else 3
            why = "" if code == want else f"exit code {code}: {err.strip()}"
            tell(f"{name} --compute cuda exits {want}", why)


def check_together(gpus):
    """Both at once: the bytes of each alone, in the time of each alone."""
    common = ["--headless", "--quiet", "--compute", "cuda", "--frames", "6000", "--stats", "-"]
    commands = []
    for gpu in gpus:
        files = [f"{FOLDER}/two-{gpu['index']}.png", f"{FOLDER}/two-{gpu['index']}.npy"]
        commands.append([SINEWAVE] + common + ["--device", gpu["uuid"], "--screenshot", files[0],
                                               "--heights", files[1]])

    def finish(process):
        out, err = process.communicate(timeout=LIMIT)
        if process.returncode != 0:
            raise RuntimeError(f"exit code {process.returncode}: {err.strip()}")
        return json.loads(out)["microseconds"]["frame"]["mean"]

    def start(command):
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    try:
        alone = [finish(start(command)) for command in commands]
        processes = [start(command) for command in commands]
        together = [finish(process) for process in processes]
    except RuntimeError as error:
        tell("two gpus: both at once", str(error))
        return
    for kind in ("png", "npy"):
        same = filecmp.cmp(*(f"{FOLDER}/two-{gpu['index']}.{kind}" for gpu in gpus), shallow=False)
        tell(f"two gpus: equal bytes ({kind})", "" if same else "they differ")
    for gpu, one, both in zip(gpus, alone, together):
        ratio = both / one
        tell(f"two gpus: {gpu['index']} at once with the other within 10 %",
             "" if ratio <= 1.10 else f"{ratio:.3f} of alone")
        print(f"    {one:.1f} us a frame alone, {both:.1f} us at once, ratio {ratio:.3f}")


def check_split(gpus):
    frames = 2000  # long beside what starting and ending take
    common = ["--headless", "--quiet", "--compute", "cuda", "--grid", "4096x4096", "--batch",
              "2", "--size", "320x200", "--output"]

    def command(folder, gpu, first, count):
        os.makedirs(f"{FOLDER}/{folder}", exist_ok=True)
        return [SINEWAVE] + common + [f"{FOLDER}/{folder}/%05d.png", "--device", gpu["uuid"],
                                      "--first-frame", str(first), "--frames", str(count)]

    def timed(commands):
        start = time.monotonic()
        processes = [subprocess.Popen(words) for words in commands]
        codes = [process.wait(timeout=LIMIT) for process in processes]
        return time.monotonic() - start, codes

    whole, codes = timed([command("whole", gpus[0], 0, frames)])
    half, more = timed([command("split", gpus[0], 0, frames // 2),
                        command("split", gpus[1], frames // 2, frames // 2)])
    why = "" if codes + more == [0, 0, 0] else f"exit codes {codes + more}"
    names = [f"{index:05d}.png" for index in range(frames)]
    if not why:
        _, unlike, missing = filecmp.cmpfiles(f"{FOLDER}/whole", f"{FOLDER}/split", names,
                                              shallow=False)
        if unlike or missing:
            why = f"{len(unlike)} frames differ, {len(missing)} are missing"
    tell("two gpus: a split run gives the whole run's bytes", why)
    speed_up = whole / half
    tell("two gpus: a split run is 1.9 times as fast",
         "" if speed_up >= 1.9 else f"{speed_up:.2f} times")
    print(f"    {frames} frames of 4096x4096: {whole:.2f} s on one, {half:.2f} s on two, "
          f"speed-up {speed_up:.2f}")


def check_second(gpus):
    """CUDA starts on a thread of its own; it must set the device there."""
    for semaphore in ("timeline", "binary"):
        arguments = ["--headless", "--size", "320x200", "--frames", "64", "--batch", "8",
                     "--compute", "cuda", "--semaphore", semaphore, "--device", gpus[1]["uuid"]]
        for validation in ([], ["--validation"]):
            code, _, err = run(arguments + validation + ["--quiet"])
            name = f"two gpus: the second, {semaphore}{' validated' if validation else ''}"
            if validation and code == 3:
                print(f"skip {name}: there is no validation layer")
            else:
                tell(name, "" if code == 0 and not err else f"exit code {code}: {err.strip()}")


def main():
    gpus = list_gpus()
    if len(gpus) < 2:
        print(f"skip two gpus: there {'is' if len(gpus) == 1 else 'are'} {len(gpus)}")
        return
    gpus = gpus[:2]
    why = "" if all(gpu["ordinal"] is not None for gpu in gpus) else str(gpus)
    tell("two gpus: both have CUDA ordinals", why)
    tell("two gpus: the ordinals differ",
         "" if gpus[0]["ordinal"] != gpus[1]["ordinal"] else str(gpus))
    parts = {"selection": check_selection, "memory": check_memory, "visible": check_visible,
             "together": check_together, "split": check_split, "second": check_second}
    for name in sys.argv[3:] or parts:
        parts[name](gpus)


if __name__ == "__main__":
    main()
