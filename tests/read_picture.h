/* read_picture.h: what a renderer drew, for programs that draw without a run. */
#ifndef TESTS_READ_PICTURE_H
#define TESTS_READ_PICTURE_H

#include "app/image.h"
#include "app/renderer_measure.h"
#include "vkbase/readback.h"

/* The picture drawn last; the caller destroys it. */
static inline bool read_picture(struct renderer_measure *measure, struct image *image,
                                struct error *error)
{
    const struct vkb_target *target = &measure->offscreen.target;
    const VkCommandBuffer commands = measure->commands.buffers[0];
    const VkExtent2D extent = target->extent;
    struct vkb_buffer host = {0};
    VkDeviceSize size = 0;
    bool ok = vkb_readback_size(extent, &size) &&
              vkb_readback_create(measure->device, size, "picture", &host, error) &&
              vkb_commands_begin(commands, true, error);
    if (ok) {
        vkb_readback_record_image(commands, target->images[0], extent, &host);
        ok = vkb_commands_end(commands, error) &&
             vkb_submit_and_wait(measure->device, commands, error) &&
             image_create(image, extent.width, extent.height, error) &&
             vkb_readback_rgba(target->format, host.mapped, (size_t) extent.width * extent.height,
                               image->pixels, error);
    }
    vkb_buffer_destroy(measure->device, &host);
    return ok;
}

#endif
