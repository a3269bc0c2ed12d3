#include "app/outputs.h"

#include <stdlib.h>
#include <string.h>

#include "app/compare_files.h"
#include "app/messages.h"
#include "app/npy_file.h"
#include "app/output_file.h"
#include "app/png_file.h"
#include "app/stop.h"
#include "kernels/cuda_device.h"
#include "vkbase/readback.h"

bool outputs_probe(const struct options *options, struct error *error)
{
    const char *const files[] = {
        options->screenshot,
        options->heights,
        options->stats && strcmp(options->stats, "-") != 0 ? options->stats : NULL,
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i] && !output_file_probe(files[i], error))
            return false;
    }
    return true;
}

/* Copies an image that lies in TRANSFER_SRC_OPTIMAL, after `redraw`ing it from
 * the last slot where that is asked for. */
static bool read_image(struct simulation *simulation, const struct vkb_target *source,
                       uint32_t index, bool redraw, struct image *image, struct error *error)
{
    const VkExtent2D extent = source->extent;
    const struct vkb_device *device = &simulation->device;
    struct vkb_buffer host = {0};
    struct vkb_commands commands = {0};
    VkDeviceSize size = 0;
    bool ok = false;
    if (!vkb_readback_size(extent, &size))
        return error_set(error, ERROR_RUNTIME,
                         "cannot read back a picture of %ux%u pixels: its size does not fit into "
                         "64 bits; take a smaller --size",
                         extent.width, extent.height);
    if (!vkb_readback_create(device, size, "picture read-back buffer", &host, error) ||
        !vkb_commands_create(device, 1, "picture read-back", &commands, error) ||
        !vkb_commands_begin(commands.buffers[0], true, error))
        goto done;
    if (redraw) {
        const struct camera_view view =
            camera_view(&simulation->last_camera, extent.width, extent.height);
        renderer_record(simulation->renderer, commands.buffers[0],
                        handoff_slot(&simulation->handoff, simulation->handoff.drawn - 1), &view,
                        index, NULL);
    }
    vkb_readback_record_image(commands.buffers[0], source->images[index], extent, &host);
    if (!vkb_commands_end(commands.buffers[0], error) ||
        !vkb_submit_and_wait(device, commands.buffers[0], error) ||
        !image_create(image, extent.width, extent.height, error))
        goto done;
    ok = vkb_readback_rgba(source->format, host.mapped, (size_t) extent.width * extent.height,
                           image->pixels, error);
    if (!ok)
        image_destroy(image);
done:
    vkb_commands_destroy(device, &commands);
    vkb_buffer_destroy(device, &host);
    return ok;
}

bool outputs_picture(struct simulation *simulation, struct image *image, struct error *error)
{
    const struct vkb_target *target = simulation->target;
    struct renderer *renderer = simulation->renderer;
    *image = (struct image){0};
    if (!simulation->window) {
        const uint32_t last =
            (uint32_t) ((simulation->handoff.drawn - 1) % simulation->frames_in_flight);
        return read_image(simulation, target, last, false, image, error);
    }
    const struct vkb_offscreen_params params =
        renderer_offscreen(renderer, simulation->last_extent, 1);
    struct vkb_offscreen offscreen = {0};
    const enum options_style style = renderer->params.style;
    bool ok = vkb_offscreen_create(&simulation->device, &params, &offscreen, error) &&
              renderer->ops->set_target(renderer, &offscreen.target, error) &&
              renderer->ops->set_style(renderer, simulation->last_style, error) &&
              read_image(simulation, &offscreen.target, 0, true, image, error);
    /* The run may go on, whatever became of the picture. */
    renderer->params.style = style;
    if (!renderer->ops->set_target(renderer, target, error)) {
        image_destroy(image);
        ok = false;
    }
    vkb_offscreen_destroy(&simulation->device, &offscreen);
    return ok;
}

/* A signal came before the last frame that was asked for: the one drawn last is
 * any. A run without --frames has no such frame. */
static bool cut_short(const struct simulation *simulation)
{
    const uint64_t frames = simulation->options->frames;
    return stop_signal() != 0 && (frames == 0 || simulation->handoff.drawn < frames);
}

/* The picture's two uses: the screenshot and the comparison. */
static bool use_picture(struct simulation *simulation, const struct image *reference, bool *differs,
                        struct error *error)
{
    const struct options *options = simulation->options;
    struct image image = {0};
    const bool compared = options->compare && !cut_short(simulation);
    if (options->compare && !compared)
        message_note("the run was interrupted before its last frame, so nothing is %s",
                     options->bless ? "blessed" : "compared");
    if (!options->screenshot && !compared)
        return true;
    if (!outputs_picture(simulation, &image, error))
        return false;
    const bool ok =
        (!options->screenshot || png_file_write(options->screenshot, image.width, image.height,
                                                PIXELS_RGBA, image.pixels, error)) &&
        (!compared || compare_or_bless(&image, reference, options, differs, error));
    image_destroy(&image);
    return ok;
}

static bool write_heights(struct simulation *simulation, struct error *error)
{
    const struct ring *ring = &simulation->ring;
    float *heights = malloc((size_t) ring->size);
    if (!heights)
        return error_set(error, ERROR_RUNTIME,
                         "cannot read back the heights: out of memory; take a smaller --grid");
    const bool ok =
        ring_read(&simulation->device, ring,
                  handoff_slot(&simulation->handoff, simulation->handoff.drawn - 1), heights,
                  error) &&
        npy_file_write(simulation->options->heights, ring->width, ring->height, heights, error);
    free(heights);
    return ok;
}

static bool write_stats(const struct simulation *simulation, struct error *error)
{
    const struct vkb_device_info *info = &simulation->info;
    int cuda_driver = 0;
    int cuda_runtime = 0;
    if (simulation->choice.cuda)
        cuda_device_versions(&cuda_driver, &cuda_runtime);
    const bool fifo = simulation->swapchain.present_mode == VK_PRESENT_MODE_FIFO_KHR;
    const struct stats_facts facts = {
        .device = info->name,
        .device_type = vkb_device_type_name(info->type),
        .driver = info->driver_name,
        .driver_info = info->driver_info,
        .uuid = info->uuid,
        .stepper = simulation->stepper->ops->name,
        .semaphore = vkb_semaphore_type_name(simulation->handoff.type),
        .renderer = simulation->renderer->ops->name,
        .width = simulation->last_extent.width,
        .height = simulation->last_extent.height,
        .samples = simulation->renderer->params.samples,
        .batch = simulation->ring.batch,
        .slots = simulation->ring.count,
        .frames_in_flight = simulation->frames_in_flight,
        .present_mode = fifo ? PRESENT_FIFO : simulation->options->present_mode,
        .cuda_driver = cuda_driver,
        .cuda_runtime = cuda_runtime,
    };
    return stats_write(&simulation->stats, simulation->options, &facts, error);
}

bool outputs_write(struct simulation *simulation, const struct image *reference, bool *differs,
                   struct error *error)
{
    const struct options *options = simulation->options;
    *differs = false;
    if (options->stats && !write_stats(simulation, error))
        return false;
    if (!options->screenshot && !options->heights && !options->compare)
        return true;
    if (simulation->handoff.drawn == 0 && stop_signal() != 0)
        return true; /* the exit code tells */
    if (simulation->handoff.drawn == 0)
        return error_set(error, ERROR_RUNTIME,
                         "cannot write the last frame: none was drawn before the run ended; let "
                         "it run longer");
    return (!options->heights || write_heights(simulation, error)) &&
           ((!options->screenshot && !options->compare) ||
            use_picture(simulation, reference, differs, error));
}
