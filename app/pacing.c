#include "app/pacing.h"

#include "app/watch.h"

static const uint64_t second_ns = UINT64_C(1000000000);

enum {
    /* After an error: long enough to see that a frame goes on, and to end soon
     * where none does. */
    DRAIN_STEP_S = 2,
    DRAIN_LIMIT_S = 10,
};

#define LOOK_FOR "look for a hung GPU in the kernel log, or take a smaller --size or --grid"

/* What is known of *ready* for frame `frame`. It is due once the stepper has filled
 * the frame's slot. A binary semaphore cannot be asked; the Vulkan stepper signals
 * it with every submission, but whether CUDA's came nobody can tell. */
static enum watch_signal ready_signal(struct simulation *simulation, uint64_t frame)
{
    struct error quiet = {0};
    uint64_t steps = 0;
    const struct interop_point point = handoff_ready(&simulation->handoff, frame);
    if (!simulation->stepper->ops->steps_done(simulation->stepper, &steps, &quiet) ||
        steps <= handoff_ready_batch(&simulation->handoff, frame))
        return WATCH_SIGNAL_FINE;
    if (simulation->handoff.type == INTEROP_SEMAPHORE_BINARY)
        return simulation->choice.cuda ? WATCH_SIGNAL_UNSEEN : WATCH_SIGNAL_FINE;
    uint64_t value = 0;
    return vkb_timeline_value(&simulation->device, &simulation->semaphores.ready[point.index],
                              &value, &quiet) &&
                   value < point.value
               ? WATCH_SIGNAL_MISSING
               : WATCH_SIGNAL_FINE;
}

/* Frames that the device has finished. */
static bool frames_finished(const struct simulation *simulation, uint64_t *count,
                            struct error *error)
{
    return vkb_timeline_value(&simulation->device, &simulation->frame_done, count, error);
}

static bool explain_timeout(const struct simulation *simulation, const struct watch *watch,
                            enum watch_verdict verdict, struct error *error)
{
    const uint64_t frame = watch->finished;
    const struct interop_point point = handoff_ready(&simulation->handoff, frame);
    const char *ready = simulation->semaphores.ready[point.index].name;
    const char *stepper = simulation->stepper->ops->name;
    switch (verdict) {
    case WATCH_SIGNAL_LOST: /* of a timeline: others cannot be seen */
        return error_set(error, ERROR_RUNTIME,
                         "time-out in frame %llu: semaphore \"%s\" (timeline, value %llu) did not "
                         "arrive within %u s: the %s stepper did not signal it; run with "
                         "--validation",
                         (unsigned long long) frame, ready, (unsigned long long) point.value,
                         watch->waited_s, stepper);
    case WATCH_EITHER_OF_TWO:
        return error_set(
            error, ERROR_RUNTIME,
            "time-out in frame %llu: semaphore \"%s\" (binary) or the end of the frame "
            "did not arrive within %u s: the %s stepper did not signal it, or the "
            "device takes longer; " LOOK_FOR,
            (unsigned long long) frame, ready, watch->waited_s, stepper);
    default:
        return error_set(error, ERROR_RUNTIME,
                         "time-out in frame %llu: semaphore \"%s\" (timeline, value %llu) did not "
                         "arrive within %u s; " LOOK_FOR,
                         (unsigned long long) frame, simulation->frame_done.name,
                         (unsigned long long) frame + 1, watch->waited_s);
    }
}

bool pacing_wait(struct simulation *simulation, uint64_t count, struct error *error)
{
    const struct vkb_device *device = &simulation->device;
    struct watch watch = watch_begin(device->work_timeout_s, simulation->finished);
    enum watch_verdict verdict = WATCH_GO_ON;
    while (verdict == WATCH_GO_ON) {
        bool reached = false;
        uint64_t finished = 0;
        if (!vkb_timeline_wait(device, &simulation->frame_done, count, second_ns, &reached, error))
            return false;
        if (reached)
            return true;
        if (!frames_finished(simulation, &finished, error))
            return false;
        if (finished >= count) /* just now */
            return true;
        verdict = watch_look(&watch, 1, finished, ready_signal(simulation, finished));
    }
    return explain_timeout(simulation, &watch, verdict, error);
}

bool pacing_wait_stepper(struct simulation *simulation, struct error *error)
{
    const struct stepper_ops *ops = simulation->stepper->ops;
    struct watch watch = watch_begin(simulation->device.work_timeout_s, 0);
    enum watch_verdict verdict = WATCH_GO_ON;
    while (verdict == WATCH_GO_ON) {
        bool done = false;
        uint64_t steps = 0;
        if (!ops->wait(simulation->stepper, 1000, &done, error))
            return false;
        if (done)
            return true;
        if (!ops->steps_done(simulation->stepper, &steps, error))
            return false;
        verdict = watch_look(&watch, 1, steps, WATCH_SIGNAL_FINE);
    }
    return error_set(error, ERROR_RUNTIME,
                     "time-out: the %s stepper did not finish a batch within %u s; " LOOK_FOR,
                     ops->name, watch.waited_s);
}

/* Waits for the frames. *gone: the device is lost, nothing of Vulkan's is in flight
 * any more. False: they do not finish. */
static bool drain_frames(struct simulation *simulation, bool *gone, struct error *lost)
{
    const struct vkb_device *device = &simulation->device;
    const uint64_t drawn = simulation->handoff.drawn;
    uint64_t raised = 0; /* batches */
    struct watch watch = watch_begin(DRAIN_LIMIT_S, simulation->finished);
    for (;;) {
        bool reached = false;
        uint64_t finished = 0;
        *gone = !vkb_timeline_wait(device, &simulation->frame_done, drawn, DRAIN_STEP_S * second_ns,
                                   &reached, lost) ||
                (!reached && !frames_finished(simulation, &finished, lost));
        if (*gone || reached || finished >= drawn)
            return true;
        const uint64_t batch = handoff_ready_batch(&simulation->handoff, finished);
        /* A binary signal is given once. */
        if (ready_signal(simulation, finished) != WATCH_SIGNAL_FINE && batch >= raised) {
            const struct interop_point point = handoff_ready(&simulation->handoff, finished);
            raised = batch + 1;
            if (!simulation->stepper->ops->raise_ready(simulation->stepper, &point, lost))
                return false;
            watch = watch_begin(DRAIN_LIMIT_S, finished);
        } else if (watch_look(&watch, DRAIN_STEP_S, finished, WATCH_SIGNAL_FINE) != WATCH_GO_ON) {
            return false;
        }
    }
}

bool pacing_drain(struct simulation *simulation, struct error *error)
{
    bool gone = false;
    bool done = true;
    struct error lost = {0};
    if (simulation->frame_done.handle && simulation->handoff.drawn > 0 &&
        !drain_frames(simulation, &gone, &lost))
        return error_set(error, ERROR_RUNTIME,
                         "the device is stuck: frames do not finish, so nothing can be "
                         "destroyed; leaving at once");
    /* CUDA may still wait for a *free* that a lost device never gives. Else what was
     * stepped ahead takes no time, but for tests that ask for it. */
    const uint32_t timeout_ms =
        DRAIN_STEP_S * 1000 + simulation->options->test_kernel_delay_ms * simulation->handoff.depth;
    if (simulation->stepper &&
        simulation->stepper->ops->wait(simulation->stepper, timeout_ms, &done, &lost) && !done)
        return error_set(error, ERROR_RUNTIME,
                         "the stepper is stuck: its work does not finish, so nothing can be "
                         "destroyed; leaving at once");
    return true;
}
