/* renderer.h: draws a height map into an image; one interface for the hardware
 * rasterizer and the compute shader.
 *
 * Thread rule: one thread per renderer. Recording allocates nothing.
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
    enum options_style style;
    VkSampleCountFlagBits samples;
    VkFormat format; /* of colour attachments; undefined in the compute renderer */
};

struct renderer;

struct renderer_ops {
    const char *name; /* "raster" or "compute" */
    /* Makes what the style needs, unless it is there, and draws in it from now
     * on. */
    bool (*set_style)(struct renderer *renderer, enum options_style style, struct error *error);
    /* Gets ready to draw into a target that is new or was made anew: the raster
     * renderer into attachments, the compute renderer into the others. The
     * target must stay until the next one is set. No drawing may be in flight. */
    bool (*set_target)(struct renderer *renderer, const struct vkb_target *target,
                       struct error *error);
    /* For renderer_record: the slot is Vulkan's. Records: draw into image
     * `image` of the target, leave it in its final layout (TRANSFER_SRC_OPTIMAL:
     * a copy may follow). */
    void (*record)(const struct renderer *renderer, VkCommandBuffer commands, uint32_t slot,
                   const struct camera_view *view, uint32_t image);
    void (*destroy)(struct renderer *renderer);
};

struct renderer {
    const struct renderer_ops *ops;
    struct renderer_params params; /* `style` is the present one */
    /* Stages of a drawing submission: those that read heights, where to wait for
     * *ready*, and those that write the image, where to wait for it. Who has
     * renderer_record copy heights adds the copy to the former. */
    VkPipelineStageFlags2 height_stages, image_stages;
    /* Grows whenever recorded commands would draw something else, or into what is
     * gone: with each target and style that is set. */
    uint64_t generation;
    const char *depth; /* how depth is kept, for the user */
};

/* Linear colour of what no surface covers. */
extern const float renderer_background[4];

/* Both make what the style of `params` needs; on failure nothing is left. The
 * compute renderer needs a device made with compute_raster, and one sample. */
bool renderer_raster_create(const struct renderer_params *params, struct renderer **renderer,
                            struct error *error);
bool renderer_compute_create(const struct renderer_params *params, struct renderer **renderer,
                             struct error *error);

/* Whether the options leave the rasterizer alone to draw, on whatever device. */
bool renderer_is_raster(const struct options *options);

/* Whether the compute renderer comes into question: *kind is what the options
 * ask for, with raster or compute for an auto that has no choice, which is told.
 * What was asked for by name and cannot be had is ERROR_UNAVAILABLE. */
bool renderer_possible(const struct options *options, const struct vkb_device_info *info,
                       enum options_renderer *kind, struct error *error);

/* Whether the compute renderer can draw pictures of this size; else false with `why`
 * as a short clause. */
bool renderer_compute_fits(const struct vkb_device *device, VkExtent2D extent, struct error *why);

/* Records: take the slot over, draw it into image `image` of the target, copy the
 * heights that were drawn to `heights` (NULL: do not), give the slot back. */
void renderer_record(const struct renderer *renderer, VkCommandBuffer commands, uint32_t slot,
                     const struct camera_view *view, uint32_t image,
                     const struct vkb_buffer *heights);

/* What offscreen images for this renderer are made with. */
struct vkb_offscreen_params renderer_offscreen(const struct renderer *renderer, VkExtent2D extent,
                                               uint32_t count);

/* Accepts NULL. */
void renderer_destroy(struct renderer *renderer);

#endif
