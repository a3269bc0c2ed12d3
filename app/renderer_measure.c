#include "app/renderer_measure.h"

#include "app/clock.h"
#include "app/messages.h"
#include "app/stepper.h"
#include "vkbase/result.h"

enum { LAST_WAIT_MS = 2000, SLOW_US = 1000000 };

/* One frame of the Vulkan stepper's. */
static bool fill(struct renderer_measure *measure, const struct renderer_measure_params *params,
                 struct error *error)
{
    static const struct options no_options;
    const struct stepper_params stepper_params = {
        .device = params->device,
        .ring = &measure->ring,
        .cache = params->cache,
        .options = &no_options,
    };
    const uint32_t slot = 0;
    const struct wave_phase phase = wave_phase(0.0);
    struct handoff handoff;
    struct stepper_batch batch = {.slots = &slot, .phases = &phase};
    struct handoff_semaphores semaphores = {0};
    struct stepper *stepper = NULL;
    bool done = false;
    const struct handoff_params handoff_params = {.batch = 1, .depth = 2, .frames = 1};
    handoff_init(&handoff, &handoff_params);
    bool ok = handoff_next_batch(&handoff, &batch.handoff) &&
              handoff_semaphores_create(params->device, handoff.type, handoff.depth, false,
                                        &semaphores, error) &&
              stepper_vulkan_create(&stepper_params, &stepper, error);
    if (ok) {
        ok = stepper->ops->attach(stepper, &semaphores, error) &&
             stepper->ops->step(stepper, &batch, error) &&
             stepper->ops->wait(stepper, params->device->work_timeout_s * 1000, &done, error);
        const bool late = ok && !done;
        if (late)
            ok = error_set(error, ERROR_RUNTIME,
                           "time-out: the Vulkan stepper did not finish a frame; look for a hung "
                           "GPU in the kernel log, or take a smaller --grid");
        /* A batch's signals do not arrive all at once: here only one of them was
         * waited for, and all are destroyed. */
        ok = ok && VKB_OK(error, "wait for the queue", vkQueueWaitIdle(params->device->queue));
        /* A failed wait says nothing of the work, and what it uses is destroyed. */
        struct error quiet = {0};
        if (late)
            (void) stepper->ops->wait(stepper, LAST_WAIT_MS, &done, &quiet);
        if (late && !done)
            vkb_device_stuck(params->device, error);
        if (!ok && (done || !late))
            (void) vkQueueWaitIdle(params->device->queue);
        stepper->ops->detach(stepper);
        stepper->ops->destroy(stepper);
    }
    handoff_semaphores_destroy(params->device, &semaphores);
    return ok;
}

bool renderer_measure_create(const struct renderer_measure_params *params,
                             struct renderer_measure *measure, struct error *error)
{
    const struct ring_params ring = {
        .width = params->width,
        .height = params->height,
        .batch = 1,
        .batch_given = true,
        .frames = 1,
        .images = params->images,
    };
    *measure = (struct renderer_measure){.device = params->device};
    if (!ring_create(params->device, &ring, &measure->ring, error) ||
        !fill(measure, params, error) ||
        !vkb_commands_create(params->device, 1, "measurement", &measure->commands, error) ||
        !vkb_timestamps_create(params->device, 1, &measure->stamps, error)) {
        renderer_measure_destroy(measure);
        return false;
    }
    return true;
}

void renderer_measure_destroy(struct renderer_measure *measure)
{
    if (!measure->device)
        return;
    vkb_offscreen_destroy(measure->device, &measure->offscreen);
    vkb_timestamps_destroy(measure->device, &measure->stamps);
    vkb_commands_destroy(measure->device, &measure->commands);
    ring_destroy(measure->device, &measure->ring);
    *measure = (struct renderer_measure){0};
}

bool renderer_measure_target(struct renderer_measure *measure, struct renderer *renderer,
                             VkExtent2D extent, struct error *error)
{
    const struct vkb_offscreen_params params = renderer_offscreen(renderer, extent, 1);
    vkb_offscreen_destroy(measure->device, &measure->offscreen);
    return vkb_offscreen_create(measure->device, &params, &measure->offscreen, error) &&
           renderer->ops->set_target(renderer, &measure->offscreen.target, error);
}

bool renderer_measure_draw(struct renderer_measure *measure, const struct renderer *renderer,
                           const struct camera_view *view, uint32_t frames, double *us,
                           struct error *error)
{
    const VkCommandBuffer commands = measure->commands.buffers[0];
    uint64_t begin = 0;
    uint64_t end = 0;
    if (!vkb_commands_begin(commands, true, error))
        return false;
    vkb_timestamps_begin(&measure->stamps, commands, 0);
    for (uint32_t i = 0; i < frames; i++)
        renderer_record(renderer, commands, 0, view, 0, NULL);
    vkb_timestamps_end(&measure->stamps, commands, 0);
    if (!vkb_commands_end(commands, error))
        return false;
    const double start = clock_now();
    if (!vkb_submit_and_wait(measure->device, commands, error))
        return false;
    const double host_us = (clock_now() - start) * 1e6;
    *us = (vkb_timestamps_read(measure->device, &measure->stamps, 0, &begin, &end)
               ? vkb_timestamps_span(&measure->stamps, begin, end) * 1e-3
               : host_us) /
          frames;
    return true;
}

/* The least of three times, each of three frames in a row: what disturbs only
 * adds to it. The first frame counts where it is so slow that neither its start
 * matters nor more of its kind can be waited for: a renderer that is slow on a grid
 * must not hold up a run that the other can draw. */
static bool measure_one(struct renderer_measure *measure, struct renderer *renderer,
                        VkExtent2D extent, double *least_us, struct error *error)
{
    const struct camera camera = camera_default();
    const struct camera_view view = camera_view(&camera, extent.width, extent.height);
    if (!renderer_measure_target(measure, renderer, extent, error) ||
        !renderer_measure_draw(measure, renderer, &view, 1, least_us, error))
        return false;
    for (int i = 0; *least_us < SLOW_US && i < 3; i++) {
        double us = 0.0;
        if (!renderer_measure_draw(measure, renderer, &view, 3, &us, error))
            return false;
        if (i == 0 || us < *least_us)
            *least_us = us;
    }
    return true;
}

static bool measure_kind(struct renderer_measure *measure, const struct renderer_params *params,
                         bool compute, VkExtent2D extent, double *us, struct error *error)
{
    struct renderer *renderer = NULL;
    const bool ok =
        (compute ? renderer_compute_create : renderer_raster_create)(params, &renderer, error) &&
        measure_one(measure, renderer, extent, us, error);
    renderer_destroy(renderer);
    return ok;
}

bool renderer_measure_both(const struct renderer_measure_params *params, enum options_style style,
                           VkSampleCountFlagBits samples, VkExtent2D extent,
                           enum options_renderer *kind, struct error *error)
{
    struct renderer_measure measure;
    struct error why = {0};
    double raster_us = 0.0;
    double compute_us = 0.0;
    if (!renderer_measure_create(params, &measure, error))
        return false;
    const struct renderer_params renderer = {
        .device = params->device,
        .ring = &measure.ring,
        .cache = params->cache,
        .style = style,
        .samples = samples,
        .format = VK_FORMAT_B8G8R8A8_SRGB,
    };
    bool ok = measure_kind(&measure, &renderer, false, extent, &raster_us, error);
    if (ok && !measure_kind(&measure, &renderer, true, extent, &compute_us, &why)) {
        ok = why.kind == ERROR_UNAVAILABLE || error_set(error, why.kind, "%s", why.text);
        *kind = RENDERER_RASTER;
        if (ok)
            message_note("drawing with the rasterizer: %s", why.text);
    } else if (ok) {
        *kind = compute_us < raster_us ? RENDERER_COMPUTE : RENDERER_RASTER;
        message_note("drawing with %s: the rasterizer takes %.0f us a frame, compute shaders %.0f",
                     *kind == RENDERER_COMPUTE ? "compute shaders" : "the rasterizer", raster_us,
                     compute_us);
    }
    renderer_measure_destroy(&measure);
    return ok;
}
