"""Makes every Vulkan call of a short run fail, one at a time, and looks at how
the program takes it.

Usage: python3 fault_sweep.py SINEWAVE FAULT_LAYER [RUN...] [--full] [--only FUNCTION]

RUN: one of RUNS below; all of them where none is given. Quick: each call with one of the results that it may return,
     taken in turn; --full: with each of them. --only: calls of one function.
The last line is "N runs, N as they should". The sanitizer build shows most.
"""

import argparse
import os
import sys
import zlib

import fault_run

HOST, DEVICE, INIT, LOST, MAP = -1, -2, -3, -4, -5
LAYER, EXTENSION, FEATURE, DRIVER, MANY, FORMAT = -6, -7, -8, -9, -10, -11
POOL_FRAGMENTED, POOL, HANDLE = -12, -1000069000, -1000072003
FRAGMENTATION, ADDRESS, SHADER = -1000161000, -1000257000, -1000012000
SURFACE, IN_USE, STALE, SUBOPTIMAL = -1000000000, -1000000001, -1000001004, 1000001003
UNREADY, TIMEOUT, INCOMPLETE = 1, 2, 5
NAMES = {
    HOST: "out of host memory",
    DEVICE: "out of device memory",
    INIT: "initialisation failed",
    LOST: "device lost",
    MAP: "map failed",
    LAYER: "layer not present",
    EXTENSION: "extension not present",
    FEATURE: "feature not present",
    DRIVER: "incompatible driver",
    MANY: "too many objects",
    FORMAT: "format not supported",
    POOL_FRAGMENTED: "fragmented pool",
    POOL: "out of pool memory",
    HANDLE: "invalid external handle",
    FRAGMENTATION: "fragmentation",
    ADDRESS: "invalid opaque capture address",
    SHADER: "invalid shader",
    UNREADY: "not ready",
    SURFACE: "surface lost",
    IN_USE: "native window in use",
    STALE: "out of date",
    SUBOPTIMAL: "suboptimal",
    INCOMPLETE: "incomplete",
    TIMEOUT: "time-out",
}
# The machine lacks something: exit code 3. All else: 4.
UNAVAILABLE = {INIT, LAYER, EXTENSION, FEATURE, DRIVER, FORMAT, IN_USE}
# After these the run goes on and succeeds.
RECOVERS = {STALE, SUBOPTIMAL, INCOMPLETE, TIMEOUT, UNREADY}

MEMORY = [HOST, DEVICE]
QUERY = [HOST, DEVICE]
# What each function may return, from the "Return Codes" of its page in the
# Vulkan 1.3 specification. INCOMPLETE only where a list is filled. Left out is what
# the calls do not ask for: exclusive full screen, fixed-rate compression, video,
# pipelines that must not be compiled; "not ready" of an acquisition that does not
# wait; layers of a device; fewer images of a swapchain than it was just said to have.
RESULTS = {
    "vkAcquireNextImageKHR": MEMORY + [LOST, STALE, SURFACE, SUBOPTIMAL, TIMEOUT],
    "vkAllocateCommandBuffers": MEMORY,
    "vkAllocateDescriptorSets": MEMORY + [POOL_FRAGMENTED, POOL],
    "vkAllocateMemory": MEMORY + [HANDLE, ADDRESS],
    "vkBeginCommandBuffer": MEMORY,
    "vkBindBufferMemory": MEMORY + [ADDRESS],
    "vkBindBufferMemory2": MEMORY + [ADDRESS],
    "vkBindImageMemory": MEMORY,
    "vkBindImageMemory2": MEMORY,
    "vkCreateBuffer": MEMORY + [ADDRESS],
    "vkCreateBufferView": MEMORY,
    "vkCreateCommandPool": MEMORY,
    "vkCreateComputePipelines": MEMORY + [SHADER],
    "vkCreateDebugUtilsMessengerEXT": [HOST],
    "vkCreateDescriptorPool": MEMORY + [FRAGMENTATION],
    "vkCreateDescriptorSetLayout": MEMORY,
    "vkCreateDevice": MEMORY + [INIT, EXTENSION, FEATURE, MANY, LOST],
    "vkCreateFence": MEMORY,
    "vkCreateGraphicsPipelines": MEMORY + [SHADER],
    "vkCreateImage": MEMORY + [ADDRESS],
    "vkCreateImageView": MEMORY + [ADDRESS],
    "vkCreateInstance": MEMORY + [INIT, LAYER, EXTENSION, DRIVER],
    "vkCreatePipelineCache": MEMORY,
    "vkCreatePipelineLayout": MEMORY,
    "vkCreateQueryPool": MEMORY,
    "vkCreateSampler": MEMORY + [ADDRESS],
    "vkCreateSemaphore": MEMORY,
    "vkCreateShaderModule": MEMORY + [SHADER],
    "vkCreateSwapchainKHR": MEMORY + [LOST, SURFACE, IN_USE, INIT],
    "vkCreateXcbSurfaceKHR": MEMORY,
    "vkCreateXlibSurfaceKHR": MEMORY,
    "vkDeviceWaitIdle": MEMORY + [LOST],
    "vkEndCommandBuffer": MEMORY,
    "vkEnumerateDeviceExtensionProperties": MEMORY,
    "vkEnumerateInstanceExtensionProperties": MEMORY + [LAYER],
    "vkEnumerateInstanceLayerProperties": MEMORY,
    "vkEnumerateInstanceVersion": [HOST],
    "vkEnumeratePhysicalDeviceGroups": MEMORY + [INIT],
    "vkEnumeratePhysicalDevices": MEMORY + [INIT],
    "vkFlushMappedMemoryRanges": MEMORY,
    "vkGetFenceStatus": MEMORY + [LOST, UNREADY],
    "vkGetMemoryFdKHR": [HOST, MANY],
    "vkGetPhysicalDeviceImageFormatProperties": MEMORY + [FORMAT],
    "vkGetPhysicalDeviceImageFormatProperties2": MEMORY + [FORMAT],
    "vkGetPhysicalDeviceSurfaceCapabilitiesKHR": QUERY + [SURFACE],
    "vkGetPhysicalDeviceSurfaceFormatsKHR": QUERY + [SURFACE],
    "vkGetPhysicalDeviceSurfacePresentModesKHR": QUERY + [SURFACE],
    "vkGetPhysicalDeviceSurfaceSupportKHR": QUERY + [SURFACE],
    "vkGetPipelineCacheData": MEMORY,
    "vkGetQueryPoolResults": MEMORY + [LOST, UNREADY],
    "vkGetSemaphoreCounterValue": MEMORY + [LOST],
    "vkGetSemaphoreFdKHR": [HOST, MANY],
    "vkGetSwapchainImagesKHR": MEMORY,
    "vkInvalidateMappedMemoryRanges": MEMORY,
    "vkMapMemory": MEMORY + [MAP],
    "vkQueuePresentKHR": MEMORY + [LOST, STALE, SURFACE, SUBOPTIMAL],
    "vkQueueSubmit": MEMORY + [LOST],
    "vkQueueSubmit2": MEMORY + [LOST],
    "vkQueueWaitIdle": MEMORY + [LOST],
    "vkResetCommandBuffer": MEMORY,
    "vkResetCommandPool": MEMORY,
    "vkResetDescriptorPool": [],
    "vkResetFences": [DEVICE],
    "vkSetDebugUtilsObjectNameEXT": MEMORY,
    "vkSignalSemaphore": MEMORY,
    "vkWaitForFences": MEMORY + [LOST, TIMEOUT],
    "vkWaitSemaphores": MEMORY + [LOST, TIMEOUT],
}
# Lists may be incomplete. (A count of two numbers is never: each list is asked
# for its length first.)
CAN_BE_INCOMPLETE = {
    "vkEnumerateDeviceExtensionProperties",
    "vkEnumerateInstanceExtensionProperties",
    "vkEnumerateInstanceLayerProperties",
    "vkEnumeratePhysicalDeviceGroups",
    "vkEnumeratePhysicalDevices",
    "vkGetPhysicalDeviceSurfaceFormatsKHR",
    "vkGetPhysicalDeviceSurfacePresentModesKHR",
    "vkGetPipelineCacheData",
}
# What a run does without: names for debuggers, the pipeline cache on disk, the
# wish for a present mode (fifo is always there), times in the statistics, an
# extension that only helps, whether memory could be exported (then Vulkan
# steps), and waiting once more at the very end.
COURTESIES = {
    "vkSetDebugUtilsObjectNameEXT",
    "vkGetPipelineCacheData",
    "vkGetPhysicalDeviceSurfacePresentModesKHR",
    "vkGetQueryPoolResults",
    "vkGetSemaphoreCounterValue",
    "vkGetPhysicalDeviceImageFormatProperties2",
    "vkEnumerateDeviceExtensionProperties",
    "vkDeviceWaitIdle",
}
# So many calls at the end of a run see to it that nothing is in flight any more
# when all files are written and objects are about to be destroyed.
LAST = {"vkWaitSemaphores": 2, "vkCreateFence": 1, "vkQueueSubmit2": 1, "vkWaitForFences": 1}
# How often these are called depends on the clock.
POLLED = {"vkGetSemaphoreCounterValue", "vkGetQueryPoolResults", "vkWaitSemaphores", "vkAcquireNextImageKHR"}
# Who else makes these calls, and tells of them in words of its own: GLFW, ...
ALIASES = {
    "vkCreateXcbSurfaceKHR": ["glfwCreateWindowSurface"],
    "vkCreateXlibSurfaceKHR": ["glfwCreateWindowSurface"],
    "vkEnumerateInstanceExtensionProperties": ["instance extensions", "cannot open a window"],
    "vkEnumeratePhysicalDevices": ["no Vulkan device"],  # a loader without drivers fails so
    # The loader asks too, on the way into the driver.
    "vkEnumerateDeviceExtensionProperties": ["vkCreateDevice"],
    "vkWaitForFences": ["is stuck"],
    "vkWaitSemaphores": ["is stuck", "time-out"],
}

OUTPUTS = ["last.png", "last.npy", "stats.json"]
FRAMES = ["frame-0.png", "frame-1.png"]  # headless
SHORT = ["--size", "64x64", "--grid", "16x16", "--batch", "2"]
SHORT += ["--time-step", "0.1", "--screenshot", "last.png", "--heights", "last.npy", "--stats", "stats.json"]


RUNS = {
    "headless-timeline": [],
    "headless-binary": ["--semaphore", "binary"],
    "headless-compute": ["--renderer", "compute", "--memory", "suballocated", "--validation"],
    "headless-image": ["--heightmap", "image", "--memory", "suballocated", "--samples", "4",
                       "--style", "wireframe"],
    "headless-auto": ["--renderer", "auto"],
    "headless-switch": ["--test-toggle-every", "2", "--frames", "5", "--test-checksums"],
    "window-timeline": [],
    "window-binary": ["--semaphore", "binary"],
    "list-devices": ["--list-devices"],
}


# The renderer is chosen by the clock: pictures and calls are those of either.
BY_TIME = {"headless-auto": ("raster", "compute")}


def arguments(name):
    if name == "list-devices":
        return RUNS[name]
    headless = ["--headless", "--output", "frame-%d.png"] if name.startswith("headless") else []
    frames = [] if "--frames" in RUNS[name] else ["--frames", "2"]
    return SHORT + frames + RUNS[name] + headless


def missing(name, folder):
    """Files that a run should have written and has not."""
    wanted = OUTPUTS if name in RUNS and name != "list-devices" else []
    wanted = wanted + FRAMES if name.startswith("headless") else wanted
    return [f"{f} is missing" for f in wanted if not os.path.exists(os.path.join(folder, f))]


class Sweep:
    def __init__(self, options, environment, folder, timeout=fault_run.TIMEOUT):
        self.options, self.environment, self.folder = options, environment, folder
        self.timeout = timeout
        self.good = {}

    def run(self, name, folder, renderer="auto", **environment):
        os.makedirs(folder)
        words = [renderer if word == "auto" else word for word in arguments(name)]
        return fault_run.run(
            [os.path.abspath(self.options.program)] + words,
            folder,
            {**self.environment, **environment},
            timeout=self.timeout,
        )

    def count(self, name):
        """The calls of a run that goes well: (function, number, kind)."""
        folder = os.path.join(self.folder, name)
        log = os.path.join(self.folder, name + ".log")
        result = self.run(name, folder, FAULT_LOG=log)
        wrong = fault_run.problems(result, [0], [], folder)
        wrong += missing(name, folder)
        if wrong:
            sys.exit(f"{name}: the run that should succeed: {wrong}\n{result}")
        self.good[name] = [fault_run.pictures(folder)]
        for renderer in BY_TIME.get(name, ()):
            other = os.path.join(self.folder, f"{name}-{renderer}")
            ended = self.run(name, other, renderer=renderer)
            if ended.code != 0:
                sys.exit(f"{name}: the run that should succeed: {ended}")
            self.good[name].append(fault_run.pictures(other))
        with open(log, encoding="ascii") as file:
            return [line.split() for line in file]

    def plan(self, name):
        jobs, unknown = [], set()
        for function, number, kind in self.count(name):
            if function not in RESULTS:
                unknown.add(function)
                continue
            if self.options.only and function != self.options.only:
                continue
            results = list(RESULTS[function])
            if kind == "list" and function in CAN_BE_INCOMPLETE:
                results.append(INCOMPLETE)
            if not self.options.full and results:
                turn = int(number) - 1
                if function == "vkSetDebugUtilsObjectNameEXT" and turn % 10:
                    continue
                # Another run starts the turn elsewhere.
                results = [results[(turn + zlib.crc32(name.encode())) % len(results)]]
            jobs += [(name, function, int(number), result) for result in results]
        if unknown:
            sys.exit(f"no results are listed for {', '.join(sorted(unknown))}: add them to RESULTS")
        return jobs

    def try_one(self, job):
        name, function, number, value = job
        folder = os.path.join(self.folder, f"{name}-{function}-{number}-{value}")
        log = folder + ".log"
        result = self.run(name, folder, FAULT_CALL=f"{function}:{number}:{value}", FAULT_LOG=log)
        with open(log, encoding="ascii") as file:
            calls = sum(line.split()[0] == function for line in file)
        if calls < number and (function in POLLED or name in BY_TIME) and result.code == 0:
            result.code = fault_run.NOT_MADE
            return job, result, []
        codes = [0] if value in RECOVERS else [3] if value in UNAVAILABLE else [4]
        if value == TIMEOUT and function.startswith("vkWait"):
            codes = [4] if function == "vkWaitForFences" else [0, 4]  # some waits are repeated
        names = [function] + ALIASES.get(function, [])
        if function in COURTESIES or number > calls - LAST.get(function, 0):
            codes = [0] + (codes if value != TIMEOUT else [4])
        if function == "vkEnumerateInstanceExtensionProperties" and name.startswith("window"):
            codes = [0, 3] if value == INCOMPLETE else [3, 4]  # GLFW asks too, and hides why
        if function in COURTESIES and value in (LOST, SURFACE):
            names = []  # the next call tells
        if (function, value) == ("vkEnumerateDeviceExtensionProperties", INCOMPLETE):
            codes = [0, 4]  # the loader takes it for a failure of vkCreateDevice
        wrong = fault_run.problems(result, codes, names, folder)
        if f"fault_layer: {function}, call {number}," not in result.err:
            wrong.append("the call was not made")
        if result.code == 0:
            wrong += missing(name, folder)
            if fault_run.pictures(folder) not in self.good[name]:
                wrong.append("what was written differs from a good run")
        return job, result, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("layer")
    parser.add_argument("runs", nargs="*", choices=[[], *RUNS])
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only")
    options = parser.parse_args()
    with fault_run.scratch() as folder:
        environment = fault_run.install_layer(options.layer, os.path.join(folder, "layers"))
        sweep = Sweep(options, environment, folder)
        return fault_run.sweep(options.runs or list(RUNS), sweep, environment, NAMES.get)


if __name__ == "__main__":
    sys.exit(main())
