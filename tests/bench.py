"""Prints one table of ratios from one run of the program and its benchmarks.

Usage: bench.py SINEWAVE [--runs N] [--repeat N] [--small] [--window] [--only GROUP,...]
                [--json FILE]

The table is Markdown. A time is a median. "memset 1.05x": 1.05 times as fast as memset;
"alone 1.050": 1.05 times as long as alone. --runs 2: everything is measured twice, with
the figures of each run in columns of their own. The spread is (greatest - least) /
median of a row's values, of all runs and repetitions. What a machine cannot do (CUDA,
mostly) has a row that says why. Small grids and few frames are taken on a software
device by themselves. --window: windows too, which needs a display that does not hold
frames back. Exit code 1: a row failed; the others are printed.
"""
import argparse
import datetime
import json
import math
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import time

HEADLESS = ["--headless"]
SKIP = 77
NO_DEVICE = 3
PROGRAMS = {"kernel": "cuda_bench", "step": "bench_step", "draw": "bench_draw",
            "raster": "bench_raster"}


class Absent(Exception):
    """What is to be measured cannot be had here; says why."""


class Failed(Exception):
    """It should have worked."""


def last_line(text):
    return text.strip().splitlines()[-1].strip() if text.strip() else "it printed nothing"


def run(command, absent):
    """Standard output of a command; `absent`: its exit code where it cannot run here."""
    command = [str(word) for word in command]
    told = " ".join([pathlib.Path(command[0]).name, *command[1:]])
    try:
        ended = subprocess.run(command, capture_output=True, text=True, errors="replace",
                               timeout=300, check=False)
    except OSError as error:
        raise Absent(f"no {command[0]}: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise Failed(f"{told}: it took longer than {error.timeout:.0f} s") from error
    if ended.returncode == absent:
        raise Absent(last_line(ended.stderr or ended.stdout).removeprefix("sinewave: error: "))
    if ended.returncode != 0:
        raise Failed(f"{told}: exit code {ended.returncode}: {last_line(ended.stderr)}")
    return ended.stdout


class Table:
    """Rows by name; each has a cell for each run."""

    def __init__(self, runs):
        self.runs = runs
        self.rows = {}
        self.at = 0  # the run
        self.failed = False

    def add(self, name, samples=(), unit="us", also="", against=""):
        """Samples in microseconds, or whatever the unit is."""
        self.rows.setdefault(name, [None] * self.runs)[self.at] = {
            "samples": list(samples), "unit": unit, "also": also, "against": against}

    def absent(self, name, error):
        self.failed = self.failed or isinstance(error, Failed)
        why = "failed" if isinstance(error, Failed) else "skipped"
        self.add(name, against=f"{why}: {error}".replace("|", "/"))

    def print(self):
        runs = [""] if self.runs == 1 else [f", run {i + 1}" for i in range(self.runs)]
        heads = (["what"] + [f"time{run}" for run in runs] + ["spread", "of which"]
                 + [f"against{run}" for run in runs])
        print("| " + " | ".join(heads) + " |\n" + "|---" * len(heads) + "|")
        for name, cells in self.rows.items():
            known = [cell for cell in cells if cell]
            values = [value for cell in known for value in cell["samples"]]
            spread = ""
            if len(values) > 1:
                spread = f"{(max(values) - min(values)) / statistics.median(values):.1%}"
            line = ([name] + [figure(cell) for cell in cells] + [spread, known[-1]["also"]]
                    + [cell["against"] if cell else "" for cell in cells])
            print("| " + " | ".join(line) + " |")
        sys.stdout.flush()


def figure(cell):
    if not cell or not cell["samples"]:
        return ""
    value = statistics.median(cell["samples"])
    if cell["unit"] != "us":
        return f"{value:.3f} {cell['unit']}"
    return f"{value:.2f}" if value < 100 else f"{value:.1f}" if value < 1e5 else f"{value:.0f}"


def digits(ratio):
    return f"{ratio:.3f}" if ratio < 2 else f"{ratio:.2f}" if ratio < 10 else f"{ratio:.1f}"


def times_as_fast(name, ratio):
    return f"{name} {digits(ratio)}x"


class Bench:
    """What one run of the table measures."""

    def __init__(self, program, table, options):
        self.program = program
        self.table = table
        self.probe = self.measure(HEADLESS + ["--size", "64x64"], 1)
        device = self.probe["device"]
        self.small = options.small or device["type"] == "software"
        self.size = ["--size", "320x200" if self.small else "1280x800"]
        self.grid = ["--grid", "64x64"] if self.small else []
        self.repeat = options.repeat or (1 if self.small else 2)
        self.no_cuda = self.why_not("--compute", "cuda")
        self.no_compute = self.why_not("--renderer", "compute")

    def measure(self, arguments, frames):
        """Statistics of one run of the program."""
        return json.loads(run([self.program, "--quiet", "--frames", frames, "--stats", "-",
                               *arguments], absent=NO_DEVICE))

    def why_not(self, *arguments):
        """None, or why the program cannot do this here."""
        try:
            self.measure(HEADLESS + ["--size", "64x64", *arguments], 1)
            return None
        except (Absent, Failed) as error:
            return error

    def program_rows(self, group):
        """Rows of a benchmark program, which lies beside the program."""
        name = PROGRAMS[group]
        path = pathlib.Path(self.program).resolve().parent / "tests" / name
        try:
            lines = run([path, "--json"], absent=SKIP).splitlines()
        except (Absent, Failed) as error:
            self.table.absent(f"{group} ({name})", error)
            return
        for row in map(json.loads, lines):
            rate = f"{row['gb_per_s']:.1f} GB/s" if "gb_per_s" in row else ""
            against = ", ".join(times_as_fast(other, us / row["us"])
                                for other, us in row["against"].items())
            self.table.add(row["name"], [row["us"]], also=rate, against=against)

    def frame_rows(self, rows, repeat):
        """Rows are (name, arguments, frames, name of the row to divide by). They are
        run in turns, so that a drift of the machine meets all of them."""
        stats = {}
        for _ in range(repeat):
            for name, arguments, frames, _ in rows:
                if name in stats and isinstance(stats[name], Exception):
                    continue
                try:
                    stats.setdefault(name, []).append(
                        self.measure(arguments, frames)["microseconds"])
                except (Absent, Failed) as error:
                    stats[name] = error

        def median(name, stage, value):
            return statistics.median(each[stage][value] for each in stats[name])

        for name, _, _, against in rows:
            if isinstance(stats[name], Exception):
                self.table.absent(name, stats[name])
                continue
            ratio = ""
            if against and not isinstance(stats[against], Exception):
                ratio = median(name, "frame", "mean") / median(against, "frame", "mean")
                ratio = f"alone {digits(ratio)}"
            self.table.add(name, [each["frame"]["mean"] for each in stats[name]],
                           also=f"draw {median(name, 'draw', 'mean'):.1f}, "
                           f"wait {median(name, 'handoff_wait', 'p50'):.1f}", against=ratio)
        return stats

    # Frames of a row: short frames need more of them.
    def frames(self, renderer="raster"):
        return 24 if self.small else 8000 if renderer == "compute" else 1000

    def renderers(self, name):
        """Those that the device has; the other one's row says why."""
        if self.no_compute:
            self.table.absent(f"{name}, compute renderer", self.no_compute)
            return ("raster",)
        return "raster", "compute"

    def frame(self):
        """Batch sizes and semaphore types, against drawing without handoffs."""
        ways = [(style, ["--style", style], "raster", (1, 4, 8, 16))
                for style in ("surface", "wireframe")]
        if "compute" in self.renderers("frame"):
            ways.append(("compute renderer", ["--renderer", "compute"], "compute", (1, 8)))
        rows = []
        for name, more, renderer, batches in ways:
            arguments = HEADLESS + self.size + self.grid + more
            alone = f"frame, {name}, alone"
            rows.append((alone, arguments + ["--test-draw-alone"], self.frames(renderer), None))
            rows += [(f"frame, {name}, {semaphore}, batch {batch}",
                      arguments + ["--semaphore", semaphore, "--batch", str(batch)],
                      self.frames(renderer), alone)
                     for semaphore in ("timeline", "binary") for batch in batches]
        self.frame_rows(rows, self.repeat)

    def ring(self):
        """Other rings than the program takes: of two batches, and larger ones."""
        rows = []
        for style in ("surface", "wireframe"):
            for batch, rings in ((1, (2, 8, 16)), (8, (16, 64))):
                for slots in rings:
                    rows.append((f"ring of {slots} slots, {style}, batch {batch}",
                                 HEADLESS + self.size + self.grid
                                 + ["--style", style, "--batch", str(batch),
                                    "--test-ring-slots", str(slots)],
                                 24 if self.small else 500, None))
        self.frame_rows(rows, 1)

    def window(self):
        """A handoff for each frame, against drawing offscreen without; one sample, as
        offscreen."""
        rows = []
        for renderer in self.renderers("window"):
            for style in ("surface", "wireframe"):
                arguments = self.size + self.grid + ["--renderer", renderer, "--style", style]
                frames = 24 if self.small else 2000 if renderer == "compute" else 700
                name = f"window, {renderer}, {style}"
                alone = f"{name}, alone, no window"
                rows.append((alone, arguments + HEADLESS + ["--test-draw-alone"], frames, None))
                rows += [(f"{name}, {semaphore}",
                          arguments + ["--samples", "1", "--semaphore", semaphore], frames, alone)
                         for semaphore in ("timeline", "binary")]
        self.frame_rows(rows, self.repeat)

    def grids(self):
        """Drawing alone at each size, a handoff for each frame at some, and how the
        time grows with the number of vertices."""
        sizes = [64, 128, 256] if self.small else [256, 512, 1024, 2048, 4096, 16384]
        handed = [256] if self.small else [1024, 4096, 16384]
        flat_from = 128 if self.small else 1024
        for renderer in self.renderers("grid"):
            rows = []
            for side in sizes:
                # About 0.6 s, by what an H200 takes.
                once = (3e-5 + 1.3e-11 * side ** 2 if renderer == "compute"
                        else 4e-4 + 1.4e-9 * side ** 2)
                frames = max(24 if side > 8192 else 40, min(int(0.6 / once), 4000))
                frames = 24 if self.small else frames
                arguments = (HEADLESS + self.size + ["--grid", f"{side}x{side}", "--batch", "1",
                                                     "--renderer", renderer])
                alone = f"grid {side}x{side}, {renderer}, alone"
                rows.append((alone, arguments + ["--test-draw-alone"], frames, None))
                if renderer == "raster" and side in handed:
                    rows.append((f"grid {side}x{side}, {renderer}, batch 1", arguments, frames,
                                 alone))
            stats = self.frame_rows(rows, 1)
            drawn = {}
            for side in sizes:
                name = f"grid {side}x{side}, {renderer}, alone"
                if isinstance(stats[name], Exception) or not stats[name][0]["draw"]["count"]:
                    continue
                drawn[side] = stats[name][0]["draw"]["mean"]
                cost = drawn[side] * 1e3 / side ** 2
                self.table.add(f"drawing a vertex, {side}x{side}, {renderer}", [cost], unit="ns")
            self.slope(renderer, {side: us for side, us in drawn.items() if side >= flat_from},
                       flat_from)

    def slope(self, renderer, drawn, flat_from):
        """Whether the cost of a vertex is flat: 1 in both figures."""
        name = f"drawing a vertex, from {flat_from}x{flat_from} on, {renderer}"
        if len(drawn) < 2:
            self.table.absent(name, Absent("too few sizes, or no timestamps"))
            return
        costs = [us / side ** 2 for side, us in drawn.items()]
        points = [(math.log(side ** 2), math.log(us)) for side, us in drawn.items()]
        middle = [statistics.mean(axis) for axis in zip(*points)]
        power = (sum((x - middle[0]) * (y - middle[1]) for x, y in points)
                 / sum((x - middle[0]) ** 2 for x, _ in points))
        self.table.add(name, against=f"largest / smallest {max(costs) / min(costs):.3f}; "
                       f"time grows as vertices to the power of {power:.3f}")

    def start(self):
        """From exec to the first frame, beside what CUDA alone takes to start; in turns."""
        cuda = pathlib.Path(self.program).resolve().parent / "tests" / "cuda_bench"
        base = HEADLESS + self.size + self.grid
        samples, why = {"alone": [], "cuda": [], "vulkan": []}, {}

        def first_frame(stepper):
            return self.measure(base + ["--compute", stepper], 1)["first_frame_seconds"]

        ways = {
            "alone": lambda: json.loads(run([cuda, "--start", "--json"], SKIP))["us"] * 1e-6,
            "cuda": lambda: first_frame("cuda"),
            "vulkan": lambda: first_frame("vulkan"),
        }
        names = {"alone": "start, CUDA alone", "cuda": "start to first frame, stepped by CUDA",
                 "vulkan": "start to first frame, stepped by Vulkan"}
        for _ in range(2 if self.small else 5):
            for way, measure in ways.items():
                try:
                    if way not in why:
                        samples[way].append(measure())
                except (Absent, Failed) as error:
                    why[way] = error
        for way, name in names.items():
            if way in why:
                self.table.absent(name, why[way])
                continue
            against = ""
            if way == "cuda" and samples["alone"]:
                own = statistics.median(samples["alone"])
                taken = statistics.median(samples["cuda"])
                against = f"CUDA alone {digits(taken / own)}, {taken - own:+.3f} s"
            self.table.add(name, samples[way], unit="s", against=against)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--runs", type=int, default=1, help="times that all is measured")
    parser.add_argument("--repeat", type=int, help="runs of the program for a frame's row")
    parser.add_argument("--small", action="store_true", help="small grids and few frames")
    parser.add_argument("--window", action="store_true", help="windows too")
    parser.add_argument("--only", help="these groups")
    parser.add_argument("--json", help="write all samples to this file")
    options = parser.parse_args()
    # What was measured until then is printed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))

    table = Table(options.runs)
    try:
        bench = Bench(options.program, table, options)
    except Absent as error:
        print(f"skipped: {error}")
        sys.exit(SKIP)
    except Failed as error:
        sys.exit(str(error))
    groups = {group: lambda group=group: bench.program_rows(group) for group in PROGRAMS}
    groups |= {"frame": bench.frame, "ring": bench.ring, "window": bench.window,
               "grids": bench.grids, "start": bench.start}
    wanted = options.only.split(",") if options.only else [
        group for group in groups if group != "window" or options.window]
    if not set(wanted) <= set(groups):
        sys.exit(f"--only: the groups are {', '.join(groups)}")
    if "window" in wanted and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        wanted.remove("window")
        table.absent("window", Absent("there is no display"))

    device = bench.probe["device"]
    print(f"{device['name']}, driver {device['driver']} {device['driver_info']}, "
          f"{datetime.date.today()}, {bench.size[1]} pixels, "
          f"stepper {bench.probe['options']['stepper']}"
          + (f" (no CUDA: {bench.no_cuda})" if bench.no_cuda else "")
          + f". Times in us; frames: medians of {bench.repeat}, warm-up left out.\n", flush=True)
    try:
        for table.at in range(options.runs):
            begin = time.monotonic()
            for group in wanted:
                before = time.monotonic()
                groups[group]()
                print(f"run {table.at + 1}: {group}: {time.monotonic() - before:.0f} s",
                      file=sys.stderr, flush=True)
            print(f"run {table.at + 1}: {time.monotonic() - begin:.0f} s", file=sys.stderr,
                  flush=True)
    finally:
        table.print()
        if options.json:
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump({"device": device, "rows": table.rows}, file, indent=1)
    sys.exit(1 if table.failed else 0)


if __name__ == "__main__":
    main()
