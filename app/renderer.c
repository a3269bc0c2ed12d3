#include "app/renderer.h"

#include "vkbase/commands.h"

const float renderer_background[4] = {0.0035F, 0.0055F, 0.0120F, 1.0F};

void renderer_record(const struct renderer *renderer, VkCommandBuffer commands, uint32_t slot,
                     const struct camera_view *view, uint32_t image,
                     const struct vkb_buffer *heights)
{
    const struct vkb_device *device = renderer->params.device;
    const struct ring *ring = renderer->params.ring;
    vkb_label_begin(device, commands, "draw");
    ring_acquire(device, ring, commands, slot, renderer->height_stages);
    renderer->ops->record(renderer, commands, slot, view, image);
    if (heights)
        ring_copy(ring, commands, slot, heights);
    ring_release(device, ring, commands, slot, renderer->height_stages);
    vkb_label_end(device, commands);
}

struct vkb_offscreen_params renderer_offscreen(const struct renderer *renderer, VkExtent2D extent,
                                               uint32_t count)
{
    const VkFormat format = renderer->params.format;
    const bool attached = format != VK_FORMAT_UNDEFINED;
    return (struct vkb_offscreen_params){
        .use = attached ? VKB_TARGET_ATTACHMENT : VKB_TARGET_STORAGE,
        .format = attached ? format : vkb_storage_format(renderer->params.device),
        .extent = extent,
        .count = count,
    };
}

void renderer_destroy(struct renderer *renderer)
{
    if (renderer)
        renderer->ops->destroy(renderer);
}
