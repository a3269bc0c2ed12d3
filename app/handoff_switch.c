#include "app/handoff_switch.h"

#include "app/messages.h"
#include "app/pacing.h"
#include "vkbase/result.h"

/* The stepper is ahead of the frames drawn, by up to the ring's batches. */
static bool wait_for_all(struct simulation *simulation, struct error *error)
{
    if (!pacing_wait(simulation, simulation->handoff.drawn, error) ||
        !pacing_wait_stepper(simulation, error))
        return false;
    /* A semaphore that was reached says nothing of the others that the same
     * submission signals; they are about to be destroyed. Cannot take long now. */
    return VKB_OK(error, "wait for the queue", vkQueueWaitIdle(simulation->device.queue));
}

bool handoff_switch(struct simulation *simulation, struct error *error)
{
    const struct vkb_device *device = &simulation->device;
    const struct stepper_ops *ops = simulation->stepper->ops;
    const enum interop_semaphore_type type = simulation->handoff.type == INTEROP_SEMAPHORE_TIMELINE
                                                 ? INTEROP_SEMAPHORE_BINARY
                                                 : INTEROP_SEMAPHORE_TIMELINE;
    struct handoff_semaphores fresh = {0};
    struct error why = {0};
    if (simulation->choice.lacking[type]) {
        message_note("still with %s semaphores: %s",
                     vkb_semaphore_type_name(simulation->handoff.type),
                     simulation->choice.lacking[type]);
        return true;
    }
    frame_times_interrupt(&simulation->times);
    if (!wait_for_all(simulation, error) ||
        !handoff_semaphores_create(device, type, simulation->handoff.depth, simulation->choice.cuda,
                                   &fresh, error))
        return false;
    struct handoff_semaphores old = simulation->semaphores;
    ops->detach(simulation->stepper);
    /* The stepper knows the semaphores by where they are kept. */
    simulation->semaphores = fresh;
    if (!ops->attach(simulation->stepper, &simulation->semaphores, &why)) {
        simulation->semaphores = old;
        handoff_semaphores_destroy(device, &fresh);
        message_note("still with %s semaphores: %s",
                     vkb_semaphore_type_name(simulation->handoff.type), why.text);
        return ops->attach(simulation->stepper, &simulation->semaphores, error);
    }
    handoff_semaphores_destroy(device, &old);
    handoff_restart(&simulation->handoff, type);
    message_detail("semaphore: %s from frame %llu on", vkb_semaphore_type_name(type),
                   (unsigned long long) simulation->handoff.drawn);
    return true;
}
