/* renderer_measure.h: how long renderers take on this device.
 *
 * Thread rule: one thread; nothing of the device's queue may be used meanwhile.
 */
#ifndef APP_RENDERER_MEASURE_H
#define APP_RENDERER_MEASURE_H

#include "app/renderer.h"
#include "vkbase/commands.h"
#include "vkbase/timestamps.h"

/* A height map of its own, and what is drawn into. */
struct renderer_measure {
    const struct vkb_device *device;
    struct ring ring; /* one slot, for the renderers' params */
    struct vkb_commands commands;
    struct vkb_timestamps stamps;
    struct vkb_offscreen offscreen;
};

struct renderer_measure_params {
    const struct vkb_device *device;
    VkPipelineCache cache;  /* may be null */
    uint32_t width, height; /* vertices */
    bool images;            /* the height map is an image */
};

/* Makes the height map and steps it once, by Vulkan, and waits for it. */
bool renderer_measure_create(const struct renderer_measure_params *params,
                             struct renderer_measure *measure, struct error *error);
/* Accepts a zeroed or half-made struct. */
void renderer_measure_destroy(struct renderer_measure *measure);

/* Makes a target of one image, and tells the renderer, whose ring is the
 * struct's. Draw with it before the next one is set. */
bool renderer_measure_target(struct renderer_measure *measure, struct renderer *renderer,
                             VkExtent2D extent, struct error *error);

/* Draws `frames` frames of one view in one submission and waits for it. *us: microseconds
 * a frame, by the device's clock, or the host's where the device has none. */
bool renderer_measure_draw(struct renderer_measure *measure, const struct renderer *renderer,
                           const struct camera_view *view, uint32_t frames, double *us,
                           struct error *error);

/* Measures the rasterizer and the compute renderer on a few frames of this size, on
 * one where that takes a second, and says which is faster, which *kind becomes, and both times. The
 * compute renderer loses where it cannot be made for what is asked. `samples`: the rasterizer's. */
bool renderer_measure_both(const struct renderer_measure_params *params, enum options_style style,
                           VkSampleCountFlagBits samples, VkExtent2D extent,
                           enum options_renderer *kind, struct error *error);

#endif
