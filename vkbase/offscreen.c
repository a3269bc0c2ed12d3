#include "vkbase/target.h"

VkImageUsageFlags vkb_target_usage(enum vkb_target_use use)
{
    static const VkImageUsageFlags usages[] = {
        [VKB_TARGET_ATTACHMENT] = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
        [VKB_TARGET_STORAGE] = VK_IMAGE_USAGE_STORAGE_BIT,
        /* The second for the sake of the view alone; every surface has it. */
        [VKB_TARGET_COPY] = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
    };
    return usages[use];
}

static bool acquire(const struct vkb_device *device, struct vkb_target *target, uint32_t slot,
                    uint64_t timeout_ns, struct vkb_acquired *acquired,
                    enum vkb_target_status *status, struct error *error)
{
    (void) device;
    (void) timeout_ns;
    (void) error;
    *acquired = (struct vkb_acquired){.image = slot % target->image_count};
    *status = VKB_TARGET_READY;
    return true;
}

static bool present(const struct vkb_device *device, struct vkb_target *target,
                    const struct vkb_acquired *acquired, enum vkb_target_status *status,
                    struct error *error)
{
    (void) device;
    (void) target;
    (void) acquired;
    (void) error;
    *status = VKB_TARGET_READY;
    return true;
}

static bool can_store(const struct vkb_device *device, VkFormat format)
{
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(device->physical, format, &properties);
    return (properties.optimalTilingFeatures & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT) != 0;
}

/* Of the two only the second is promised by the specification. */
VkFormat vkb_storage_format(const struct vkb_device *device)
{
    return can_store(device, VK_FORMAT_B8G8R8A8_UNORM) ? VK_FORMAT_B8G8R8A8_UNORM
                                                       : VK_FORMAT_R8G8B8A8_UNORM;
}

bool vkb_offscreen_create(const struct vkb_device *device,
                          const struct vkb_offscreen_params *params,
                          struct vkb_offscreen *offscreen, struct error *error)
{
    const VkExtent2D extent = params->extent;
    *offscreen = (struct vkb_offscreen){
        .target = {.use = params->use,
                   .format = params->format,
                   .extent = extent,
                   .image_count = params->count,
                   .final_layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                   .acquire = acquire,
                   .present = present},
    };
    const uint32_t limit = device->limits.maxImageDimension2D;
    if (extent.width > limit || extent.height > limit)
        return error_set(error, ERROR_UNAVAILABLE,
                         "--size %ux%u: the device draws images of up to %ux%u pixels; take a "
                         "smaller --size",
                         extent.width, extent.height, limit, limit);
    for (uint32_t i = 0; i < params->count; i++) {
        const struct vkb_image_params image = {
            .format = params->format,
            .extent = extent,
            .samples = VK_SAMPLE_COUNT_1_BIT,
            .usage = vkb_target_usage(params->use) | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
            .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
            .name = "offscreen image",
        };
        if (!vkb_image_create(device, &image, &offscreen->images[i], error)) {
            vkb_offscreen_destroy(device, offscreen);
            return false;
        }
        offscreen->target.images[i] = offscreen->images[i].handle;
        offscreen->target.views[i] = offscreen->images[i].view;
    }
    return true;
}

void vkb_offscreen_destroy(const struct vkb_device *device, struct vkb_offscreen *offscreen)
{
    for (uint32_t i = 0; i < VKB_FRAMES_MAX; i++)
        vkb_image_destroy(device, &offscreen->images[i]);
    *offscreen = (struct vkb_offscreen){0};
}
