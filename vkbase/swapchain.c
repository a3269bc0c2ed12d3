#include <stdlib.h>
#include <string.h>

#include "vkbase/result.h"
#include "vkbase/target.h"

static bool choose_format(const struct vkb_device *device, VkSurfaceKHR surface,
                          enum vkb_target_use use, VkSurfaceFormatKHR *chosen, bool *found,
                          struct error *error)
{
    /* A storage image has no sRGB format on most devices. */
    const VkFormat srgb[] = {VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_R8G8B8A8_SRGB};
    const VkFormat stored[] = {vkb_storage_format(device), VK_FORMAT_R8G8B8A8_UNORM};
    const VkFormat *wishes = use == VKB_TARGET_STORAGE ? stored : srgb;
    uint32_t count = 0;
    if (!VKB_OK(error, "ask for the window's formats",
                vkGetPhysicalDeviceSurfaceFormatsKHR(device->physical, surface, &count, NULL)))
        return false;
    VkSurfaceFormatKHR *list = calloc(count ? count : 1, sizeof *list);
    if (!list)
        return error_set(error, ERROR_RUNTIME,
                         "cannot ask for the window's formats: out of "
                         "memory; free memory and run again");
    const VkResult result =
        vkGetPhysicalDeviceSurfaceFormatsKHR(device->physical, surface, &count, list);
    const bool ok =
        result == VK_INCOMPLETE || vkb_check(result, error, "ask for the window's formats",
                                             "vkGetPhysicalDeviceSurfaceFormatsKHR");
    *found = false;
    for (size_t w = 0; ok && !*found && w < 2; w++) {
        for (uint32_t i = 0; !*found && i < count; i++) {
            *found = list[i].format == wishes[w] &&
                     list[i].colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR;
            if (*found)
                *chosen = list[i];
        }
    }
    free(list);
    return ok;
}

/* Decides how the images are drawn into, and their format. */
static bool choose_use(const struct vkb_device *device, const struct vkb_swapchain_params *params,
                       enum vkb_target_use *use, VkSurfaceFormatKHR *format, struct error *error)
{
    const VkSurfaceKHR surface = params->surface;
    bool found = false;
    VkSurfaceCapabilitiesKHR caps;
    if (!VKB_OK(error, "ask for the window's capabilities",
                vkGetPhysicalDeviceSurfaceCapabilitiesKHR(device->physical, surface, &caps)))
        return false;
    const VkImageUsageFlags offered = caps.supportedUsageFlags;
    *use = params->use;
    if ((offered & vkb_target_usage(*use)) == vkb_target_usage(*use) &&
        !choose_format(device, surface, *use, format, &found, error))
        return false;
    if (!found && *use == VKB_TARGET_STORAGE) {
        *use = VKB_TARGET_COPY;
        if ((offered & vkb_target_usage(*use)) == vkb_target_usage(*use) &&
            !choose_format(device, surface, *use, format, &found, error))
            return false;
    }
    return found ||
           error_set(error, ERROR_UNAVAILABLE,
                     "cannot draw into the window: it has no sRGB format of 8 bits per channel "
                     "on this device; choose another --device or use --headless");
}

static VkPresentModeKHR choose_present_mode(const struct vkb_device *device, VkSurfaceKHR surface,
                                            VkPresentModeKHR wish)
{
    VkPresentModeKHR modes[16];
    uint32_t count = sizeof modes / sizeof *modes;
    const VkResult result =
        vkGetPhysicalDeviceSurfacePresentModesKHR(device->physical, surface, &count, modes);
    for (uint32_t i = 0; (result == VK_SUCCESS || result == VK_INCOMPLETE) && i < count; i++) {
        if (modes[i] == wish)
            return wish;
    }
    return VK_PRESENT_MODE_FIFO_KHR; /* always there */
}

static uint32_t clamp(uint32_t value, uint32_t low, uint32_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* The lowest bit that is set: of equals the first in the specification. */
static uint32_t first_bit(uint32_t bits)
{
    return bits & (~bits + 1U);
}

static bool acquire(const struct vkb_device *device, struct vkb_target *target, uint32_t slot,
                    uint64_t timeout_ns, struct vkb_acquired *acquired,
                    enum vkb_target_status *status, struct error *error)
{
    const struct vkb_swapchain *swapchain = (struct vkb_swapchain *) (void *) target;
    uint32_t image = 0;
    *acquired = (struct vkb_acquired){0};
    if (!swapchain->handle) {
        *status = VKB_TARGET_OUT_OF_DATE;
        return true;
    }
    const VkSemaphore semaphore = swapchain->acquired[slot % swapchain->params.frames_in_flight];
    const VkResult result = vkAcquireNextImageKHR(device->handle, swapchain->handle, timeout_ns,
                                                  semaphore, VK_NULL_HANDLE, &image);
    switch (result) {
    case VK_SUCCESS:
        *status = VKB_TARGET_READY;
        break;
    case VK_SUBOPTIMAL_KHR:
        *status = VKB_TARGET_SUBOPTIMAL;
        break;
    case VK_TIMEOUT:
    case VK_NOT_READY:
        *status = VKB_TARGET_TIMEOUT;
        return true;
    case VK_ERROR_OUT_OF_DATE_KHR:
        *status = VKB_TARGET_OUT_OF_DATE;
        return true;
    default:
        return vkb_check(result, error, "get an image of the window", "vkAcquireNextImageKHR");
    }
    *acquired = (struct vkb_acquired){image, semaphore, swapchain->rendered[image]};
    return true;
}

static bool present(const struct vkb_device *device, struct vkb_target *target,
                    const struct vkb_acquired *acquired, enum vkb_target_status *status,
                    struct error *error)
{
    const struct vkb_swapchain *swapchain = (struct vkb_swapchain *) (void *) target;
    const VkPresentInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
        .waitSemaphoreCount = 1,
        .pWaitSemaphores = &acquired->rendered,
        .swapchainCount = 1,
        .pSwapchains = &swapchain->handle,
        .pImageIndices = &acquired->image,
    };
    const VkResult result = vkQueuePresentKHR(device->queue, &info);
    *status = result == VK_SUBOPTIMAL_KHR          ? VKB_TARGET_SUBOPTIMAL
              : result == VK_ERROR_OUT_OF_DATE_KHR ? VKB_TARGET_OUT_OF_DATE
                                                   : VKB_TARGET_READY;
    /* Out of date or not, the wait on `rendered` has been enqueued. */
    return *status != VKB_TARGET_READY ||
           vkb_check(result, error, "present a frame", "vkQueuePresentKHR");
}

static bool create_semaphore(const struct vkb_device *device, VkSemaphore *semaphore,
                             const char *name, uint32_t index, struct error *error)
{
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    if (!VKB_OK(error, "create a semaphore",
                vkCreateSemaphore(device->handle, &info, NULL, semaphore))) {
        *semaphore = VK_NULL_HANDLE;
        return false;
    }
    vkb_name(device, VK_OBJECT_TYPE_SEMAPHORE, VKB_HANDLE(*semaphore), "%s %u", name, index);
    return true;
}

/* The images go with the swapchain. Their semaphores come last: what the
 * presentation engine waits for is its own until then. Nothing may be in
 * flight. */
static void destroy_images(const struct vkb_device *device, struct vkb_swapchain *swapchain)
{
    struct vkb_target *target = &swapchain->target;
    for (uint32_t i = 0; i < VKB_TARGET_IMAGES_MAX; i++) {
        if (target->views[i])
            vkDestroyImageView(device->handle, target->views[i], NULL);
        target->views[i] = VK_NULL_HANDLE;
        target->images[i] = VK_NULL_HANDLE;
    }
    if (swapchain->handle)
        vkDestroySwapchainKHR(device->handle, swapchain->handle, NULL);
    swapchain->handle = VK_NULL_HANDLE;
    for (uint32_t i = 0; i < VKB_TARGET_IMAGES_MAX; i++) {
        if (swapchain->rendered[i])
            vkDestroySemaphore(device->handle, swapchain->rendered[i], NULL);
        swapchain->rendered[i] = VK_NULL_HANDLE;
    }
    target->image_count = 0;
}

/* What is retired: it takes all that the images need along. */
static struct vkb_swapchain take_images(struct vkb_swapchain *swapchain)
{
    struct vkb_target *target = &swapchain->target;
    const struct vkb_swapchain old = *swapchain;
    swapchain->handle = VK_NULL_HANDLE;
    memset(swapchain->rendered, 0, sizeof swapchain->rendered);
    memset(target->views, 0, sizeof target->views);
    memset(target->images, 0, sizeof target->images);
    target->image_count = 0;
    target->extent = (VkExtent2D){0, 0};
    return old;
}

static bool create_images(const struct vkb_device *device, struct vkb_swapchain *swapchain,
                          struct error *error)
{
    struct vkb_target *target = &swapchain->target;
    uint32_t count = 0;
    if (!VKB_OK(error, "get the swapchain's images",
                vkGetSwapchainImagesKHR(device->handle, swapchain->handle, &count, NULL)))
        return false;
    if (count > VKB_TARGET_IMAGES_MAX)
        return error_set(error, ERROR_UNAVAILABLE,
                         "cannot draw into the window: vkGetSwapchainImagesKHR gives %u images and "
                         "at most %d are expected; choose another --device or use --headless",
                         count, VKB_TARGET_IMAGES_MAX);
    if (!VKB_OK(error, "get the swapchain's images",
                vkGetSwapchainImagesKHR(device->handle, swapchain->handle, &count, target->images)))
        return false;
    target->image_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const VkImageViewCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
            .image = target->images[i],
            .viewType = VK_IMAGE_VIEW_TYPE_2D,
            .format = target->format,
            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
        };
        vkb_name(device, VK_OBJECT_TYPE_IMAGE, VKB_HANDLE(target->images[i]), "swapchain image %u",
                 i);
        if (!VKB_OK(error, "create a view of a swapchain image",
                    vkCreateImageView(device->handle, &info, NULL, &target->views[i]))) {
            target->views[i] = VK_NULL_HANDLE;
            return false;
        }
        if (!create_semaphore(device, &swapchain->rendered[i], "rendered", i, error))
            return false;
    }
    return true;
}

/* A driver may find out only now that it cannot present to this display. */
static bool refused(VkResult result, bool first, struct error *error)
{
    switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_DEVICE_LOST:
    case VK_ERROR_SURFACE_LOST_KHR:
        break;
    default:
        if (first)
            return error_set(error, ERROR_UNAVAILABLE,
                             "cannot create the swapchain: vkCreateSwapchainKHR returned %s: the "
                             "device cannot present to this display; choose another --device or "
                             "use --headless",
                             vkb_result_name(result));
    }
    return vkb_check(result, error, "create the swapchain", "vkCreateSwapchainKHR");
}

bool vkb_swapchain_recreate(const struct vkb_device *device, struct vkb_swapchain *swapchain,
                            VkExtent2D extent, struct error *error)
{
    struct vkb_target *target = &swapchain->target;
    const VkSurfaceKHR surface = swapchain->params.surface;
    /* The presentation engine's waits on `rendered` are part of the queue. */
    if (swapchain->handle && !VKB_OK(error, "wait for the queue", vkQueueWaitIdle(device->queue)))
        return false;

    VkSurfaceCapabilitiesKHR caps;
    if (!VKB_OK(error, "ask for the window's capabilities",
                vkGetPhysicalDeviceSurfaceCapabilitiesKHR(device->physical, surface, &caps)))
        return false;
    swapchain->extent_is_ours = caps.currentExtent.width == UINT32_MAX;
    if (!swapchain->extent_is_ours) {
        extent = caps.currentExtent;
    } else if (extent.width > 0 && extent.height > 0) {
        extent.width = clamp(extent.width, caps.minImageExtent.width, caps.maxImageExtent.width);
        extent.height =
            clamp(extent.height, caps.minImageExtent.height, caps.maxImageExtent.height);
    }
    swapchain->present_mode = choose_present_mode(device, surface, swapchain->params.present_mode);
    struct vkb_swapchain old = take_images(swapchain);
    if (extent.width == 0 || extent.height == 0 || caps.maxImageExtent.width == 0 ||
        caps.maxImageExtent.height == 0) {
        destroy_images(device, &old);
        return true;
    }
    uint32_t count = caps.minImageCount + 1; /* one to draw into while the others are shown */
    if (caps.maxImageCount && count > caps.maxImageCount)
        count = caps.maxImageCount;
    const VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = surface,
        .minImageCount = count,
        .imageFormat = target->format,
        .imageColorSpace = swapchain->color_space,
        .imageExtent = extent,
        .imageArrayLayers = 1,
        .imageUsage = vkb_target_usage(target->use),
        .imageSharingMode = VK_SHARING_MODE_EXCLUSIVE,
        .preTransform = caps.supportedTransforms & VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR
                            ? VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR
                            : caps.currentTransform,
        .compositeAlpha =
            caps.supportedCompositeAlpha & VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
                ? VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
                : (VkCompositeAlphaFlagBitsKHR) first_bit(caps.supportedCompositeAlpha),
        .presentMode = swapchain->present_mode,
        .clipped = VK_TRUE,
        .oldSwapchain = old.handle,
    };
    const VkResult result = vkCreateSwapchainKHR(device->handle, &info, NULL, &swapchain->handle);
    const bool first = !swapchain->was_made;
    /* The old one is retired even if the call failed. */
    destroy_images(device, &old);
    if (result != VK_SUCCESS) {
        swapchain->handle = VK_NULL_HANDLE;
        return refused(result, first, error);
    }
    swapchain->was_made = true;
    target->extent = extent;
    return create_images(device, swapchain, error);
}

bool vkb_swapchain_create(const struct vkb_device *device,
                          const struct vkb_swapchain_params *params,
                          struct vkb_swapchain *swapchain, struct error *error)
{
    *swapchain = (struct vkb_swapchain){
        .target = {.final_layout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
                   .acquire = acquire,
                   .present = present},
        .params = *params,
    };
    VkSurfaceFormatKHR format = {0};
    if (!choose_use(device, params, &swapchain->target.use, &format, error))
        goto fail;
    swapchain->target.format = format.format;
    swapchain->color_space = format.colorSpace;
    for (uint32_t i = 0; i < params->frames_in_flight; i++) {
        if (!create_semaphore(device, &swapchain->acquired[i], "acquired", i, error))
            goto fail;
    }
    if (!vkb_swapchain_recreate(device, swapchain, params->extent, error))
        goto fail;
    return true;
fail:
    vkb_swapchain_destroy(device, swapchain);
    return false;
}

void vkb_swapchain_destroy(const struct vkb_device *device, struct vkb_swapchain *swapchain)
{
    destroy_images(device, swapchain);
    for (uint32_t i = 0; i < VKB_FRAMES_MAX; i++) {
        if (swapchain->acquired[i])
            vkDestroySemaphore(device->handle, swapchain->acquired[i], NULL);
    }
    *swapchain = (struct vkb_swapchain){0};
}
