#include "vkbase/device.h"

#include <stdlib.h>
#include <string.h>

#include "vkbase/result.h"

enum { QUEUE_FAMILY_MAX = 32 };

/* The first family with all flags of `need` and none of `avoid` that can present
 * to `surface`, where not null. False without an error in `why`: there is none. */
static bool find_family(VkPhysicalDevice physical, VkQueueFlags need, VkQueueFlags avoid,
                        VkSurfaceKHR surface, uint32_t *family, struct error *why)
{
    VkQueueFamilyProperties families[QUEUE_FAMILY_MAX];
    uint32_t count = QUEUE_FAMILY_MAX;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        VkBool32 presents = VK_TRUE;
        if ((families[i].queueFlags & (need | avoid)) != need)
            continue;
        if (surface &&
            !VKB_OK(why, "ask whether the device can present to this display",
                    vkGetPhysicalDeviceSurfaceSupportKHR(physical, i, surface, &presents)))
            return false;
        if (presents) {
            *family = i;
            return true;
        }
    }
    return false;
}

bool vkb_device_queue_family(VkPhysicalDevice physical, VkSurfaceKHR surface, uint32_t *family,
                             struct error *why)
{
    struct error failed = {0};
    if (find_family(physical, VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT, 0, surface, family,
                    &failed))
        return true;
    if (failed.kind == ERROR_NONE)
        error_set(&failed, ERROR_UNAVAILABLE, "%s",
                  surface ? "it cannot present to this display"
                          : "it has no queue for graphics and compute");
    if (why)
        *why = failed;
    return false;
}

/* For `params`, whose surface and compute_only decide. */
static bool choose_family(const struct vkb_device_params *params, uint32_t *family,
                          struct error *error)
{
    const VkPhysicalDevice physical = params->info->handle;
    struct error why = {0};
    if ((params->compute_only && find_family(physical, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT,
                                             VK_NULL_HANDLE, family, NULL)) ||
        vkb_device_queue_family(physical, params->surface, family, &why))
        return true;
    if (why.kind != ERROR_UNAVAILABLE)
        return error_set(error, why.kind, "%s", why.text);
    return error_set(error, ERROR_UNAVAILABLE,
                     "cannot open the device: %s; choose another --device, see --list-devices",
                     why.text);
}

bool vkb_device_has_extension(VkPhysicalDevice physical, const char *name, struct error *error)
{
    uint32_t count = 0;
    if (!VKB_OK(error, "list device extensions",
                vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL)))
        return false;
    if (count == 0)
        return false;
    VkExtensionProperties *list = calloc(count, sizeof *list);
    if (!list)
        return error_set(error, ERROR_RUNTIME,
                         "cannot list device extensions: out of memory; free memory and run again");
    const VkResult result = vkEnumerateDeviceExtensionProperties(physical, NULL, &count, list);
    bool has = false;
    if (result == VK_INCOMPLETE || vkb_check(result, error, "list device extensions",
                                             "vkEnumerateDeviceExtensionProperties")) {
        for (uint32_t i = 0; i < count && !has; i++)
            has = strcmp(list[i].extensionName, name) == 0;
    }
    free(list);
    return has;
}

bool vkb_device_compute_raster(VkPhysicalDevice physical, struct error *why)
{
    VkPhysicalDeviceVulkan12Features features12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    };
    VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &features12,
    };
    vkGetPhysicalDeviceFeatures2(physical, &features);
    const char *missing =
        !features.features.shaderInt64         ? "64-bit integers in shaders (shaderInt64)"
        : !features12.shaderBufferInt64Atomics ? "64-bit atomics (shaderBufferInt64Atomics)"
        : !features.features.shaderStorageImageWriteWithoutFormat
            ? "storage images of any format (shaderStorageImageWriteWithoutFormat)"
            : NULL;
    return !missing || error_set(why, ERROR_UNAVAILABLE, "the device lacks %s", missing);
}

static bool require(VkPhysicalDevice physical, const char *extension, const char **names,
                    uint32_t *count, struct error *error)
{
    if (!vkb_device_has_extension(physical, extension, error))
        return error_set(error, ERROR_UNAVAILABLE,
                         "cannot open the device: it lacks %s; update its driver or choose another "
                         "--device",
                         extension);
    names[(*count)++] = extension;
    return true;
}

static PFN_vkVoidFunction device_function(const struct vkb_device *device, const char *name)
{
    return vkGetDeviceProcAddr(device->handle, name);
}

static bool load_functions(const struct vkb_device_params *params, struct vkb_device *device,
                           struct error *error)
{
    if (params->export_memory)
        device->get_memory_fd = (PFN_vkGetMemoryFdKHR) device_function(device, "vkGetMemoryFdKHR");
    if (params->export_semaphores)
        device->get_semaphore_fd =
            (PFN_vkGetSemaphoreFdKHR) device_function(device, "vkGetSemaphoreFdKHR");
    if ((params->export_memory && !device->get_memory_fd) ||
        (params->export_semaphores && !device->get_semaphore_fd))
        return error_set(error, ERROR_UNAVAILABLE,
                         "cannot open the device: its driver lists extensions for export but not "
                         "their functions; update the driver");
    if (params->instance->debug_utils) {
        device->set_name = (PFN_vkSetDebugUtilsObjectNameEXT) device_function(
            device, "vkSetDebugUtilsObjectNameEXT");
        device->begin_label = (PFN_vkCmdBeginDebugUtilsLabelEXT) device_function(
            device, "vkCmdBeginDebugUtilsLabelEXT");
        device->end_label =
            (PFN_vkCmdEndDebugUtilsLabelEXT) device_function(device, "vkCmdEndDebugUtilsLabelEXT");
    }
    return true;
}

bool vkb_device_create(const struct vkb_device_params *params, struct vkb_device *device,
                       struct error *error)
{
    *device = (struct vkb_device){
        .physical = params->info->handle,
        .work_timeout_s = params->info->type == VK_PHYSICAL_DEVICE_TYPE_CPU
                              ? VKB_WORK_TIMEOUT_SOFTWARE_S
                              : VKB_WORK_TIMEOUT_S,
        .stuck = params->stuck,
    };
    const VkPhysicalDevice physical = device->physical;

    if (!choose_family(params, &device->queue_family, error))
        return false;
    VkQueueFamilyProperties families[QUEUE_FAMILY_MAX];
    uint32_t family_count = QUEUE_FAMILY_MAX;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &family_count, families);
    device->timestamp_valid_bits = families[device->queue_family].timestampValidBits;

    VkPhysicalDeviceMaintenance3Properties sizes = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES,
    };
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
        .pNext = &sizes,
    };
    vkGetPhysicalDeviceProperties2(physical, &properties);
    device->limits = properties.properties.limits;
    device->max_allocation = sizes.maxMemoryAllocationSize;
    vkGetPhysicalDeviceMemoryProperties(physical, &device->memory);

    VkPhysicalDeviceFeatures offered;
    vkGetPhysicalDeviceFeatures(physical, &offered);
    device->large_points = offered.largePoints;

    const char *extensions[8];
    uint32_t extension_count = 0;
    if (params->surface &&
        !require(physical, VK_KHR_SWAPCHAIN_EXTENSION_NAME, extensions, &extension_count, error))
        return false;
    if (params->export_memory && !require(physical, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME,
                                          extensions, &extension_count, error))
        return false;
    if (params->export_semaphores && !require(physical, VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME,
                                              extensions, &extension_count, error))
        return false;
    struct error quiet = {0};
    device->memory_budget =
        vkb_device_has_extension(physical, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME, &quiet);
    if (device->memory_budget)
        extensions[extension_count++] = VK_EXT_MEMORY_BUDGET_EXTENSION_NAME;

    VkPhysicalDeviceVulkan13Features features13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .synchronization2 = VK_TRUE,
        .dynamicRendering = VK_TRUE,
        .maintenance4 = VK_TRUE, /* a workgroup's size as SPIR-V 1.6 gives it */
    };
    VkPhysicalDeviceVulkan12Features features12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = &features13,
        .timelineSemaphore = VK_TRUE,
        .shaderBufferInt64Atomics = params->compute_raster,
    };
    const VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &features12,
        .features = {.imageCubeArray = offered.imageCubeArray,
                     .largePoints = offered.largePoints,
                     .shaderInt64 = params->compute_raster,
                     .shaderStorageImageWriteWithoutFormat = params->compute_raster},
    };
    const float priority = 1.0F;
    const VkDeviceQueueCreateInfo queue_info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = device->queue_family,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &features,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue_info,
        .enabledExtensionCount = extension_count,
        .ppEnabledExtensionNames = extensions,
    };
    if (!VKB_OK(error, "open the device", vkCreateDevice(physical, &info, NULL, &device->handle))) {
        *device = (struct vkb_device){0};
        return false;
    }
    vkGetDeviceQueue(device->handle, device->queue_family, 0, &device->queue);
    if (!load_functions(params, device, error)) {
        vkb_device_destroy(device);
        return false;
    }
    vkb_name(device, VK_OBJECT_TYPE_QUEUE, VKB_HANDLE(device->queue), "main queue");
    return true;
}

void vkb_device_destroy(struct vkb_device *device)
{
    if (device->handle)
        vkDestroyDevice(device->handle, NULL);
    *device = (struct vkb_device){0};
}

void vkb_device_stuck(const struct vkb_device *device, const struct error *error)
{
    if (device->stuck)
        device->stuck(error);
}

void vkb_name(const struct vkb_device *device, VkObjectType type, uint64_t handle,
              const char *format, ...)
{
    char name[96];
    if (!device->set_name)
        return;
    va_list arguments;
    va_start(arguments, format);
    (void) vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    const VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = handle,
        .pObjectName = name,
    };
    /* A name is a courtesy: a driver that has no memory for it is not a failure. */
    (void) device->set_name(device->handle, &info);
}

void vkb_label_begin(const struct vkb_device *device, VkCommandBuffer commands, const char *name)
{
    if (!device->begin_label)
        return;
    const VkDebugUtilsLabelEXT label = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
        .pLabelName = name,
    };
    device->begin_label(commands, &label);
}

void vkb_label_end(const struct vkb_device *device, VkCommandBuffer commands)
{
    if (device->end_label)
        device->end_label(commands);
}

VkDeviceSize vkb_device_heap_free(const struct vkb_device *device, uint32_t heap)
{
    if (!device->memory_budget)
        return device->memory.memoryHeaps[heap].size;
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT,
    };
    VkPhysicalDeviceMemoryProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2,
        .pNext = &budget,
    };
    vkGetPhysicalDeviceMemoryProperties2(device->physical, &properties);
    const VkDeviceSize used = budget.heapUsage[heap];
    const VkDeviceSize limit = budget.heapBudget[heap];
    return limit > used ? limit - used : 0;
}

VkDeviceSize vkb_device_local_free(const struct vkb_device *device)
{
    VkDeviceSize most = 0;
    for (uint32_t i = 0; i < device->memory.memoryHeapCount; i++) {
        const VkDeviceSize heap = vkb_device_heap_free(device, i);
        if ((device->memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) && heap > most)
            most = heap;
    }
    return most;
}
