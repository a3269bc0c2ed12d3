#include "app/handoff.h"

#include <string.h>

/* Frames of a batch; a run may have fewer. */
static uint32_t batch_size(uint32_t batch, uint64_t frames)
{
    return frames != 0 && frames < batch ? (uint32_t) frames : batch;
}

uint32_t handoff_depth(uint32_t batch, uint32_t slots, uint64_t frames)
{
    const uint32_t size = batch_size(batch, frames);
    const uint64_t needed = frames != 0 ? (frames - 1) / size + 1 : UINT64_MAX;
    uint32_t depth = slots / size;
    if (depth > HANDOFF_DEPTH_MAX)
        depth = HANDOFF_DEPTH_MAX;
    if (depth > needed)
        depth = (uint32_t) needed;
    return depth < 2 ? 2 : depth / 2 * 2;
}

uint32_t handoff_ring_size(uint32_t batch, uint32_t depth, uint64_t frames)
{
    return batch_size(batch, frames) * depth;
}

void handoff_semaphore_counts(enum interop_semaphore_type type, uint32_t depth, uint32_t *ready,
                              uint32_t *free)
{
    const bool timeline = type == INTEROP_SEMAPHORE_TIMELINE;
    *ready = timeline ? 1 : depth;
    *free = timeline ? 1 : HANDOFF_HALVES;
}

void handoff_init(struct handoff *handoff, const struct handoff_params *params)
{
    *handoff = (struct handoff){
        .depth = params->depth,
        .batch = batch_size(params->batch, params->frames),
        .frames = params->frames,
    };
    handoff_restart(handoff, params->type);
}

void handoff_restart(struct handoff *handoff, enum interop_semaphore_type type)
{
    handoff->type = type;
    handoff_semaphore_counts(type, handoff->depth, &handoff->ready_count, &handoff->free_count);
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

/* Of `count` semaphores the one that is used the n-th time, from 0, since the
 * base. */
static struct interop_point point(const struct handoff *handoff, uint32_t count, uint64_t n)
{
    return (struct interop_point){
        .index = (uint32_t) (n % count),
        .value = handoff->type == INTEROP_SEMAPHORE_TIMELINE ? n + 1 : 0,
    };
}

/* Batch `k` since the base. */
static struct interop_point ready_point(const struct handoff *handoff, uint64_t k)
{
    return point(handoff, handoff->ready_count, k);
}

/* Half `h` since the base. */
static struct interop_point free_point(const struct handoff *handoff, uint64_t h)
{
    return point(handoff, handoff->free_count, h);
}

struct interop_point handoff_ready(const struct handoff *handoff, uint64_t frame)
{
    return ready_point(handoff, (frame - handoff->base) / handoff->batch);
}

uint64_t handoff_ready_batch(const struct handoff *handoff, uint64_t frame)
{
    return handoff->base_batches + (frame - handoff->base) / handoff->batch;
}

bool handoff_next_batch(const struct handoff *handoff, struct handoff_batch *batch)
{
    const uint64_t left = handoff->frames ? handoff->frames - handoff->stepped : UINT64_MAX;
    if (left == 0)
        return false;
    const uint64_t k = (handoff->stepped - handoff->base) / handoff->batch;
    const uint64_t drawn_batches = (handoff->drawn - handoff->base) / handoff->batch;
    const uint32_t half = handoff->depth / HANDOFF_HALVES;
    const uint64_t h = k / half;
    if (k >= handoff->depth && drawn_batches < (h - 1) * half)
        return false;
    *batch = (struct handoff_batch){
        .first = handoff->stepped,
        .count = left < handoff->batch ? (uint32_t) left : handoff->batch,
        .waits = k >= handoff->depth && k % half == 0,
        .ready = ready_point(handoff, k),
    };
    if (batch->waits)
        batch->free = free_point(handoff, h - HANDOFF_HALVES);
    return true;
}

bool handoff_next_frame(const struct handoff *handoff, struct handoff_frame *frame)
{
    if (handoff->drawn == handoff->stepped)
        return false;
    const uint64_t done = handoff->drawn - handoff->base;
    const uint64_t half = (uint64_t) handoff->depth / HANDOFF_HALVES * handoff->batch; /* frames */
    const bool last_of_run = handoff->frames && handoff->drawn + 1 == handoff->frames;
    *frame = (struct handoff_frame){
        .frame = handoff->drawn,
        .slot = handoff_slot(handoff, handoff->drawn),
        .waits = done % handoff->batch == 0,
        .ready = handoff_ready(handoff, handoff->drawn),
        .frees = done % half == half - 1 || last_of_run,
        .free = free_point(handoff, done / half),
    };
    return true;
}

/* A timeline must grow; a binary semaphore must have been waited for. */
static bool check_signal(const struct handoff *handoff, const struct handoff_account *account,
                         const struct interop_point *point, const char *name, struct error *error)
{
    const bool timeline = handoff->type == INTEROP_SEMAPHORE_TIMELINE;
    if (timeline ? point->value > account->signalled : account->signalled == account->waited)
        return true;
    return error_set(error, ERROR_RUNTIME,
                     "cannot signal semaphore %s %u: out of turn, %s; report this", name,
                     point->index, timeline ? "its value does not grow" : "it was not waited for");
}

/* What is waited for must have been enqueued before; a binary signal once. */
static bool check_wait(const struct handoff *handoff, const struct handoff_account *account,
                       const struct interop_point *point, const char *name, struct error *error)
{
    const bool timeline = handoff->type == INTEROP_SEMAPHORE_TIMELINE;
    if (timeline ? point->value <= account->signalled : account->waited < account->signalled)
        return true;
    return error_set(error, ERROR_RUNTIME,
                     "cannot wait for semaphore %s %u: out of turn, %s; report this", name,
                     point->index,
                     timeline ? "no signal of this value is enqueued"
                              : "it is waited for twice, or before its signal");
}

/* A timeline's account holds values, a binary semaphore's how many there were. */
static void account(const struct handoff *handoff, uint64_t *count,
                    const struct interop_point *point)
{
    *count = handoff->type == INTEROP_SEMAPHORE_TIMELINE ? point->value : *count + 1;
}

bool handoff_check_batch(const struct handoff *handoff, const struct handoff_batch *batch,
                         struct error *error)
{
    return (!batch->waits ||
            check_wait(handoff, &handoff->free[batch->free.index], &batch->free, "free", error)) &&
           check_signal(handoff, &handoff->ready[batch->ready.index], &batch->ready, "ready",
                        error);
}

void handoff_batch_stepped(struct handoff *handoff, const struct handoff_batch *batch)
{
    if (batch->waits)
        account(handoff, &handoff->free[batch->free.index].waited, &batch->free);
    account(handoff, &handoff->ready[batch->ready.index].signalled, &batch->ready);
    handoff->stepped += batch->count;
    handoff->batches++;
}

bool handoff_check_frame(const struct handoff *handoff, const struct handoff_frame *frame,
                         struct error *error)
{
    return (!frame->waits || check_wait(handoff, &handoff->ready[frame->ready.index], &frame->ready,
                                        "ready", error)) &&
           (!frame->frees ||
            check_signal(handoff, &handoff->free[frame->free.index], &frame->free, "free", error));
}

void handoff_frame_drawn(struct handoff *handoff, const struct handoff_frame *frame)
{
    if (frame->waits)
        account(handoff, &handoff->ready[frame->ready.index].waited, &frame->ready);
    if (frame->frees)
        account(handoff, &handoff->free[frame->free.index].signalled, &frame->free);
    handoff->drawn++;
}
