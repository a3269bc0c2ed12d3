/* A Vulkan layer for tests of the window: what no X server under test does.
 *
 *   WINDOW_LAYER_MINIMISE=N  after every N-th present the surface has extent 0
 *                            for the next ten queries, and the swapchain is out
 *                            of date
 *   WINDOW_LAYER_STALE=N     every N-th acquire is out of date and every N-th
 *                            present suboptimal, then out of date, in turn
 *   WINDOW_LAYER_LOST=N      the N-th present loses the surface
 *   WINDOW_LAYER_REFUSE=1    no swapchain can be had
 *   WINDOW_LAYER_NVIDIA=1    the driver gives itself out as NVIDIA's
 *   WINDOW_LAYER_CRASH=1     the driver crashes when asked about a surface
 *   WINDOW_LAYER_USAGE=N     surfaces lack these bits of VkImageUsageFlags (8: storage)
 *   WINDOW_LAYER_SAMPLES=1   the device draws with one sample only
 *
 * One instance, one device, one thread.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#define EXPORT __attribute__((visibility("default")))

enum { MINIMISED_QUERIES = 10 };

static VkInstance instance;
static VkDevice device;
static PFN_vkGetInstanceProcAddr next_instance;
static PFN_vkGetDeviceProcAddr next_device;
static unsigned long acquires, presents, stale_presents;
static unsigned minimised; /* queries left */

/* Functions further down. Those of the instance must be asked for while it is
 * made: later the loader would name the first of the chain. */
static struct {
    PFN_vkGetPhysicalDeviceProperties get_properties;
    PFN_vkGetPhysicalDeviceProperties2 get_properties2;
    PFN_vkGetPhysicalDeviceSurfaceSupportKHR get_support;
    PFN_vkGetPhysicalDeviceSurfaceCapabilitiesKHR get_capabilities;
} below;
#define BELOW_D(name) ((PFN_##name) next_device(device, #name))

static unsigned long setting(const char *name)
{
    const char *text = getenv(name);
    return text ? strtoul(text, NULL, 10) : 0;
}

static int every(const char *name, unsigned long count)
{
    const unsigned long n = setting(name);
    return n > 0 && count % n == 0;
}

/* The loader's list of what is further down. */
static VkLayerInstanceCreateInfo *instance_link(const VkInstanceCreateInfo *info)
{
    VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *) (uintptr_t) info->pNext;
    while (link && !(link->sType == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO &&
                     link->function == VK_LAYER_LINK_INFO))
        link = (VkLayerInstanceCreateInfo *) (uintptr_t) link->pNext;
    return link;
}

static VkLayerDeviceCreateInfo *device_link(const VkDeviceCreateInfo *info)
{
    VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *) (uintptr_t) info->pNext;
    while (link && !(link->sType == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO &&
                     link->function == VK_LAYER_LINK_INFO))
        link = (VkLayerDeviceCreateInfo *) (uintptr_t) link->pNext;
    return link;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkInstance *created)
{
    VkLayerInstanceCreateInfo *link = instance_link(info);
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    next_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const PFN_vkCreateInstance create =
        (PFN_vkCreateInstance) next_instance(NULL, "vkCreateInstance");
    const VkResult result = create(info, allocator, created);
    if (result != VK_SUCCESS)
        return result;
    instance = *created;
#define BELOW_I(name) (PFN_##name) next_instance(instance, #name)
    below.get_properties = BELOW_I(vkGetPhysicalDeviceProperties);
    below.get_properties2 = BELOW_I(vkGetPhysicalDeviceProperties2);
    below.get_support = BELOW_I(vkGetPhysicalDeviceSurfaceSupportKHR);
    below.get_capabilities = BELOW_I(vkGetPhysicalDeviceSurfaceCapabilitiesKHR);
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                                    const VkDeviceCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkDevice *created)
{
    VkLayerDeviceCreateInfo *link = device_link(info);
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    next_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const PFN_vkCreateDevice create = (PFN_vkCreateDevice) get(instance, "vkCreateDevice");
    const VkResult result = create(physical, info, allocator, created);
    if (result == VK_SUCCESS)
        device = *created;
    return result;
}

static void limit_samples(VkPhysicalDeviceLimits *limits)
{
    if (setting("WINDOW_LAYER_SAMPLES") == 1) {
        limits->framebufferColorSampleCounts = VK_SAMPLE_COUNT_1_BIT;
        limits->framebufferDepthSampleCounts = VK_SAMPLE_COUNT_1_BIT;
    }
}

static VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice physical,
                                                 VkPhysicalDeviceProperties *properties)
{
    below.get_properties(physical, properties);
    limit_samples(&properties->limits);
}

static VKAPI_ATTR void VKAPI_CALL get_properties2(VkPhysicalDevice physical,
                                                  VkPhysicalDeviceProperties2 *properties)
{
    below.get_properties2(physical, properties);
    limit_samples(&properties->properties.limits);
    VkBaseOutStructure *next = properties->pNext;
    for (; next && setting("WINDOW_LAYER_NVIDIA"); next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES)
            ((VkPhysicalDeviceDriverProperties *) (void *) next)->driverID =
                VK_DRIVER_ID_NVIDIA_PROPRIETARY;
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL get_support(VkPhysicalDevice physical, uint32_t family,
                                                  VkSurfaceKHR surface, VkBool32 *supported)
{
    if (setting("WINDOW_LAYER_CRASH"))
        (void) raise(SIGSEGV);
    return below.get_support(physical, family, surface, supported);
}

static VKAPI_ATTR VkResult VKAPI_CALL get_capabilities(VkPhysicalDevice physical,
                                                       VkSurfaceKHR surface,
                                                       VkSurfaceCapabilitiesKHR *capabilities)
{
    const VkResult result = below.get_capabilities(physical, surface, capabilities);
    capabilities->supportedUsageFlags &= ~(VkImageUsageFlags) setting("WINDOW_LAYER_USAGE");
    if (minimised > 0) {
        minimised--;
        capabilities->currentExtent = (VkExtent2D){0, 0};
        capabilities->minImageExtent = (VkExtent2D){0, 0};
        capabilities->maxImageExtent = (VkExtent2D){0, 0};
    }
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_swapchain(VkDevice of,
                                                       const VkSwapchainCreateInfoKHR *info,
                                                       const VkAllocationCallbacks *allocator,
                                                       VkSwapchainKHR *swapchain)
{
    if (setting("WINDOW_LAYER_REFUSE"))
        return VK_ERROR_INITIALIZATION_FAILED;
    return BELOW_D(vkCreateSwapchainKHR)(of, info, allocator, swapchain);
}

static VKAPI_ATTR VkResult VKAPI_CALL acquire(VkDevice of, VkSwapchainKHR swapchain,
                                              uint64_t timeout, VkSemaphore semaphore,
                                              VkFence fence, uint32_t *image)
{
    if (minimised > 0 || every("WINDOW_LAYER_STALE", ++acquires))
        return VK_ERROR_OUT_OF_DATE_KHR;
    return BELOW_D(vkAcquireNextImageKHR)(of, swapchain, timeout, semaphore, fence, image);
}

static VKAPI_ATTR VkResult VKAPI_CALL present(VkQueue queue, const VkPresentInfoKHR *info)
{
    const VkResult result = BELOW_D(vkQueuePresentKHR)(queue, info);
    if (result != VK_SUCCESS)
        return result;
    presents++;
    if (presents == setting("WINDOW_LAYER_LOST"))
        return VK_ERROR_SURFACE_LOST_KHR;
    if (every("WINDOW_LAYER_MINIMISE", presents)) {
        minimised = MINIMISED_QUERIES;
        return VK_ERROR_OUT_OF_DATE_KHR;
    }
    if (every("WINDOW_LAYER_STALE", presents))
        return stale_presents++ % 2 ? VK_ERROR_OUT_OF_DATE_KHR : VK_SUBOPTIMAL_KHR;
    return result;
}

/* Under these names the loader's own functions would be found first, so only
 * the one that tells the loader of them is exported. */
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_function(VkInstance of,
                                                                      const char *name);
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_function(VkDevice of, const char *name);
#define ENTRY(name, function)                                                                      \
    {                                                                                              \
        name, (PFN_vkVoidFunction) (function)                                                      \
    }
static const struct entry {
    const char *name;
    PFN_vkVoidFunction function;
} instance_entries[] =
    {
        ENTRY("vkGetInstanceProcAddr", get_instance_function),
        ENTRY("vkCreateInstance", create_instance),
        ENTRY("vkCreateDevice", create_device),
        ENTRY("vkGetPhysicalDeviceProperties", get_properties),
        ENTRY("vkGetPhysicalDeviceProperties2", get_properties2),
        ENTRY("vkGetPhysicalDeviceSurfaceSupportKHR", get_support),
        ENTRY("vkGetPhysicalDeviceSurfaceCapabilitiesKHR", get_capabilities),
        {NULL, NULL},
},
  device_entries[] = {
      ENTRY("vkGetDeviceProcAddr", get_device_function),
      ENTRY("vkCreateSwapchainKHR", create_swapchain),
      ENTRY("vkAcquireNextImageKHR", acquire),
      ENTRY("vkQueuePresentKHR", present),
      {NULL, NULL},
};

static PFN_vkVoidFunction find(const struct entry *entry, const char *name)
{
    while (entry->name && strcmp(entry->name, name) != 0)
        entry++;
    return entry->function;
}

static PFN_vkVoidFunction VKAPI_CALL get_device_function(VkDevice of, const char *name)
{
    const PFN_vkVoidFunction own = find(device_entries, name);
    return own ? own : next_device(of, name);
}

static PFN_vkVoidFunction VKAPI_CALL get_instance_function(VkInstance of, const char *name)
{
    PFN_vkVoidFunction own = find(instance_entries, name);
    if (!own)
        own = find(device_entries, name);
    return own ? own : next_instance ? next_instance(of, name) : NULL;
}

EXPORT VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *pVersionStruct)
{
    pVersionStruct->loaderLayerInterfaceVersion = 2;
    pVersionStruct->pfnGetInstanceProcAddr = get_instance_function;
    pVersionStruct->pfnGetDeviceProcAddr = get_device_function;
    pVersionStruct->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
