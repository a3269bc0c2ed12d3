#include "app/handoff.h"

#include <string.h>

uint32_t handoff_ring_size(uint32_t batch, uint32_t depth, uint64_t frames)
{
    const uint64_t most = frames != 0 && frames < UINT32_MAX ? 2 * frames : UINT64_MAX;
    const uint64_t size = (uint64_t) depth * batch;
    return (uint32_t) (size < most ? size : most);
}

void handoff_init(struct handoff *handoff, const struct handoff_params *params)
{
    const uint64_t frames = params->frames;
    const uint32_t batch =
        frames != 0 && frames < params->batch ? (uint32_t) frames : params->batch;
    *handoff = (struct handoff){
        /* As many whole batches as the ring of this run holds. */
        .depth = handoff_ring_size(params->batch, params->depth, frames) / batch,
        .batch = batch,
        .frames = frames,
    };
    handoff_restart(handoff, params->type);
}

void handoff_restart(struct handoff *handoff, enum interop_semaphore_type type)
{
    handoff->type = type;
    handoff->pairs = type == INTEROP_SEMAPHORE_TIMELINE ? 1 : handoff->depth;
    handoff->base = handoff->drawn;
    handoff->stepped = handoff->drawn;
    handoff->base_batches = handoff->batches;
    memset(handoff->ready, 0, sizeof handoff->ready);
    memset(handoff->free, 0, sizeof handoff->free);
}

uint32_t handoff_slot(const struct handoff *handoff, uint64_t frame)
{
    return (uint32_t) (frame % ((uint64_t) handoff->depth * handoff->batch));
}

/* The point of batch `k` since the base. */
static struct interop_point point(const struct handoff *handoff, uint64_t k)
{
    return (struct interop_point){
        .index = (uint32_t) (k % handoff->pairs),
        .value = handoff->type == INTEROP_SEMAPHORE_TIMELINE ? k + 1 : 0,
    };
}

struct interop_point handoff_ready(const struct handoff *handoff, uint64_t frame)
{
    return point(handoff, (frame - handoff->base) / handoff->batch);
}

uint64_t handoff_ready_batch(const struct handoff *handoff, uint64_t frame)
{
    return handoff->base_batches + (frame - handoff->base) / handoff->batch;
}

bool handoff_next_batch(const struct handoff *handoff, struct handoff_batch *batch)
{
    const uint64_t done = handoff->stepped - handoff->base;
    const uint64_t left = handoff->frames ? handoff->frames - handoff->stepped : UINT64_MAX;
    if (left == 0)
        return false;
    const uint64_t k = done / handoff->batch;
    const uint64_t drawn_batches = (handoff->drawn - handoff->base) / handoff->batch;
    if (k >= drawn_batches + handoff->depth)
        return false;
    *batch = (struct handoff_batch){
        .first = handoff->stepped,
        .count = left < handoff->batch ? (uint32_t) left : handoff->batch,
        .waits = k >= handoff->depth,
        .ready = point(handoff, k),
    };
    if (batch->waits)
        batch->free = point(handoff, k - handoff->depth);
    return true;
}

bool handoff_next_frame(const struct handoff *handoff, struct handoff_frame *frame)
{
    if (handoff->drawn == handoff->stepped)
        return false;
    const uint64_t done = handoff->drawn - handoff->base;
    const uint64_t k = done / handoff->batch;
    const uint64_t in_batch = done % handoff->batch;
    const bool last_of_run = handoff->frames && handoff->drawn + 1 == handoff->frames;
    *frame = (struct handoff_frame){
        .frame = handoff->drawn,
        .slot = handoff_slot(handoff, handoff->drawn),
        .waits = in_batch == 0,
        .ready = point(handoff, k),
        .frees = in_batch == handoff->batch - 1 || last_of_run,
        .free = point(handoff, k),
    };
    return true;
}

/* A timeline must grow; a binary semaphore must have been waited for. */
static bool account_signal(const struct handoff *handoff, struct handoff_account *account,
                           const struct interop_point *point, const char *name, struct error *error)
{
    const bool timeline = handoff->type == INTEROP_SEMAPHORE_TIMELINE;
    if (timeline ? point->value <= account->signalled : account->signalled != account->waited)
        return error_set(error, ERROR_RUNTIME,
                         "the handoff signals semaphore %s %u out of turn (%s); report this", name,
                         point->index,
                         timeline ? "its value does not grow" : "it was not waited for");
    account->signalled = timeline ? point->value : account->signalled + 1;
    return true;
}

/* What is waited for must have been enqueued before; a binary signal once. */
static bool account_wait(const struct handoff *handoff, struct handoff_account *account,
                         const struct interop_point *point, const char *name, struct error *error)
{
    const bool timeline = handoff->type == INTEROP_SEMAPHORE_TIMELINE;
    if (timeline ? point->value > account->signalled : account->waited >= account->signalled)
        return error_set(error, ERROR_RUNTIME,
                         "the handoff waits for semaphore %s %u out of turn (%s); report this",
                         name, point->index,
                         timeline ? "no signal of this value is enqueued"
                                  : "waited for twice, or before its signal");
    account->waited = timeline ? point->value : account->waited + 1;
    return true;
}

bool handoff_batch_stepped(struct handoff *handoff, const struct handoff_batch *batch,
                           struct error *error)
{
    if (batch->waits &&
        !account_wait(handoff, &handoff->free[batch->free.index], &batch->free, "free", error))
        return false;
    if (!account_signal(handoff, &handoff->ready[batch->ready.index], &batch->ready, "ready",
                        error))
        return false;
    handoff->stepped += batch->count;
    handoff->batches++;
    return true;
}

bool handoff_frame_drawn(struct handoff *handoff, const struct handoff_frame *frame,
                         struct error *error)
{
    if (frame->waits &&
        !account_wait(handoff, &handoff->ready[frame->ready.index], &frame->ready, "ready", error))
        return false;
    if (frame->frees &&
        !account_signal(handoff, &handoff->free[frame->free.index], &frame->free, "free", error))
        return false;
    handoff->drawn++;
    return true;
}
