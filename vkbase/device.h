/* device.h: the logical device, its one queue, and what it can do.
 *
 * One queue serves compute, graphics and presentation: submissions to it need
 * one thread at a time (Vulkan specification, "Threading Behavior"). All
 * objects made from a device must be destroyed before it.
 */
#ifndef VKBASE_DEVICE_H
#define VKBASE_DEVICE_H

#include "vkbase/device_choice.h"
#include "vkbase/instance.h"

struct vkb_device_params {
    const struct vkb_instance *instance;
    const struct vkb_device_info *info;
    VkSurfaceKHR surface;   /* the queue must be able to present to it; null: none */
    bool export_memory;     /* VK_KHR_external_memory_fd */
    bool export_semaphores; /* VK_KHR_external_semaphore_fd */
    bool compute_raster;    /* what vkb_device_compute_raster asks for */
    /* All work is compute and copies: a queue family without graphics, where there
     * is one. Not with a surface. */
    bool compute_only;
    void (*stuck)(const struct error *error); /* see vkb_device_stuck; NULL: none */
};

/* How long one piece of work, such as a frame, may take before the device is taken
 * for hung. A software device may need minutes for the largest frames. */
enum { VKB_WORK_TIMEOUT_S = 60, VKB_WORK_TIMEOUT_SOFTWARE_S = 600 };

struct vkb_device {
    VkPhysicalDevice physical;
    VkDevice handle;
    VkQueue queue;
    uint32_t queue_family;
    uint32_t timestamp_valid_bits; /* of the queue; 0: no timestamps */
    VkPhysicalDeviceLimits limits;
    VkDeviceSize max_allocation; /* bytes of one vkAllocateMemory */
    VkPhysicalDeviceMemoryProperties memory;
    uint32_t work_timeout_s; /* one of the two above */
    bool large_points;
    bool memory_budget;                 /* VK_EXT_memory_budget is there to be queried */
    PFN_vkGetMemoryFdKHR get_memory_fd; /* NULL without export_memory */
    PFN_vkGetSemaphoreFdKHR get_semaphore_fd;
    PFN_vkSetDebugUtilsObjectNameEXT set_name; /* NULL without debug utils */
    PFN_vkCmdBeginDebugUtilsLabelEXT begin_label;
    PFN_vkCmdEndDebugUtilsLabelEXT end_label;
    void (*stuck)(const struct error *error);
};

/* Finds a queue family with graphics and compute that can present to `surface`
 * (where not null). Fills `family` and returns true, or false with `why` (may
 * be NULL) as a short clause. */
bool vkb_device_queue_family(VkPhysicalDevice physical, VkSurfaceKHR surface, uint32_t *family,
                             struct error *why);

/* True if the device offers extension `name`; false also where the list cannot
 * be had (then `error` says why). */
bool vkb_device_has_extension(VkPhysicalDevice physical, const char *name, struct error *error);

/* True if shaders can use 64-bit atomics on storage buffers, and write storage
 * images without naming their format; else false with `why` (may be NULL) as a
 * short clause. */
bool vkb_device_compute_raster(VkPhysicalDevice physical, struct error *why);

bool vkb_device_create(const struct vkb_device_params *params, struct vkb_device *device,
                       struct error *error);
void vkb_device_destroy(struct vkb_device *device);

/* For who waited in vain and finds the device not lost either: what was submitted
 * may be in use for ever, so that it must not be destroyed, and a destruction or a
 * wait without a time-out may never return. Calls the device's `stuck` with the
 * error, which should end the process at once (_exit). Returns only where there
 * is none; then no object of the device may be destroyed any more. */
void vkb_device_stuck(const struct vkb_device *device, const struct error *error);

/* Names an object for debuggers and messages; `name` is copied. Does nothing
 * without debug utils. `handle` is any non-dispatchable or dispatchable handle
 * cast to uint64_t. */
void vkb_name(const struct vkb_device *device, VkObjectType type, uint64_t handle,
              const char *format, ...) __attribute__((format(printf, 4, 5)));
#define VKB_HANDLE(handle) ((uint64_t) (uintptr_t) (handle))

void vkb_label_begin(const struct vkb_device *device, VkCommandBuffer commands, const char *name);
void vkb_label_end(const struct vkb_device *device, VkCommandBuffer commands);

/* Bytes that can still be allocated from heap `heap`: its budget less its use
 * where the driver tells, else the heap's size. */
VkDeviceSize vkb_device_heap_free(const struct vkb_device *device, uint32_t heap);

/* The same of the device-local heap that has most. */
VkDeviceSize vkb_device_local_free(const struct vkb_device *device);

#endif
