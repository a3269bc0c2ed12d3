#include "app/frame_loop.h"

#include <time.h>

#include "app/handoff_switch.h"
#include "app/pacing.h"
#include "app/stop.h"
#include "kernels/nvtx.h"

enum { LONG_RUN_FRAMES = 1000 }; /* of which a terminal shows the progress, files or not */
static const uint64_t acquire_timeout_ns = UINT64_C(100000000);

/* The time that frame `frame` of the run shows. A frame that is stepped again,
 * after a restart of the handoff, keeps its time. */
static double frame_time(struct simulation *simulation, uint64_t frame)
{
    double *time = &simulation->slot_times[handoff_slot(&simulation->handoff, frame)];
    if (frame == simulation->timed) {
        *time = clock_next_frame(&simulation->clock, clock_now());
        simulation->timed++;
    }
    return *time;
}

/* Whether frame `frame` shows a slot that was stepped before, for the benchmark
 * that knows no handoffs. */
static bool drawn_alone(const struct simulation *simulation, uint64_t frame)
{
    return simulation->options->test_draw_alone && frame >= simulation->ring.count;
}

/* Steps as far ahead as the ring allows. */
static bool step_ahead(struct simulation *simulation, struct error *error)
{
    struct handoff_batch batch;
    while (handoff_next_batch(&simulation->handoff, &batch)) {
        if (drawn_alone(simulation, batch.first)) {
            simulation->handoff.stepped += batch.count;
            continue;
        }
        for (uint32_t i = 0; i < batch.count; i++) {
            const uint64_t frame = batch.first + i;
            simulation->batch_slots[i] = handoff_slot(&simulation->handoff, frame);
            simulation->batch_phases[i] = wave_phase(frame_time(simulation, frame));
        }
        const struct stepper_batch work = {batch, simulation->batch_slots,
                                           simulation->batch_phases};
        if (!handoff_check_batch(&simulation->handoff, &batch, error) ||
            !simulation->stepper->ops->step(simulation->stepper, &work, error))
            return false;
        handoff_batch_stepped(&simulation->handoff, &batch);
    }
    return true;
}

/* Takes the device times of frame `frame`, which is finished. */
static void measure_device(struct simulation *simulation, uint64_t frame)
{
    struct stats *stats = &simulation->stats;
    const struct vkb_timestamps *stamps = &simulation->stamps;
    uint64_t begin = 0;
    uint64_t end = 0;
    double step = 0.0;
    if (!stats->enabled)
        return;
    while (simulation->stepper->ops->time(simulation->stepper, &step))
        stats_add(stats, STATS_STEP, frame, step);
    if (!vkb_timestamps_read(&simulation->device, stamps,
                             simulation->commands_used[frame % simulation->frames_in_flight],
                             &begin, &end))
        return;
    /* The first frame of a batch waits for the stepper. */
    const uint64_t base = simulation->handoff.base;
    const bool waits = !drawn_alone(simulation, frame) && frame > base &&
                       (frame - base) % simulation->handoff.batch == 0;
    frame_times_draw(&simulation->times, stats, stamps, frame, begin, end, waits);
}

/* Waits until at most `in_flight` frames are not finished, and takes what the
 * others left for the host. */
static bool pace(struct simulation *simulation, uint64_t in_flight, struct error *error)
{
    const uint64_t drawn = simulation->handoff.drawn;
    const uint64_t target = drawn > in_flight ? drawn - in_flight : 0;
    if (simulation->finished < target) {
        const double start = clock_now();
        if (!pacing_wait(simulation, target, error))
            return false;
        /* Reading times is waiting too: lavapipe gives none before its queue is empty. */
        for (; simulation->finished < target; simulation->finished++) {
            if (simulation->finished == 0 && simulation->stats.enabled)
                simulation->stats.first_frame_s = stats_process_age();
            measure_device(simulation, simulation->finished);
        }
        frame_times_wait(&simulation->times, clock_now() - start);
    }
    checksums_tell(&simulation->checksums, target);
    return capture_take(&simulation->capture, target, error);
}

/* Gives the commands that draw `slot` into `image`, recorded now or before. */
static bool record(struct simulation *simulation, uint32_t slot, uint32_t image,
                   VkCommandBuffer *commands, struct error *error)
{
    const struct vkb_target *target = simulation->target;
    const uint64_t frame = simulation->handoff.drawn;
    const struct recordings_scene scene = {
        .view = camera_view(&simulation->camera, target->extent.width, target->extent.height),
        .generation = simulation->renderer->generation,
    };
    bool anew = false;
    const uint32_t index = recordings_take(&simulation->recordings, frame, simulation->finished,
                                           slot, image, &scene, &anew);
    *commands = simulation->recordings.commands.buffers[index];
    simulation->commands_used[frame % simulation->frames_in_flight] = index;
    if (!anew)
        return true;
    if (!vkb_commands_begin(*commands, index < simulation->frames_in_flight, error))
        return false;
    vkb_timestamps_begin(&simulation->stamps, *commands, index);
    renderer_record(simulation->renderer, *commands, slot, &scene.view, image,
                    checksums_buffer(&simulation->checksums, frame));
    vkb_timestamps_end(&simulation->stamps, *commands, index);
    capture_record(&simulation->capture, *commands, target, image, frame);
    return vkb_commands_end(*commands, error);
}

static bool submit(struct simulation *simulation, VkCommandBuffer commands,
                   const struct handoff_frame *frame, const struct vkb_acquired *acquired,
                   struct error *error)
{
    const struct handoff_semaphores *semaphores = &simulation->semaphores;
    const VkPipelineStageFlags2 all = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    VkSemaphoreSubmitInfo waits[2];
    VkSemaphoreSubmitInfo signals[3];
    uint32_t wait_count = 0;
    uint32_t signal_count = 0;
    if (acquired->acquired)
        waits[wait_count++] = vkb_point(acquired->acquired, 0, simulation->renderer->image_stages);
    if (frame->waits)
        waits[wait_count++] = vkb_point(semaphores->ready[frame->ready.index].handle,
                                        frame->ready.value, simulation->renderer->height_stages);
    if (acquired->rendered)
        signals[signal_count++] = vkb_point(acquired->rendered, 0, all);
    if (frame->frees)
        signals[signal_count++] =
            vkb_point(semaphores->free[frame->free.index].handle, frame->free.value, all);
    signals[signal_count++] = vkb_point(simulation->frame_done.handle, frame->frame + 1, all);
    return vkb_submit(&simulation->device, commands, waits, wait_count, signals, signal_count,
                      VK_NULL_HANDLE, error);
}

/* A window whose surface takes on any size does not go out of date (Wayland). */
static bool resized(const struct simulation *simulation)
{
    if (!simulation->window || !simulation->swapchain.extent_is_ours)
        return false;
    const VkExtent2D window = window_framebuffer(simulation->window);
    const VkExtent2D extent = simulation->target->extent;
    return window.width != extent.width || window.height != extent.height;
}

/* Makes the swapchain anew for the window's present size. */
static bool recreate_target(struct simulation *simulation, struct error *error)
{
    controls_want_frames(simulation);
    frame_times_interrupt(&simulation->times);
    /* The swapchain's wait for the queue, where Vulkan steps too, has no end of its own. */
    return pace(simulation, 0, error) &&
           (simulation->choice.cuda || pacing_wait_stepper(simulation, error)) &&
           vkb_swapchain_recreate(&simulation->device, &simulation->swapchain,
                                  window_framebuffer(simulation->window), error) &&
           simulation->renderer->ops->set_target(simulation->renderer, simulation->target, error);
}

/* For tests: a batch is stepped, and its first frame not submitted yet. */
static void delay_submission(uint32_t ms)
{
    const struct timespec delay = {ms / 1000, (long) (ms % 1000) * 1000000};
    if (ms > 0)
        (void) nanosleep(&delay, NULL);
}

/* The display may hold it up until there is room for another image. */
static bool present(struct simulation *simulation, const struct vkb_acquired *acquired,
                    enum vkb_target_status *status, struct error *error)
{
    struct vkb_target *target = simulation->target;
    const double start = clock_now();
    const bool ok = target->present(&simulation->device, target, acquired, status, error);
    frame_times_wait(&simulation->times, clock_now() - start);
    return ok;
}

static bool step_ends(bool ok)
{
    cuda_nvtx_pop();
    return ok;
}

/* A step of a frame: a range of this name on a profiler's time line. */
#define STEP(name, call) (cuda_nvtx_push(name), step_ends(call))

/* One frame, or none where the target has no image at the moment. */
static bool draw_frame(struct simulation *simulation, struct error *error)
{
    struct vkb_target *target = simulation->target;
    const uint64_t drawn = simulation->handoff.drawn;
    const uint32_t in_flight = (uint32_t) (drawn % simulation->frames_in_flight);
    struct vkb_acquired acquired = {0};
    enum vkb_target_status status = VKB_TARGET_READY;
    struct handoff_frame frame;

    if (!STEP("pace", pace(simulation, simulation->frames_in_flight - 1, error)))
        return false;
    if (resized(simulation) && !recreate_target(simulation, error))
        return false;
    const double start = clock_now();
    if (!STEP("acquire", target->acquire(&simulation->device, target, in_flight, acquire_timeout_ns,
                                         &acquired, &status, error)))
        return false;
    frame_times_wait(&simulation->times, clock_now() - start);
    if (status == VKB_TARGET_TIMEOUT)
        return true;
    if (status == VKB_TARGET_OUT_OF_DATE)
        return recreate_target(simulation, error);

    /* Not before an image is there: stepping overwrites the last frame drawn,
     * which may have to be drawn once more for a screenshot. */
    if (!STEP("step", step_ahead(simulation, error)))
        return false;
    if (!handoff_next_frame(&simulation->handoff, &frame))
        return error_set(error, ERROR_RUNTIME,
                         "cannot draw frame %llu: it was not stepped; report this",
                         (unsigned long long) drawn);
    if (frame.waits)
        delay_submission(simulation->options->test_submit_delay_ms);
    if (drawn_alone(simulation, drawn))
        frame = (struct handoff_frame){.frame = frame.frame, .slot = frame.slot};
    VkCommandBuffer commands = VK_NULL_HANDLE;
    if (!handoff_check_frame(&simulation->handoff, &frame, error) ||
        !STEP("record", record(simulation, frame.slot, acquired.image, &commands, error)) ||
        !STEP("submit", submit(simulation, commands, &frame, &acquired, error)))
        return false;
    handoff_frame_drawn(&simulation->handoff, &frame);
    simulation->last_extent = target->extent;
    simulation->last_camera = simulation->camera;
    simulation->last_style = simulation->renderer->params.style;
    frame_times_submit(&simulation->times, &simulation->stats, drawn, clock_now());
    const bool suboptimal = status == VKB_TARGET_SUBOPTIMAL;
    if (!STEP("present", present(simulation, &acquired, &status, error)))
        return false;
    return (!suboptimal && status == VKB_TARGET_READY) || recreate_target(simulation, error);
}

static bool finished(const struct simulation *simulation)
{
    const uint64_t frames = simulation->options->frames;
    return stop_signal() != 0 || (frames && simulation->handoff.drawn == frames) ||
           (simulation->window && window_closed(simulation->window));
}

/* For tests: what keys would cause after every so many frames. */
static bool press_keys(struct simulation *simulation, struct error *error)
{
    const struct options *options = simulation->options;
    const uint64_t drawn = simulation->handoff.drawn;
    return (options->test_snapshot_every == 0 || drawn % options->test_snapshot_every != 0 ||
            controls_save_screenshot(simulation, error)) &&
           (options->test_toggle_every == 0 || drawn % options->test_toggle_every != 0 ||
            handoff_switch(simulation, error));
}

static bool draw_frames(struct simulation *simulation, struct error *error)
{
    if (simulation->window)
        window_show(simulation->window);
    simulation->clock = clock_started(&simulation->clock, clock_now());
    while (!finished(simulation)) {
        bool draw = true;
        if (simulation->window && !controls_update(simulation, &draw, error))
            return false;
        if (!draw)
            continue;
        const uint64_t drawn = simulation->handoff.drawn;
        if (!draw_frame(simulation, error))
            return false;
        if (simulation->handoff.drawn > drawn && !press_keys(simulation, error))
            return false;
        progress_update(&simulation->progress, simulation->finished);
        /* Only to know when the first frame was there. */
        if (simulation->stats.enabled && simulation->finished == 0 && !pace(simulation, 0, error))
            return false;
    }
    /* The stepper may be ahead of a run that was ended. */
    return pace(simulation, 0, error) && pacing_wait_stepper(simulation, error) &&
           capture_finish(&simulation->capture, error);
}

bool frame_loop_run(struct simulation *simulation, struct error *error)
{
    const struct options *options = simulation->options;
    if (options->output || (options->headless && options->frames >= LONG_RUN_FRAMES))
        progress_start(&simulation->progress, stderr, options->frames, options->quiet);
    const bool ok = draw_frames(simulation, error);
    progress_clear(&simulation->progress);
    return ok;
}
