#include "vkbase/target.h"

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

bool vkb_offscreen_create(const struct vkb_device *device, VkFormat format, VkExtent2D extent,
                          uint32_t count, struct vkb_offscreen *offscreen, struct error *error)
{
    *offscreen = (struct vkb_offscreen){
        .target = {.format = format,
                   .extent = extent,
                   .image_count = count,
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
    for (uint32_t i = 0; i < count; i++) {
        const struct vkb_image_params params = {
            .format = format,
            .extent = extent,
            .samples = VK_SAMPLE_COUNT_1_BIT,
            .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
            .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
            .name = "offscreen image",
        };
        if (!vkb_image_create(device, &params, &offscreen->images[i], error)) {
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
