"""Prints one table of ratios from one run of the program's benchmark.

Usage: bench.py SINEWAVE [--repeat N] [--small] [--window] [--json FILE]

Each row is the median over N runs of a frame's mean time, beside what it is
measured against in the same run; the spread is (greatest - least) / median.
On a software device small grids and few frames are taken by themselves.
--window: of windows instead, which needs a display that does not hold frames back.
"""
import argparse
import json
import statistics
import subprocess
import sys


def run(program, arguments, frames):
    """Statistics of one run."""
    command = [program, "--quiet", "--frames", str(frames), "--stats", "-"]
    result = subprocess.run(command + arguments, capture_output=True, text=True, timeout=600,
                            check=False)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command + arguments)}: exit code {result.returncode}: "
                 f"{result.stderr.strip()}")
    return json.loads(result.stdout)


HEADLESS = ["--headless"]


class Bench:
    """Runs rows in turn, so that a drift of the machine meets all of them."""

    def __init__(self, program, repeat):
        self.program = program
        self.repeat = repeat
        self.rows = []  # (name, arguments, frames, name of the row to divide by)
        self.times = {}
        self.stats = {}

    def add(self, name, arguments, frames, against=None):
        self.rows.append((name, arguments, frames, against))

    def measure(self):
        for _ in range(self.repeat):
            for name, arguments, frames, _ in self.rows:
                stats = run(self.program, arguments, frames)
                self.times.setdefault(name, []).append(stats["microseconds"]["frame"]["mean"])
                self.stats.setdefault(name, []).append(stats)

    def median(self, name):
        return statistics.median(self.times[name])

    def of(self, name, stage, value):
        return statistics.median(s["microseconds"][stage][value] for s in self.stats[name])

    def print(self):
        print(f"{'':38} {'us/frame':>10} {'spread':>7} {'ratio':>7}  {'draw us':>9} {'wait us':>9}"
              "  against")
        for name, _, _, against in self.rows:
            median = self.median(name)
            times = self.times[name]
            spread = (max(times) - min(times)) / median
            ratio = f"{median / self.median(against):7.3f}" if against else f"{'':7}"
            print(f"{name:38} {median:10.1f} {spread:6.1%} {ratio}  "
                  f"{self.of(name, 'draw', 'p50'):9.1f} {self.of(name, 'handoff_wait', 'p50'):9.1f}"
                  f"  {against or ''}")


def computes(program):
    """Whether the device can draw by compute shaders."""
    command = [program, "--quiet", "--size", "64x64", "--renderer", "compute"] + HEADLESS
    return subprocess.run(command, capture_output=True, timeout=600, check=False).returncode == 0


def add_frames(bench, base, frames):
    """Batch sizes and semaphore types, against drawing without handoffs."""
    ways = [(style, ["--style", style], (1, 4, 8, 16)) for style in ("surface", "wireframe")]
    if computes(bench.program):
        ways.append(("compute renderer", ["--renderer", "compute"], (1, 8)))
    for name, more, batches in ways:
        arguments = base + more
        alone = f"{name} alone"
        bench.add(alone, arguments + ["--test-draw-alone"], frames)
        for semaphore in ("timeline", "binary"):
            for batch in batches:
                bench.add(f"{name} {semaphore} batch {batch}",
                          arguments + ["--semaphore", semaphore, "--batch", str(batch)], frames,
                          alone)


def add_windows(bench, base, frames):
    """A handoff for each frame, against drawing offscreen without; one sample, as
    offscreen."""
    for renderer in ("raster", "compute") if computes(bench.program) else ("raster",):
        for style in ("surface", "wireframe"):
            arguments = base + ["--renderer", renderer, "--style", style]
            alone = f"{renderer} {style} alone, no window"
            bench.add(alone, arguments + HEADLESS + ["--test-draw-alone"], frames)
            for semaphore in ("timeline", "binary"):
                bench.add(f"{renderer} {style} {semaphore}",
                          arguments + ["--samples", "1", "--semaphore", semaphore], frames, alone)


def add_grids(bench, base, grids, frames):
    for grid in grids:
        arguments = base + ["--grid", f"{grid}x{grid}", "--batch", "1"]
        count = max(frames * 65536 // (grid * grid), 16) if grid > 256 else frames
        bench.add(f"grid {grid}x{grid} alone", arguments + ["--test-draw-alone"], count)
        bench.add(f"grid {grid}x{grid}", arguments, count, f"grid {grid}x{grid} alone")


def print_rest(bench, base, grids):
    """What is no time of a frame: the cost of a vertex, and the start."""
    print("\ndrawing, nanoseconds a vertex: " + ", ".join(
        f"{grid}x{grid} {bench.of(f'grid {grid}x{grid} alone', 'draw', 'p50') * 1e3 / grid / grid:.4f}"
        for grid in grids))

    def start(arguments):
        return statistics.median(run(bench.program, base + arguments, 1)["first_frame_seconds"]
                                 for _ in range(bench.repeat))
    print(f"from start to first frame: {start([]):.3f} s; stepped by Vulkan: "
          f"{start(['--compute', 'vulkan']):.3f} s")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--small", action="store_true", help="small grids and few frames")
    parser.add_argument("--window", action="store_true", help="windows instead")
    parser.add_argument("--json", help="write all statistics to this file")
    options = parser.parse_args()

    probe = run(options.program, HEADLESS, 1)
    device = probe["device"]
    small = options.small or device["type"] == "software"
    frames = 24 if small else 1000
    size = ["--size", "320x200"] if small else ["--size", "1280x800"]
    grid = ["--grid", "64x64"] if small else []
    grids = [64, 128, 256] if small else [256, 1024, 4096, 16384]
    print(f"{device['name']}, driver {device['driver']} {device['driver_info']}, stepper "
          f"{probe['options']['stepper']}, {size[1]} pixels, median of "
          f"{options.repeat}, warm-up left out")

    bench = Bench(options.program, options.repeat)
    if options.window:
        add_windows(bench, size + grid, frames)
    else:
        add_frames(bench, HEADLESS + size + grid, frames)
        add_grids(bench, HEADLESS + size, grids, frames)
    bench.measure()
    bench.print()
    if not options.window:
        print_rest(bench, HEADLESS + size, grids)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(bench.stats, file, indent=1)


if __name__ == "__main__":
    main()
