"""Makes every CUDA call of a short run fail, one at a time, on a machine with an
NVIDIA GPU.

Usage: python3 fault_cuda.py SINEWAVE_CUDA_FAULT [RUN...] [--full] [--only FUNCTION]

RUN: timeline, binary, image, suballocated, auto (default: all). Quick: each call
fails in one of two ways in turn, and of the runs after the first only the calls
that make them differ from it; --full: all calls in both ways. Exit 77: no GPU to
step with. The last line is "N runs, N as they should".
"""

import argparse
import os
import sys

import fault_run

MEMORY, UNKNOWN = 2, 999  # cudaErrorMemoryAllocation, cudaErrorUnknown
NAMES = {MEMORY: "out of memory", UNKNOWN: "unknown error"}
SHORT = ["--headless", "--frames", "5", "--batch", "2", "--size", "64x64", "--grid", "64x48"]
SHORT += ["--screenshot", "last.png", "--heights", "last.npy", "--stats", "stats.json", "--output", "frame-%d.png"]
RUNS = {
    "timeline": ["--compute", "cuda"],
    "binary": ["--compute", "cuda", "--semaphore", "binary"],
    "image": ["--compute", "cuda", "--heightmap", "image"],
    "suballocated": ["--compute", "cuda", "--memory", "suballocated"],
    "auto": [],
}
# Quick: the functions that a run is about.
MEMORY_CALLS = ["cudaImportExternalMemory", "cudaDestroyExternalMemory"]
ABOUT = {
    "binary": ["cudaImportExternalSemaphore", "cudaDestroyExternalSemaphore", "cudaSignalExternalSemaphoresAsync",
               "cudaWaitExternalSemaphoresAsync", "cudaStreamQuery", "cudaEventQuery"],
    "image": MEMORY_CALLS + ["cudaExternalMemoryGetMappedMipmappedArray", "cudaGetMipmappedArrayLevel",
                             "cudaFreeMipmappedArray", "cudaCreateSurfaceObject", "cudaDestroySurfaceObject",
                             "cudaLaunchKernel"],
    "suballocated": MEMORY_CALLS + ["cudaExternalMemoryGetMappedBuffer", "cudaFree"],
    "auto": ["cudaDriverGetVersion", "cudaGetDeviceCount", "cudaGetDeviceProperties", "cudaDeviceGetAttribute"],
}
WORKERS = 4  # drivers make contexts one at a time


class Sweep:
    def __init__(self, options, environment, folder):
        self.options, self.environment, self.folder = options, environment, folder
        self.good = {}

    def run(self, name, folder, **environment):
        os.makedirs(folder)
        return fault_run.run(
            [os.path.abspath(self.options.program)] + SHORT + RUNS[name],
            folder,
            {**self.environment, **environment},
        )

    def plan(self, name):
        folder = os.path.join(self.folder, name)
        log = os.path.join(self.folder, name + ".log")
        result = self.run(name, folder, FAULT_LOG=log)
        if name != "auto" and result.code == 3 and not self.good:
            print(result)
            sys.exit(77)
        wrong = fault_run.problems(result, [0], [], folder)
        if wrong:
            sys.exit(f"{name}: the run that should succeed: {wrong}\n{result}")
        self.good[name] = fault_run.pictures(folder)
        jobs = []
        with open(log, encoding="ascii") as file:
            for function, number, _ in (line.split() for line in file):
                if self.options.only and function != self.options.only:
                    continue
                codes = [MEMORY, UNKNOWN]
                if not self.options.full:
                    if name in ABOUT and function not in ABOUT[name]:
                        continue
                    codes = [codes[(int(number) + len(name)) % 2]]
                jobs += [(name, function, int(number), code) for code in codes]
        return jobs

    def try_one(self, job):
        name, function, number, value = job
        folder = os.path.join(self.folder, f"{name}-{function}-{number}-{value}")
        result = self.run(name, folder, FAULT_CALL=f"{function}:{number}:{value}")
        # What is asked for by the way, and what is released, may fail: then the
        # run gives all that a good one gives.
        wrong = fault_run.problems(result, [0, 3, 4], [function], folder)
        if f"fault_layer: {function}, call {number}," not in result.err:
            wrong.append("the call was not made")
        if result.code == 0 and fault_run.pictures(folder) != self.good[name]:
            wrong.append("what was written differs from a good run")
        return job, result, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("runs", nargs="*", choices=[[], *RUNS])
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only")
    options = parser.parse_args()
    with fault_run.scratch() as folder:
        environment = {}  # any driver: it is the GPU's that matters
        sweep = Sweep(options, environment, folder)
        return fault_run.sweep(options.runs or list(RUNS), sweep, environment, NAMES.get, WORKERS)


if __name__ == "__main__":
    sys.exit(main())
