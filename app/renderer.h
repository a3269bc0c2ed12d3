/* renderer.h: draws a height map into an image with the hardware rasterizer.
 *
 * Thread rule: one thread. Recording allocates nothing.
 */
#ifndef APP_RENDERER_H
#define APP_RENDERER_H

#include "app/camera.h"
#include "app/options.h"
#include "app/ring.h"
#include "vkbase/pipeline.h"
#include "vkbase/target.h"

struct renderer_params {
    const struct vkb_device *device;
    const struct ring *ring;
    VkPipelineCache cache; /* may be null */
    bool external;         /* slots are taken over from CUDA for each use, and given back */
    enum options_style style;
    VkSampleCountFlagBits samples;
    VkFormat format; /* of the images drawn into */
};

struct renderer {
    struct renderer_params params;
    VkFormat depth_format;
    struct vkb_layout layout;
    VkDescriptorSet *sets;                /* one per slot */
    VkPipeline pipelines[STYLE_COUNT][2]; /* the second: lines along columns */
    bool lines;        /* wireframe by line lists: the device cannot fill with lines */
    VkExtent2D extent; /* of the attachments */
    struct vkb_image depth;
    struct vkb_image color; /* multisampled; null handle with one sample */
};

/* Makes the pipeline of the style asked for; the others when they are set. */
bool renderer_create(const struct renderer_params *params, struct renderer *renderer,
                     struct error *error);
void renderer_destroy(struct renderer *renderer);

bool renderer_set_style(struct renderer *renderer, enum options_style style, struct error *error);

/* Makes attachments of this size, unless they have it. No drawing may be in
 * flight. */
bool renderer_resize(struct renderer *renderer, VkExtent2D extent, struct error *error);

/* Records: take the slot over, draw, leave the image in `final_layout`, give
 * the slot back. `final_layout` is PRESENT_SRC_KHR or TRANSFER_SRC_OPTIMAL (then
 * a copy may follow). */
void renderer_record(const struct renderer *renderer, VkCommandBuffer commands, uint32_t slot,
                     const struct camera_view *view, VkImage image, VkImageView image_view,
                     VkImageLayout final_layout);

/* The stages at which a drawing submission reads heights: where to wait for
 * *ready*. */
VkPipelineStageFlags2 renderer_height_stages(void);

#endif
