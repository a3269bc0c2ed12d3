#include "app/capture.h"

#include <string.h>
#include <unistd.h>

bool capture_create(const struct capture_params *params, struct capture *capture,
                    struct error *error)
{
    const VkExtent2D extent = params->target->extent;
    VkDeviceSize size = 0;
    *capture =
        (struct capture){.count = params->frames_in_flight, .first_frame = params->first_frame};
    if (!vkb_readback_size(extent, &size))
        return error_set(error, ERROR_RUNTIME,
                         "cannot read back frames of %ux%u pixels: their size does not fit into 64 "
                         "bits; take a smaller --size",
                         extent.width, extent.height);
    capture->frame_bytes = (size_t) size;
    for (uint32_t i = 0; i < capture->count; i++) {
        if (!vkb_readback_create(params->device, size, "frame read-back buffer",
                                 &capture->buffers[i], error))
            goto fail;
    }
    const bool bgra = params->target->format == VK_FORMAT_B8G8R8A8_SRGB ||
                      params->target->format == VK_FORMAT_B8G8R8A8_UNORM;
    const struct sequence_params sequence = {
        .output = params->output,
        .fd = STDOUT_FILENO,
        .width = extent.width,
        .height = extent.height,
        .order = bgra ? PIXELS_BGRA : PIXELS_RGBA,
        .time_step = params->time_step,
        .first_frame = params->first_frame,
    };
    if (!sequence_create(&capture->sequence, &sequence, error))
        goto fail;
    return true;
fail:
    capture_destroy(params->device, capture);
    return false;
}

void capture_record(const struct capture *capture, VkCommandBuffer commands,
                    const struct vkb_target *target, uint32_t image, uint64_t frame)
{
    if (capture->sequence)
        vkb_readback_record_image(commands, target->images[image], target->extent,
                                  &capture->buffers[frame % capture->count]);
}

bool capture_take(struct capture *capture, uint64_t finished, struct error *error)
{
    for (; capture->sequence && capture->taken < finished; capture->taken++) {
        uint8_t *pixels = sequence_acquire(capture->sequence, error);
        if (!pixels)
            return false;
        memcpy(pixels, capture->buffers[capture->taken % capture->count].mapped,
               capture->frame_bytes);
        if (!sequence_push(capture->sequence, capture->first_frame + capture->taken, error))
            return false;
    }
    return true;
}

bool capture_finish(struct capture *capture, struct error *error)
{
    return !capture->sequence || sequence_finish(capture->sequence, error);
}

void capture_settle(struct capture *capture, int seconds)
{
    if (capture->sequence)
        (void) sequence_settle(capture->sequence, seconds);
}

void capture_destroy(const struct vkb_device *device, struct capture *capture)
{
    sequence_destroy(capture->sequence);
    for (uint32_t i = 0; i < VKB_FRAMES_MAX; i++)
        vkb_buffer_destroy(device, &capture->buffers[i]);
    *capture = (struct capture){0};
}
