#include "app/simulation.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "app/messages.h"
#include "app/pacing.h"
#include "app/present_probe.h"
#include "app/renderer_measure.h"
#include "vkbase/result.h"

/* Two frames keep a window's picture recent; without one throughput counts. */
enum { WINDOW_FRAMES = 2, HEADLESS_FRAMES = 3 };

/* Of the ring where CUDA steps without a window. */
enum { RING_SLOTS = 32 };

static bool create_instance(struct simulation *simulation, struct error *error)
{
    const struct options *options = simulation->options;
    struct vkb_instance_params params = {
        .application_name = "sinewave",
        .validation = options->validation,
        .message = options->validation || options->verbose ? messages_from_vulkan : NULL,
    };
    if (simulation->window &&
        !window_extensions(simulation->window, &params.extensions, &params.extension_count, error))
        return false;
    return vkb_instance_create(&params, &simulation->instance, error) &&
           (!simulation->window || window_surface(simulation->window, simulation->instance.handle,
                                                  &simulation->surface, error));
}

/* NVIDIA's driver crashes in surface queries on an X server without GLX, and
 * on one with another's GLX alone refuses the swapchain (seen with 580.159). */
static bool must_be_tried(const struct simulation *simulation, const struct vkb_device_info *info)
{
    return info->driver_id == VK_DRIVER_ID_NVIDIA_PROPRIETARY &&
           !simulation->options->test_present && window_display_is_bare(simulation->window);
}

/* Passes over what cannot present to the window. That this cannot be asked is
 * no "no". */
static bool check_presentation(struct simulation *simulation, struct vkb_device_info *list,
                               uint32_t count, struct error *error)
{
    for (uint32_t i = 0; simulation->surface && i < count; i++) {
        uint32_t family = 0;
        struct error why = {0};
        if (list[i].unusable[0])
            continue;
        if (!vkb_device_has_extension(list[i].handle, VK_KHR_SWAPCHAIN_EXTENSION_NAME, &why))
            (void) snprintf(list[i].unusable, sizeof list[i].unusable,
                            "it has no swapchain (use --headless)");
        else if ((must_be_tried(simulation, &list[i]) && !present_probe(list[i].uuid, &why)) ||
                 !vkb_device_queue_family(list[i].handle, simulation->surface, &family, &why))
            (void) snprintf(list[i].unusable, sizeof list[i].unusable, "%.120s (use --headless)",
                            why.text);
        if (why.kind == ERROR_RUNTIME) {
            *error = why;
            return false;
        }
    }
    return true;
}

/* Passes over what cannot run the rasterizer, where that alone may draw. */
static void check_graphics(const struct simulation *simulation, struct vkb_device_info *list,
                           uint32_t count)
{
    if (!simulation->window && !renderer_is_raster(simulation->options))
        return;
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].no_graphics)
            (void) snprintf(list[i].unusable, sizeof list[i].unusable,
                            "it has no queue for graphics (use --headless --renderer compute)");
    }
}

static bool choose_device(struct simulation *simulation, struct error *error)
{
    const char *selector = simulation->options->device;
    struct vkb_device_info *list = NULL;
    uint32_t count = 0;
    uint32_t chosen = 0;
    uint32_t matches = 0;
    if (!vkb_devices_list(simulation->instance.handle, &list, &count, error))
        return false;
    check_graphics(simulation, list, count);
    const bool ok = check_presentation(simulation, list, count, error) &&
                    vkb_device_choose(list, count, selector, &chosen, &matches, error);
    if (ok)
        simulation->info = list[chosen];
    free(list);
    if (ok && matches > 1)
        message_note("--device %s fits %u devices; taking %u, %s", selector, matches,
                     simulation->info.index, simulation->info.name);
    return ok;
}

/* Of a stuck device nothing may be destroyed, and to wait for it may take for
 * ever. Nobody waits for a file by now: see drain. */
static void leave(const struct error *error)
{
    if (!messages_error_told())
        message_error(error);
    (void) fflush(NULL);
    _exit(ERROR_RUNTIME);
}

static bool create_device(struct simulation *simulation, struct error *error)
{
    if (!choose_device(simulation, error))
        return false;
    cuda_start_join(&simulation->cuda_start);
    if (!stepper_choose(simulation->options, &simulation->info, &simulation->choice, error))
        return false;
    if (!renderer_possible(simulation->options, &simulation->info, &simulation->renderer_kind,
                           error))
        return false;
    if (simulation->choice.cuda)
        cuda_start_context(&simulation->cuda_start, simulation->info.uuid);
    const struct vkb_device_params params = {
        .instance = &simulation->instance,
        .info = &simulation->info,
        .surface = simulation->surface,
        .export_memory = simulation->choice.cuda,
        .export_semaphores = simulation->choice.cuda,
        .compute_raster = simulation->renderer_kind != RENDERER_RASTER,
        .compute_only = simulation->renderer_kind == RENDERER_COMPUTE && !simulation->window,
        .stuck = leave,
    };
    return vkb_device_create(&params, &simulation->device, error) &&
           pipeline_cache_create(&simulation->device, &simulation->cache, error);
}

/* Four in a window, where they can be had. */
static bool choose_samples(const struct simulation *simulation, VkSampleCountFlagBits *samples,
                           struct error *error)
{
    const VkPhysicalDeviceLimits *limits = &simulation->device.limits;
    const uint32_t wish =
        simulation->renderer_kind == RENDERER_COMPUTE ? 1 : simulation->options->samples;
    const bool can = (limits->framebufferColorSampleCounts & limits->framebufferDepthSampleCounts &
                      VK_SAMPLE_COUNT_4_BIT) != 0;
    if (wish == 4 && !can)
        return error_set(error, ERROR_UNAVAILABLE,
                         "--samples 4: the device cannot draw with 4 samples; use --samples 1 or "
                         "another --device");
    *samples = wish == 4 || (wish == 0 && simulation->window && can) ? VK_SAMPLE_COUNT_4_BIT
                                                                     : VK_SAMPLE_COUNT_1_BIT;
    return true;
}

/* Which renderer draws; --renderer auto is decided by measuring. */
static bool choose_renderer(struct simulation *simulation, struct error *error)
{
    const struct options *options = simulation->options;
    VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
    struct error why = {0};
    if (simulation->renderer_kind != RENDERER_AUTO)
        return true;
    const struct renderer_measure_params params = {
        .device = &simulation->device,
        .cache = simulation->cache.handle,
        .width = options->grid_width,
        .height = options->grid_height,
        .images = options->heightmap == HEIGHTMAP_IMAGE,
    };
    const VkExtent2D offscreen = {options->width, options->height};
    VkExtent2D extent = simulation->window ? window_framebuffer(simulation->window) : offscreen;
    if (extent.width == 0 || extent.height == 0) /* minimised */
        extent = offscreen;
    if (!renderer_compute_fits(&simulation->device, extent, &why)) {
        message_note("drawing with the rasterizer: %s", why.text);
        simulation->renderer_kind = RENDERER_RASTER;
        return true;
    }
    return choose_samples(simulation, &samples, error) &&
           renderer_measure_both(&params, options->style, samples, extent,
                                 &simulation->renderer_kind, error);
}

/* A GPU changes between CUDA's context and Vulkan's amid a frame, at the cost of
 * most of one: with a large ring it need not do so for each batch. In a window
 * that would show the time of many frames ago. */
static uint32_t ring_slots(const struct simulation *simulation)
{
    if (simulation->options->test_ring_slots)
        return simulation->options->test_ring_slots;
    const bool deep = simulation->choice.cuda && !simulation->window;
    return deep && !simulation->options->test_draw_alone ? RING_SLOTS : 0;
}

static bool create_ring(struct simulation *simulation, struct error *error)
{
    const struct options *options = simulation->options;
    const struct ring_params ring = {
        .width = options->grid_width,
        .height = options->grid_height,
        .batch = options->batch,
        .batch_given = options->batch_given,
        .slots = ring_slots(simulation),
        .frames = options->frames,
        .external = simulation->choice.cuda,
        .suballocated = options->memory == MEMORY_SUBALLOCATED,
        .images = options->heightmap == HEIGHTMAP_IMAGE,
    };
    if (!ring_create(&simulation->device, &ring, &simulation->ring, error))
        return false;
    const struct handoff_params handoff = {
        .type = simulation->choice.semaphore,
        .batch = simulation->ring.batch,
        .depth = simulation->ring.depth,
        .frames = options->frames,
    };
    handoff_init(&simulation->handoff, &handoff);
    simulation->batch_slots = calloc(simulation->ring.batch, sizeof *simulation->batch_slots);
    simulation->batch_phases = calloc(simulation->ring.batch, sizeof *simulation->batch_phases);
    simulation->slot_times = calloc(simulation->ring.count, sizeof *simulation->slot_times);
    if (!simulation->batch_slots || !simulation->batch_phases || !simulation->slot_times)
        return error_set(error, ERROR_RUNTIME,
                         "cannot create the stepper: out of memory; free memory and run again");
    return true;
}

static bool create_stepper(struct simulation *simulation, struct error *error)
{
    const struct stepper_params params = {
        .device = &simulation->device,
        .device_uuid = simulation->info.uuid,
        .ring = &simulation->ring,
        .cache = simulation->cache.handle,
        .measure = simulation->options->stats != NULL,
        .options = simulation->options,
    };
    cuda_start_join(&simulation->cuda_start);
    if (!(simulation->choice.cuda ? stepper_cuda_create
                                  : stepper_vulkan_create)(&params, &simulation->stepper, error))
        return false;
    return handoff_semaphores_create(&simulation->device, simulation->choice.semaphore,
                                     simulation->handoff.depth, simulation->choice.cuda,
                                     &simulation->semaphores, error) &&
           simulation->stepper->ops->attach(simulation->stepper, &simulation->semaphores, error);
}

static VkPresentModeKHR present_mode(enum options_present_mode mode)
{
    switch (mode) {
    case PRESENT_MAILBOX:
        return VK_PRESENT_MODE_MAILBOX_KHR;
    case PRESENT_IMMEDIATE:
        return VK_PRESENT_MODE_IMMEDIATE_KHR;
    default:
        return VK_PRESENT_MODE_FIFO_KHR;
    }
}

static bool create_target(struct simulation *simulation, struct error *error)
{
    const struct options *options = simulation->options;
    const bool stored = simulation->renderer_kind == RENDERER_COMPUTE;
    const enum vkb_target_use use = stored ? VKB_TARGET_STORAGE : VKB_TARGET_ATTACHMENT;
    if (!simulation->window) {
        const struct vkb_offscreen_params params = {
            .use = use,
            .format = stored ? vkb_storage_format(&simulation->device) : VK_FORMAT_B8G8R8A8_SRGB,
            .extent = {options->width, options->height},
            .count = simulation->frames_in_flight,
        };
        simulation->target = &simulation->offscreen.target;
        return vkb_offscreen_create(&simulation->device, &params, &simulation->offscreen, error);
    }
    const struct vkb_swapchain_params params = {
        .surface = simulation->surface,
        .extent = window_framebuffer(simulation->window),
        .present_mode = present_mode(options->present_mode),
        .frames_in_flight = simulation->frames_in_flight,
        .use = use,
    };
    simulation->target = &simulation->swapchain.target;
    if (!vkb_swapchain_create(&simulation->device, &params, &simulation->swapchain, error))
        return false;
    if (simulation->swapchain.present_mode != params.present_mode)
        message_note("presenting in fifo mode: the window does not offer the one asked for");
    return true;
}

static bool create_renderer(struct simulation *simulation, struct error *error)
{
    const struct options *options = simulation->options;
    VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
    if (!choose_samples(simulation, &samples, error))
        return false;
    const struct renderer_params params = {
        .device = &simulation->device,
        .ring = &simulation->ring,
        .cache = simulation->cache.handle,
        .style = options->style,
        .samples = samples,
        .format = simulation->target->format,
    };
    return (simulation->renderer_kind == RENDERER_COMPUTE
                ? renderer_compute_create
                : renderer_raster_create)(&params, &simulation->renderer, error) &&
           simulation->renderer->ops->set_target(simulation->renderer, simulation->target, error);
}

static bool create_capture(struct simulation *simulation, struct error *error)
{
    const struct options *options = simulation->options;
    const struct capture_params params = {
        .device = &simulation->device,
        .target = simulation->target,
        .frames_in_flight = simulation->frames_in_flight,
        .output = options->output,
        .time_step = options->time_step,
        .first_frame = options->first_frame,
    };
    return !options->output || capture_create(&params, &simulation->capture, error);
}

static bool create_checksums(struct simulation *simulation, struct error *error)
{
    if (!simulation->options->test_checksums)
        return true;
    simulation->renderer->height_stages |= VK_PIPELINE_STAGE_2_COPY_BIT;
    return checksums_create(&simulation->device, simulation->ring.size,
                            simulation->frames_in_flight, simulation->options->first_frame,
                            &simulation->checksums, error);
}

/* A swapchain's images may grow in number; the frames of more are recorded anew.
 * What is copied for the host goes to another buffer with each frame. */
static bool create_recordings(struct simulation *simulation, struct error *error)
{
    const struct options *options = simulation->options;
    return recordings_create(&simulation->device, simulation->frames_in_flight,
                             simulation->ring.count, simulation->target->image_count,
                             !options->output && !options->test_checksums, &simulation->recordings,
                             error);
}

/* One deliberately invalid call: proof that messages reach the exit code. */
static bool make_validation_error(struct simulation *simulation, struct error *error)
{
    VkFence fence = VK_NULL_HANDLE;
    const VkFenceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .flags = 1U << 30, /* no such bit */
    };
    if (!VKB_OK(error, "make a validation error",
                vkCreateFence(simulation->device.handle, &info, NULL, &fence)))
        return false;
    vkDestroyFence(simulation->device.handle, fence, NULL);
    return true;
}

static const char *format_name(VkFormat format)
{
    switch (format) {
    case VK_FORMAT_B8G8R8A8_SRGB:
        return "B8G8R8A8_SRGB";
    case VK_FORMAT_R8G8B8A8_SRGB:
        return "R8G8B8A8_SRGB";
    case VK_FORMAT_B8G8R8A8_UNORM:
        return "B8G8R8A8_UNORM";
    default:
        return "R8G8B8A8_UNORM";
    }
}

static void tell_details(const struct simulation *simulation)
{
    char uuid[VKB_UUID_TEXT_SIZE];
    const struct vkb_device_info *info = &simulation->info;
    const struct ring *ring = &simulation->ring;
    vkb_uuid_text(info->uuid, uuid);
    message_detail("device: %u, %s (%s), UUID %s, driver %s %s", info->index, info->name,
                   vkb_device_type_name(info->type), uuid, info->driver_name, info->driver_info);
    message_detail("queue: family %u", simulation->device.queue_family);
    message_detail("stepper: %s", simulation->stepper->ops->name);
    message_detail("renderer: %s", simulation->renderer->ops->name);
    message_detail("semaphore: %s, %u ready, %u free",
                   vkb_semaphore_type_name(simulation->semaphores.type),
                   simulation->semaphores.ready_count, simulation->semaphores.free_count);
    message_detail("memory: %u height maps of %ux%u float32 (%llu bytes), %s %s, batch %u",
                   ring->count, ring->width, ring->height, (unsigned long long) ring->size,
                   ring->block.handle ? "suballocated" : "dedicated",
                   ring->images ? "images" : "buffers", ring->batch);
    message_detail("target: %s, %ux%u, %u images, format %s, depth %s, %u sample%s, %u frames in "
                   "flight",
                   simulation->window ? "window" : "offscreen", simulation->target->extent.width,
                   simulation->target->extent.height, simulation->target->image_count,
                   format_name(simulation->target->format), simulation->renderer->depth,
                   simulation->renderer->params.samples,
                   simulation->renderer->params.samples == VK_SAMPLE_COUNT_1_BIT ? "" : "s",
                   simulation->frames_in_flight);
}

bool simulation_create(const struct options *options, struct simulation *simulation,
                       struct error *error)
{
    *simulation = (struct simulation){
        .options = options,
        .camera = camera_default(),
        .clock = {.stepped = options->headless || options->time_step_given,
                  .start = options->start_time,
                  .step = options->time_step,
                  .first = options->first_frame},
        .frames_in_flight = options->headless ? HEADLESS_FRAMES : WINDOW_FRAMES,
    };
    if (options->compute != COMPUTE_VULKAN)
        cuda_start_driver(&simulation->cuda_start);
    if (!options->headless &&
        !window_create(options->width, options->height, &simulation->window, error))
        goto fail;
    if (!create_instance(simulation, error) || !create_device(simulation, error) ||
        !choose_renderer(simulation, error) || !create_ring(simulation, error) ||
        !create_target(simulation, error) || !create_renderer(simulation, error) ||
        !create_stepper(simulation, error) || !create_capture(simulation, error) ||
        !create_checksums(simulation, error) || !create_recordings(simulation, error) ||
        !vkb_semaphore_create(&simulation->device, INTEROP_SEMAPHORE_TIMELINE, false, "frame done",
                              &simulation->frame_done, error))
        goto fail;
    stats_init(&simulation->stats, options->stats != NULL, options->frames);
    if (options->stats &&
        !vkb_timestamps_create(&simulation->device, simulation->recordings.commands.count,
                               &simulation->stamps, error))
        goto fail;
    pipeline_cache_save(&simulation->device, &simulation->cache);
    if (options->test_validation_error && !make_validation_error(simulation, error))
        goto fail;
    tell_details(simulation);
    return true;
fail:
    simulation_destroy(simulation);
    return false;
}

bool simulation_try_presenting(const struct options *options, struct error *error)
{
    const struct rlimit no_core = {0, 0};
    struct simulation simulation = {.options = options, .frames_in_flight = WINDOW_FRAMES};
    (void) setrlimit(RLIMIT_CORE, &no_core); /* a crash is one of the answers */
    bool ok = window_create(options->width, options->height, &simulation.window, error) &&
              create_instance(&simulation, error) && choose_device(&simulation, error);
    if (ok) {
        const struct vkb_device_params params = {
            .instance = &simulation.instance,
            .info = &simulation.info,
            .surface = simulation.surface,
        };
        ok = vkb_device_create(&params, &simulation.device, error) &&
             create_target(&simulation, error);
    }
    simulation_destroy(&simulation);
    return ok;
}

/* Nothing may be in flight when objects are destroyed. */
static void drain(struct simulation *simulation)
{
    enum { SETTLE_S = 2 }; /* nobody may read the stream */
    struct error error = {0};
    if (!simulation->device.handle)
        return;
    if (!pacing_drain(simulation, &error)) {
        /* Frames that were taken from the device are written whole. */
        capture_settle(&simulation->capture, SETTLE_S);
        leave(&error);
    }
    /* A lost device has nothing in flight; no other result is to be had. */
    (void) vkDeviceWaitIdle(simulation->device.handle);
}

void simulation_destroy(struct simulation *simulation)
{
    const struct vkb_device *device = &simulation->device;
    cuda_start_join(&simulation->cuda_start);
    drain(simulation);
    if (device->handle) {
        capture_destroy(device, &simulation->capture);
        checksums_destroy(device, &simulation->checksums);
        vkb_timestamps_destroy(device, &simulation->stamps);
        vkb_semaphore_destroy(device, &simulation->frame_done);
        recordings_destroy(device, &simulation->recordings);
        renderer_destroy(simulation->renderer);
        vkb_swapchain_destroy(device, &simulation->swapchain);
        vkb_offscreen_destroy(device, &simulation->offscreen);
        /* CUDA first: its imports must go before what they were made from. */
        if (simulation->stepper) {
            simulation->stepper->ops->detach(simulation->stepper);
            simulation->stepper->ops->destroy(simulation->stepper);
        }
        handoff_semaphores_destroy(device, &simulation->semaphores);
        ring_destroy(device, &simulation->ring);
        if (simulation->cache.stored > 0)
            pipeline_cache_save(device, &simulation->cache); /* keys make pipelines too */
        pipeline_cache_destroy(device, &simulation->cache);
    }
    free(simulation->slot_times);
    free(simulation->batch_phases);
    free(simulation->batch_slots);
    vkb_device_destroy(&simulation->device);
    if (simulation->surface)
        vkDestroySurfaceKHR(simulation->instance.handle, simulation->surface, NULL);
    vkb_instance_destroy(&simulation->instance);
    window_destroy(simulation->window);
    *simulation = (struct simulation){0};
}
