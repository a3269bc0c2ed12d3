#include "app/pacing.h"

static const uint64_t second_ns = UINT64_C(1000000000);

enum {
    /* A software device may take this long for a large frame. */
    FRAME_TIMEOUT_S = 60,
    STEPPER_TIMEOUT_S = 60,
    /* The stepper is done, but its signal does not come: it will not come. */
    SIGNAL_TIMEOUT_S = 3,
    DRAIN_TIMEOUT_S = 2,
};

/* Whether *ready* for frame `frame` is still out although the stepper has filled
 * its slot. A binary semaphore cannot be asked: then the answer is only likely, and
 * "no" for the Vulkan stepper, whose every submission signals it. */
static bool ready_is_missing(struct simulation *simulation, uint64_t frame)
{
    struct error quiet = {0};
    uint64_t steps = 0;
    const struct interop_point point = handoff_ready(&simulation->handoff, frame);
    if (!simulation->stepper->ops->steps_done(simulation->stepper, &steps, &quiet) ||
        steps <= handoff_ready_batch(&simulation->handoff, frame))
        return false;
    if (simulation->handoff.type == INTEROP_SEMAPHORE_BINARY)
        return simulation->choice.cuda;
    uint64_t value = 0;
    return vkb_timeline_value(&simulation->device, &simulation->semaphores.ready[point.index],
                              &value, &quiet) &&
           value < point.value;
}

/* Frames that the device has finished. */
static bool frames_finished(const struct simulation *simulation, uint64_t *count,
                            struct error *error)
{
    return vkb_timeline_value(&simulation->device, &simulation->frame_done, count, error);
}

static bool explain_timeout(struct simulation *simulation, double seconds, struct error *error)
{
    uint64_t finished = 0;
    if (!frames_finished(simulation, &finished, error))
        return false;
    const struct interop_point point = handoff_ready(&simulation->handoff, finished);
    char type[48] = "binary";
    if (simulation->handoff.type == INTEROP_SEMAPHORE_TIMELINE)
        (void) snprintf(type, sizeof type, "timeline, value %llu",
                        (unsigned long long) point.value);
    if (ready_is_missing(simulation, finished))
        return error_set(error, ERROR_RUNTIME,
                         "time-out in frame %llu: semaphore \"%s\" (%s) did not arrive within %.0f "
                         "s: the %s stepper did not signal it; run with --validation",
                         (unsigned long long) finished,
                         simulation->semaphores.ready[point.index].name, type, seconds,
                         simulation->stepper->ops->name);
    return error_set(error, ERROR_RUNTIME,
                     "time-out in frame %llu: semaphore \"%s\" (timeline, value %llu) did not "
                     "arrive within %.0f s; look for a hung GPU in the kernel log",
                     (unsigned long long) finished, simulation->frame_done.name,
                     (unsigned long long) finished + 1, seconds);
}

bool pacing_wait(struct simulation *simulation, uint64_t count, struct error *error)
{
    int missing = 0;
    for (int second = 1; second <= FRAME_TIMEOUT_S; second++) {
        bool reached = false;
        if (!vkb_timeline_wait(&simulation->device, &simulation->frame_done, count, second_ns,
                               &reached, error))
            return false;
        if (reached)
            return true;
        uint64_t finished = 0;
        if (!frames_finished(simulation, &finished, error))
            return false;
        missing = ready_is_missing(simulation, finished) ? missing + 1 : 0;
        const int limit = simulation->handoff.type == INTEROP_SEMAPHORE_BINARY
                              ? SIGNAL_TIMEOUT_S * 4
                              : SIGNAL_TIMEOUT_S;
        if (missing == limit)
            return explain_timeout(simulation, second, error);
    }
    return explain_timeout(simulation, FRAME_TIMEOUT_S, error);
}

bool pacing_wait_stepper(struct simulation *simulation, struct error *error)
{
    const struct stepper_ops *ops = simulation->stepper->ops;
    bool done = false;
    if (!ops->wait(simulation->stepper, STEPPER_TIMEOUT_S * 1000, &done, error))
        return false;
    return done || error_set(error, ERROR_RUNTIME,
                             "time-out: the %s stepper did not finish within %d s; look for a "
                             "hung GPU in the kernel log",
                             ops->name, STEPPER_TIMEOUT_S);
}

bool pacing_drain(struct simulation *simulation, struct error *error)
{
    const uint64_t drawn = simulation->handoff.drawn;
    const struct vkb_device *device = &simulation->device;
    bool reached = false;
    bool gone = false; /* lost: nothing of Vulkan's is in flight any more */
    bool done = true;
    struct error lost = {0};
    uint64_t raised = 0; /* batches */
    if (simulation->frame_done.handle && drawn > 0) {
        /* Twice the frames in flight: a raised signal may uncover the next. */
        const uint32_t attempts = 2 * simulation->frames_in_flight;
        for (uint32_t attempt = 0; !reached && !gone && attempt <= attempts; attempt++) {
            uint64_t count = 0;
            gone = !vkb_timeline_wait(device, &simulation->frame_done, drawn,
                                      DRAIN_TIMEOUT_S * second_ns, &reached, &lost) ||
                   (!reached && !frames_finished(simulation, &count, &lost));
            if (gone || reached || !ready_is_missing(simulation, count))
                continue;
            const struct interop_point point = handoff_ready(&simulation->handoff, count);
            const uint64_t batch = handoff_ready_batch(&simulation->handoff, count);
            if (batch < raised)
                continue; /* a binary signal is given once */
            raised = batch + 1;
            if (!simulation->stepper->ops->raise_ready(simulation->stepper, &point, &lost))
                break;
        }
        if (!reached && !gone)
            return error_set(error, ERROR_RUNTIME,
                             "the device is stuck: frames do not finish, so nothing can be "
                             "destroyed; leaving at once");
    }
    /* CUDA may still wait for a *free* that a lost device never gives. Else what was
     * stepped ahead takes no time, but for tests that ask for it. */
    const uint32_t timeout_ms = DRAIN_TIMEOUT_S * 1000 + simulation->options->test_kernel_delay_ms *
                                                             simulation->handoff.depth;
    if (simulation->stepper &&
        simulation->stepper->ops->wait(simulation->stepper, timeout_ms, &done, &lost) && !done)
        return error_set(error, ERROR_RUNTIME,
                         "the stepper is stuck: its work does not finish, so nothing can be "
                         "destroyed; leaving at once");
    return true;
}
