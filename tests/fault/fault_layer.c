/* fault_layer: a Vulkan layer for tests that counts calls, makes one of them
 * fail, or hides what the driver can do. One instance and one device at a time.
 *
 * An implicit layer, so that it stands before all others (validation never sees
 * the call that fails) and also gets the calls made before there is an
 * instance. Its manifest is found below XDG_DATA_HOME, and it is loaded where
 * SINEWAVE_FAULT_LAYER is 1. Environment:
 *
 *   FAULT_LOG=FILE          append "FUNCTION NUMBER KIND" for every call that
 *                           returns a VkResult; KIND is "list" where a list is
 *                           filled, "count" where only its length is asked for,
 *                           "call" else
 *   FAULT_CALL=FUNCTION:NUMBER:RESULT   that call (the first is 1) returns
 *                           RESULT, a number, and says so on standard error.
 *                           0 for vkQueueSubmit2: the device hangs, see below
 *   FAULT_HASTE=N           of a device that hangs, waits with a time-out take the
 *                           Nth part of it
 *   FAULT_API=1.2           the devices' version
 *   FAULT_FEATURES=a,b      features that the devices lack
 *   FAULT_EXTENSIONS=a,b    extensions that the devices lack
 *   FAULT_FORMATS=44,50     formats that neither images nor surfaces can have
 *   FAULT_QUEUES=1          no queue family has graphics
 *   FAULT_QUEUES=2          one more queue family than the driver's one, without graphics
 *   FAULT_NAME=BYTES        the devices' name
 *   FAULT_GROUP=2           each device group has so many devices, all the same
 *   FAULT_ALLOCATION=BYTES  the most that one of the devices' allocations may have
 *   FAULT_CRASH=1           a crash says in which library or program it began (fault_crash.c)
 *
 * A call that fails is not passed on: nothing is created. After a lost device
 * or surface every call that can return it does. Results that are no errors
 * (VK_INCOMPLETE, VK_SUBOPTIMAL_KHR) and a present's VK_ERROR_OUT_OF_DATE_KHR are
 * passed on first, because what they say has been done is done.
 *
 * A device that hangs takes submissions and presents, and never runs them: none
 * of their fences and semaphores is signalled. Waits without a time-out never
 * return, and what destroys an object, which may be in use, is told of on
 * standard error. To end a device that hangs never returns either.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include "fault_hide.h"

#define EXPORT __attribute__((visibility("default")))
static const char not_a_list;
#define NOT_A_LIST ((const void *) &not_a_list)

static PFN_vkGetInstanceProcAddr next_instance_proc;
static PFN_vkGetDeviceProcAddr next_device_proc;
static VkInstance the_instance;
static VkDevice the_device;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool device_lost, surface_lost, device_hangs;

/* Every function that is counted. */
enum {
#define WRAP(name, level, parameters, arguments, data) INDEX_##name,
    WRAP(vkCreateInstance, , , , ) WRAP(vkCreateDevice, , , , )
        WRAP(vkEnumerateInstanceVersion, , , , )
            WRAP(vkEnumerateInstanceExtensionProperties, , , , )
                WRAP(vkEnumerateInstanceLayerProperties, , , , ) WRAP(vkCreateXcbSurfaceKHR, , , , )
                    WRAP(vkCreateXlibSurfaceKHR, , , , )
#include "fault_wrappers.inc"
#undef WRAP
                        INDEX_COUNT
};
static unsigned calls[INDEX_COUNT];

static bool loses_device(const char *name)
{
    static const char *const names[] = {
        "vkQueueSubmit",     "vkQueueSubmit2",       "vkQueueWaitIdle",
        "vkDeviceWaitIdle",  "vkWaitForFences",      "vkGetFenceStatus",
        "vkWaitSemaphores",  "vkGetEventStatus",     "vkGetSemaphoreCounterValue",
        "vkQueuePresentKHR", "vkQueueBindSparse",    "vkGetQueryPoolResults",
        "vkCreateDevice",    "vkCreateSwapchainKHR", "vkAcquireNextImageKHR",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return false;
}

static bool loses_surface(const char *name)
{
    return strncmp(name, "vkGetPhysicalDeviceSurface", 26) == 0 ||
           strcmp(name, "vkCreateSwapchainKHR") == 0 ||
           strcmp(name, "vkAcquireNextImageKHR") == 0 || strcmp(name, "vkQueuePresentKHR") == 0;
}

/* Before the program believes that the device is lost and destroys what is in
 * use: the device below is none the wiser. */
static void lose_device(void)
{
    if (the_device && !device_lost) {
        const PFN_vkDeviceWaitIdle wait =
            (PFN_vkDeviceWaitIdle) next_device_proc(the_device, "vkDeviceWaitIdle");
        (void) wait(the_device);
    }
    device_lost = true;
}

/* To be called under the mutex. True: call `index` of a device that hangs is
 * taken and not run. `wait`: it does not return. */
static bool hangs(int index, bool *wait)
{
    *wait = device_hangs && (index == INDEX_vkQueueWaitIdle || index == INDEX_vkDeviceWaitIdle);
    return device_hangs && (index == INDEX_vkQueueSubmit2 || index == INDEX_vkQueueSubmit ||
                            index == INDEX_vkQueuePresentKHR);
}

static void wait_for_ever(const char *name)
{
    (void) fprintf(stderr, "fault_layer: %s waits for a device that hangs\n", name);
    for (;;)
        (void) pause();
}

/* Counts a call. True: it is to return *result; *pass_on: after being made. */
static bool inject(int index, const char *name, const void *data, VkResult *result, bool *pass_on)
{
    const char *log = getenv("FAULT_LOG");
    const char *plan = getenv("FAULT_CALL");
    bool hit = false;
    *pass_on = false;
    (void) pthread_mutex_lock(&mutex);
    const unsigned number = ++calls[index];
    if (log) {
        FILE *file = fopen(log, "ae");
        if (file) {
            (void) fprintf(file, "%s %u %s\n", name, number,
                           data == NOT_A_LIST ? "call"
                           : data             ? "list"
                                              : "count");
            (void) fclose(file);
        }
    }
    const size_t length = strlen(name);
    if (plan && strncmp(plan, name, length) == 0 && plan[length] == ':') {
        char *end = NULL;
        const unsigned long wanted = strtoul(plan + length + 1, &end, 10);
        if (wanted == number && *end == ':') {
            *result = (VkResult) strtol(end + 1, NULL, 10);
            hit = true;
            *pass_on = *result == VK_INCOMPLETE || *result == VK_SUBOPTIMAL_KHR ||
                       (*result == VK_ERROR_OUT_OF_DATE_KHR && index == INDEX_vkQueuePresentKHR);
            if (*result == VK_ERROR_DEVICE_LOST)
                lose_device();
            surface_lost = surface_lost || *result == VK_ERROR_SURFACE_LOST_KHR;
            device_hangs = index == INDEX_vkQueueSubmit2 && *result == VK_SUCCESS;
            (void) fprintf(stderr, "fault_layer: %s, call %u, returns %d\n", name, number,
                           (int) *result);
        }
    }
    if (!hit && ((device_lost && loses_device(name)) || (surface_lost && loses_surface(name)))) {
        *result = device_lost ? VK_ERROR_DEVICE_LOST : VK_ERROR_SURFACE_LOST_KHR;
        hit = true;
    }
    bool wait = false;
    if (!hit && hangs(index, &wait)) {
        *result = VK_SUCCESS;
        hit = true;
    }
    (void) pthread_mutex_unlock(&mutex);
    if (wait)
        wait_for_ever(name);
    return hit;
}

/* A result that is no error does not hide one. */
static VkResult worse(VkResult made, VkResult wanted)
{
    return made < 0 ? made : wanted;
}

#define WRAP(name, level, parameters, arguments, data)                                             \
    static PFN_##name next_##name;                                                                 \
    static VKAPI_ATTR VkResult VKAPI_CALL wrap_##name parameters                                   \
    {                                                                                              \
        VkResult result = VK_SUCCESS;                                                              \
        bool pass_on = false;                                                                      \
        if (!inject(INDEX_##name, #name, data, &result, &pass_on))                                 \
            return next_##name arguments;                                                          \
        return pass_on ? worse(next_##name arguments, result) : result;                            \
    }
/* Of a window system whose headers are not wanted here: pointers all. */
typedef VkResult(VKAPI_PTR *PFN_vkCreateXcbSurfaceKHR)(VkInstance, const void *,
                                                       const VkAllocationCallbacks *,
                                                       VkSurfaceKHR *);
typedef PFN_vkCreateXcbSurfaceKHR PFN_vkCreateXlibSurfaceKHR;
#define SURFACES(X)                                                                                \
    X(vkCreateXcbSurfaceKHR, INSTANCE,                                                             \
      (VkInstance instance, const void *info, const VkAllocationCallbacks *allocator,              \
       VkSurfaceKHR *surface),                                                                     \
      (instance, info, allocator, surface), NOT_A_LIST)                                            \
    X(vkCreateXlibSurfaceKHR, INSTANCE,                                                            \
      (VkInstance instance, const void *info, const VkAllocationCallbacks *allocator,              \
       VkSurfaceKHR *surface),                                                                     \
      (instance, info, allocator, surface), NOT_A_LIST)
SURFACES(WRAP)
/* These hide or change things as well, or may be shorter. */
#define wrap_vkCreateCommandPool plain_vkCreateCommandPool
#define wrap_vkWaitForFences plain_vkWaitForFences
#define wrap_vkWaitSemaphores plain_vkWaitSemaphores
#define wrap_vkEnumerateDeviceExtensionProperties plain_vkEnumerateDeviceExtensionProperties
#define wrap_vkGetPhysicalDeviceSurfaceFormatsKHR plain_vkGetPhysicalDeviceSurfaceFormatsKHR
#define wrap_vkGetPhysicalDeviceImageFormatProperties2                                             \
    plain_vkGetPhysicalDeviceImageFormatProperties2
#define wrap_vkEnumeratePhysicalDeviceGroups plain_vkEnumeratePhysicalDeviceGroups
#include "fault_wrappers.inc"
#undef wrap_vkCreateCommandPool
#undef wrap_vkWaitForFences
#undef wrap_vkWaitSemaphores
#undef wrap_vkEnumerateDeviceExtensionProperties
#undef wrap_vkGetPhysicalDeviceSurfaceFormatsKHR
#undef wrap_vkGetPhysicalDeviceImageFormatProperties2
#undef wrap_vkEnumeratePhysicalDeviceGroups
#undef WRAP

/* The time-out of a wait: a test need not sit through the program's own. */
static uint64_t hasten(uint64_t timeout_ns)
{
    const char *haste = getenv("FAULT_HASTE");
    (void) pthread_mutex_lock(&mutex);
    const bool shorter = haste && device_hangs && timeout_ns != UINT64_MAX;
    (void) pthread_mutex_unlock(&mutex);
    const unsigned long part = shorter ? strtoul(haste, NULL, 10) : 1;
    return part > 1 ? timeout_ns / part : timeout_ns;
}

static VKAPI_ATTR VkResult VKAPI_CALL wrap_vkWaitForFences(VkDevice device, uint32_t count,
                                                           const VkFence *fences, VkBool32 all,
                                                           uint64_t timeout_ns)
{
    return plain_vkWaitForFences(device, count, fences, all, hasten(timeout_ns));
}

static VKAPI_ATTR VkResult VKAPI_CALL wrap_vkWaitSemaphores(VkDevice device,
                                                            const VkSemaphoreWaitInfo *info,
                                                            uint64_t timeout_ns)
{
    return plain_vkWaitSemaphores(device, info, hasten(timeout_ns));
}

static VKAPI_ATTR VkResult VKAPI_CALL
wrap_vkCreateCommandPool(VkDevice device, const VkCommandPoolCreateInfo *info,
                         const VkAllocationCallbacks *allocator, VkCommandPool *pool)
{
    VkCommandPoolCreateInfo changed = *info;
    changed.queueFamilyIndex = fault_family(info->queueFamilyIndex);
    return plain_vkCreateCommandPool(device, &changed, allocator, pool);
}

static VKAPI_ATTR VkResult VKAPI_CALL wrap_vkEnumerateDeviceExtensionProperties(
    VkPhysicalDevice device, const char *layer, uint32_t *count, VkExtensionProperties *list)
{
    const VkResult result = plain_vkEnumerateDeviceExtensionProperties(device, layer, count, list);
    for (uint32_t i = 0; result >= 0 && list && i < *count; i++) {
        if (fault_listed("FAULT_EXTENSIONS", list[i].extensionName))
            (void) snprintf(list[i].extensionName, sizeof list[i].extensionName, "VK_hidden_%u", i);
    }
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL wrap_vkGetPhysicalDeviceSurfaceFormatsKHR(
    VkPhysicalDevice device, VkSurfaceKHR surface, uint32_t *count, VkSurfaceFormatKHR *list)
{
    const VkResult result =
        plain_vkGetPhysicalDeviceSurfaceFormatsKHR(device, surface, count, list);
    for (uint32_t i = 0; result >= 0 && list && i < *count; i++) {
        if (fault_format_hidden(list[i].format))
            list[i].format = VK_FORMAT_R5G6B5_UNORM_PACK16;
    }
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL wrap_vkGetPhysicalDeviceImageFormatProperties2(
    VkPhysicalDevice device, const VkPhysicalDeviceImageFormatInfo2 *info,
    VkImageFormatProperties2 *properties)
{
    const VkResult result =
        plain_vkGetPhysicalDeviceImageFormatProperties2(device, info, properties);
    return result == VK_SUCCESS && fault_format_hidden(info->format) ? VK_ERROR_FORMAT_NOT_SUPPORTED
                                                                     : result;
}

static VKAPI_ATTR VkResult VKAPI_CALL wrap_vkEnumeratePhysicalDeviceGroups(
    VkInstance instance, uint32_t *count, VkPhysicalDeviceGroupProperties *list)
{
    const VkResult result = plain_vkEnumeratePhysicalDeviceGroups(instance, count, list);
    for (uint32_t i = 0; result >= 0 && list && i < *count; i++)
        fault_change_group(&list[i]);
    return result;
}

/* Functions without a result, of which the answer changes. */
static PFN_vkGetPhysicalDeviceProperties next_vkGetPhysicalDeviceProperties;
static PFN_vkGetPhysicalDeviceProperties2 next_vkGetPhysicalDeviceProperties2;
static PFN_vkGetPhysicalDeviceFeatures next_vkGetPhysicalDeviceFeatures;
static PFN_vkGetPhysicalDeviceFeatures2 next_vkGetPhysicalDeviceFeatures2;
static PFN_vkGetPhysicalDeviceFormatProperties next_vkGetPhysicalDeviceFormatProperties;
static PFN_vkGetPhysicalDeviceQueueFamilyProperties next_vkGetPhysicalDeviceQueueFamilyProperties;

static VKAPI_ATTR void VKAPI_CALL
wrap_vkGetPhysicalDeviceProperties(VkPhysicalDevice device, VkPhysicalDeviceProperties *properties)
{
    next_vkGetPhysicalDeviceProperties(device, properties);
    fault_change_properties(properties);
}

static VKAPI_ATTR void VKAPI_CALL wrap_vkGetPhysicalDeviceProperties2(
    VkPhysicalDevice device, VkPhysicalDeviceProperties2 *properties)
{
    next_vkGetPhysicalDeviceProperties2(device, properties);
    fault_change_properties2(properties);
}

static VKAPI_ATTR void VKAPI_CALL
wrap_vkGetPhysicalDeviceFeatures(VkPhysicalDevice device, VkPhysicalDeviceFeatures *features)
{
    next_vkGetPhysicalDeviceFeatures(device, features);
    fault_change_features(features);
}

static VKAPI_ATTR void VKAPI_CALL
wrap_vkGetPhysicalDeviceFeatures2(VkPhysicalDevice device, VkPhysicalDeviceFeatures2 *features)
{
    next_vkGetPhysicalDeviceFeatures2(device, features);
    fault_change_features2(features);
}

static VKAPI_ATTR void VKAPI_CALL wrap_vkGetPhysicalDeviceFormatProperties(
    VkPhysicalDevice device, VkFormat format, VkFormatProperties *properties)
{
    next_vkGetPhysicalDeviceFormatProperties(device, format, properties);
    if (fault_format_hidden(format))
        *properties = (VkFormatProperties){0};
}

static VKAPI_ATTR void VKAPI_CALL wrap_vkGetPhysicalDeviceQueueFamilyProperties(
    VkPhysicalDevice device, uint32_t *count, VkQueueFamilyProperties *list)
{
    const uint32_t room = *count;
    next_vkGetPhysicalDeviceQueueFamilyProperties(device, count, list);
    fault_change_queues(count, room, list);
}

static PFN_vkGetDeviceQueue next_vkGetDeviceQueue;
static VKAPI_ATTR void VKAPI_CALL wrap_vkGetDeviceQueue(VkDevice device, uint32_t family,
                                                        uint32_t index, VkQueue *queue)
{
    next_vkGetDeviceQueue(device, fault_family(family), index, queue);
}

/* Creation and destruction. */

static void tell_destruction(const char *name)
{
    (void) pthread_mutex_lock(&mutex);
    if (device_hangs)
        (void) fprintf(stderr, "fault_layer: %s, of a device that hangs\n", name);
    (void) pthread_mutex_unlock(&mutex);
}

#define WRAP(name, level, parameters, arguments, data)                                             \
    static PFN_##name next_##name;                                                                 \
    static VKAPI_ATTR void VKAPI_CALL wrap_##name parameters                                       \
    {                                                                                              \
        tell_destruction(#name);                                                                   \
        next_##name arguments;                                                                     \
    }
#include "fault_destroys.inc"
#undef WRAP

static void find_next(void);

static VKAPI_ATTR VkResult VKAPI_CALL wrap_vkCreateInstance(const VkInstanceCreateInfo *info,
                                                            const VkAllocationCallbacks *allocator,
                                                            VkInstance *instance)
{
    VkResult result = VK_SUCCESS;
    bool pass_on = false;
    /* The loader means this structure to be written to. */
    VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *) (uintptr_t) info->pNext;
    while (link && !(link->sType == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO &&
                     link->function == VK_LAYER_LINK_INFO))
        link = (VkLayerInstanceCreateInfo *) (uintptr_t) link->pNext;
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    if (inject(INDEX_vkCreateInstance, "vkCreateInstance", NOT_A_LIST, &result, &pass_on))
        return result;
    next_instance_proc = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const PFN_vkCreateInstance create =
        (PFN_vkCreateInstance) next_instance_proc(NULL, "vkCreateInstance");
    result = create(info, allocator, instance);
    if (result == VK_SUCCESS) {
        the_instance = *instance;
        find_next();
    }
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL wrap_vkCreateDevice(VkPhysicalDevice physical,
                                                          const VkDeviceCreateInfo *info,
                                                          const VkAllocationCallbacks *allocator,
                                                          VkDevice *device)
{
    VkResult result = VK_SUCCESS;
    bool pass_on = false;
    VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *) (uintptr_t) info->pNext;
    while (link && !(link->sType == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO &&
                     link->function == VK_LAYER_LINK_INFO))
        link = (VkLayerDeviceCreateInfo *) (uintptr_t) link->pNext;
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    if (inject(INDEX_vkCreateDevice, "vkCreateDevice", NOT_A_LIST, &result, &pass_on))
        return result;
    next_device_proc = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    const PFN_vkCreateDevice create =
        (PFN_vkCreateDevice) link->u.pLayerInfo->pfnNextGetInstanceProcAddr(the_instance,
                                                                            "vkCreateDevice");
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    VkDeviceQueueCreateInfo queue = *info->pQueueCreateInfos; /* the only one */
    VkDeviceCreateInfo changed = *info;
    changed.pQueueCreateInfos = &queue;
    queue.queueFamilyIndex = fault_family(queue.queueFamilyIndex);
    result = create(physical, &changed, allocator, device);
    if (result == VK_SUCCESS)
        the_device = *device;
    return result;
}

static VKAPI_ATTR void VKAPI_CALL wrap_vkDestroyDevice(VkDevice device,
                                                       const VkAllocationCallbacks *allocator)
{
    const PFN_vkDestroyDevice destroy =
        (PFN_vkDestroyDevice) next_device_proc(device, "vkDestroyDevice");
    if (device_hangs)
        wait_for_ever("vkDestroyDevice");
    the_device = VK_NULL_HANDLE;
    destroy(device, allocator);
}

/* Before there is an instance: the loader finds these by name (manifest). */

EXPORT VKAPI_ATTR VkResult VKAPI_CALL
fault_vkEnumerateInstanceVersion(const VkEnumerateInstanceVersionChain *chain, uint32_t *version);
EXPORT VKAPI_ATTR VkResult VKAPI_CALL fault_vkEnumerateInstanceExtensionProperties(
    const VkEnumerateInstanceExtensionPropertiesChain *chain, const char *layer, uint32_t *count,
    VkExtensionProperties *list);
EXPORT VKAPI_ATTR VkResult VKAPI_CALL fault_vkEnumerateInstanceLayerProperties(
    const VkEnumerateInstanceLayerPropertiesChain *chain, uint32_t *count, VkLayerProperties *list);
EXPORT VKAPI_ATTR VkResult VKAPI_CALL fault_negotiate(VkNegotiateLayerInterface *interface);

VKAPI_ATTR VkResult VKAPI_CALL
fault_vkEnumerateInstanceVersion(const VkEnumerateInstanceVersionChain *chain, uint32_t *version)
{
    VkResult result = VK_SUCCESS;
    bool pass_on = false;
    if (inject(INDEX_vkEnumerateInstanceVersion, "vkEnumerateInstanceVersion", NOT_A_LIST, &result,
               &pass_on))
        return result;
    return chain->pfnNextLayer(chain->pNextLink, version);
}

VKAPI_ATTR VkResult VKAPI_CALL fault_vkEnumerateInstanceExtensionProperties(
    const VkEnumerateInstanceExtensionPropertiesChain *chain, const char *layer, uint32_t *count,
    VkExtensionProperties *list)
{
    VkResult result = VK_SUCCESS;
    bool pass_on = false;
    if (!inject(INDEX_vkEnumerateInstanceExtensionProperties,
                "vkEnumerateInstanceExtensionProperties", list, &result, &pass_on))
        return chain->pfnNextLayer(chain->pNextLink, layer, count, list);
    return pass_on ? worse(chain->pfnNextLayer(chain->pNextLink, layer, count, list), result)
                   : result;
}

VKAPI_ATTR VkResult VKAPI_CALL fault_vkEnumerateInstanceLayerProperties(
    const VkEnumerateInstanceLayerPropertiesChain *chain, uint32_t *count, VkLayerProperties *list)
{
    VkResult result = VK_SUCCESS;
    bool pass_on = false;
    if (!inject(INDEX_vkEnumerateInstanceLayerProperties, "vkEnumerateInstanceLayerProperties",
                list, &result, &pass_on))
        return chain->pfnNextLayer(chain->pNextLink, count, list);
    return pass_on ? worse(chain->pfnNextLayer(chain->pNextLink, count, list), result) : result;
}

/* Look-up by name. */

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_proc(VkDevice device, const char *name);
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_proc(VkInstance instance,
                                                              const char *name);

struct entry {
    const char *name;
    bool device;
    PFN_vkVoidFunction wrapper;
    PFN_vkVoidFunction *next; /* NULL: the wrapper looks it up itself */
};

static const struct entry entries[] = {
#define DEVICE true
#define INSTANCE false
#define WRAP(name, level, parameters, arguments, data)                                             \
    {#name, level, (PFN_vkVoidFunction) wrap_##name, (PFN_vkVoidFunction *) (void *) &next_##name},
#include "fault_destroys.inc"
#include "fault_wrappers.inc"
    SURFACES(WRAP)
#define OWN(name, level)                                                                           \
    {                                                                                              \
#name, level, (PFN_vkVoidFunction) wrap_##name, NULL                                       \
    }
        OWN(vkCreateInstance, INSTANCE),
    OWN(vkCreateDevice, INSTANCE),
    OWN(vkDestroyDevice, DEVICE),
    WRAP(vkGetPhysicalDeviceProperties, INSTANCE, , , )
        WRAP(vkGetPhysicalDeviceProperties2, INSTANCE, , , )
            WRAP(vkGetPhysicalDeviceFeatures, INSTANCE, , , )
                WRAP(vkGetPhysicalDeviceFeatures2, INSTANCE, , , )
                    WRAP(vkGetPhysicalDeviceFormatProperties, INSTANCE, , , )
                        WRAP(vkGetPhysicalDeviceQueueFamilyProperties, INSTANCE, , , ) WRAP(
                            vkGetDeviceQueue, DEVICE, , , ){"vkGetDeviceProcAddr", true,
                                                            (PFN_vkVoidFunction) device_proc, NULL},
    {"vkGetInstanceProcAddr", false, (PFN_vkVoidFunction) instance_proc, NULL},
#undef WRAP
};

/* Now: once the instance is made, the loader's look-up begins here again. */
static void find_next(void)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (entries[i].next)
            *entries[i].next = next_instance_proc(the_instance, entries[i].name);
    }
}

static const struct entry *find(const char *name)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (strcmp(entries[i].name, name) == 0)
            return &entries[i];
    }
    return NULL;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_proc(VkDevice device, const char *name)
{
    const PFN_vkVoidFunction next = next_device_proc(device, name);
    const struct entry *entry = next ? find(name) : NULL;
    if (!entry || !entry->device)
        return next;
    if (entry->next)
        *entry->next = next;
    return entry->wrapper;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_proc(VkInstance instance, const char *name)
{
    const struct entry *entry = find(name);
    if (entry && !entry->next)
        return entry->wrapper;
    if (entry)
        return *entry->next ? entry->wrapper : NULL;
    return instance ? next_instance_proc(instance, name) : NULL;
}

VKAPI_ATTR VkResult VKAPI_CALL fault_negotiate(VkNegotiateLayerInterface *interface)
{
    if (interface->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT)
        return VK_ERROR_INITIALIZATION_FAILED;
    interface->loaderLayerInterfaceVersion = 2;
    interface->pfnGetInstanceProcAddr = instance_proc;
    interface->pfnGetDeviceProcAddr = device_proc;
    interface->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
