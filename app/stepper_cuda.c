/* The CUDA stepper: exports from Vulkan, imports into CUDA, steps there. */
#include <stdlib.h>

#include "app/stepper.h"
#include "kernels/cuda_stepper.h"
#include "vkbase/interop_map.h"
#include "vkbase/target.h"

struct stepper_cuda {
    struct stepper base;
    const struct vkb_device *device;
    struct cuda_stepper *cuda;
    struct cuda_step *steps; /* room for a batch */
};

static bool export(const struct vkb_device *device, const struct vkb_semaphore *semaphores,
                   uint32_t count, struct interop_semaphore *exported, struct error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!vkb_semaphore_export(device, &semaphores[i], &exported[i], error))
            return false;
    }
    return true;
}

/* Closes what the import left open, on success too: then it is nothing. */
static void close_exported(struct interop_semaphore *exported, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        interop_handle_close(&exported[i].handle);
}

static bool attach(struct stepper *base, const struct handoff_semaphores *semaphores,
                   struct error *error)
{
    struct stepper_cuda *stepper = (struct stepper_cuda *) base;
    struct interop_semaphore ready[HANDOFF_DEPTH_MAX] = {0};
    struct interop_semaphore free[HANDOFF_HALVES] = {0};
    const struct cuda_semaphores exported = {
        .ready = ready,
        .ready_count = semaphores->ready_count,
        .free = free,
        .free_count = semaphores->free_count,
    };
    const bool ok =
        export(stepper->device, semaphores->ready, semaphores->ready_count, ready, error) &&
        export(stepper->device, semaphores->free, semaphores->free_count, free, error) &&
        cuda_stepper_import_semaphores(stepper->cuda, &exported, error);
    close_exported(ready, semaphores->ready_count);
    close_exported(free, semaphores->free_count);
    return ok;
}

static void detach(struct stepper *base)
{
    cuda_stepper_release_semaphores(((struct stepper_cuda *) base)->cuda);
}

static bool step(struct stepper *base, const struct stepper_batch *batch, struct error *error)
{
    struct stepper_cuda *stepper = (struct stepper_cuda *) base;
    const struct handoff_batch *handoff = &batch->handoff;
    for (uint32_t i = 0; i < handoff->count; i++)
        stepper->steps[i] = (struct cuda_step){
            .slot = batch->slots[i],
            .sin_t = batch->phases[i].sin_t,
            .cos_t = batch->phases[i].cos_t,
        };
    return cuda_stepper_step(stepper->cuda, stepper->steps, handoff->count,
                             handoff->waits ? &handoff->free : NULL, &handoff->ready, error);
}

static bool raise_ready(struct stepper *base, const struct interop_point *point,
                        struct error *error)
{
    return cuda_stepper_signal_ready(((struct stepper_cuda *) base)->cuda, point, error);
}

static bool steps_done(struct stepper *base, uint64_t *count, struct error *error)
{
    return cuda_stepper_done(((struct stepper_cuda *) base)->cuda, count, error);
}

static bool wait_done(struct stepper *base, uint32_t timeout_ms, bool *done, struct error *error)
{
    return cuda_stepper_wait(((struct stepper_cuda *) base)->cuda, timeout_ms, done, error);
}

static bool time_of_step(struct stepper *base, double *microseconds)
{
    uint64_t step = 0;
    float time = 0.0F;
    const bool has = cuda_stepper_time(((struct stepper_cuda *) base)->cuda, &step, &time);
    *microseconds = (double) time;
    return has;
}

static void destroy(struct stepper *base)
{
    struct stepper_cuda *stepper = (struct stepper_cuda *) base;
    cuda_stepper_destroy(stepper->cuda);
    free(stepper->steps);
    free(stepper);
}

static const struct stepper_ops ops = {
    .name = "cuda",
    .attach = attach,
    .detach = detach,
    .step = step,
    .raise_ready = raise_ready,
    .steps_done = steps_done,
    .wait = wait_done,
    .time = time_of_step,
    .destroy = destroy,
};

/* One allocation per slot, or one for all: exported once each. */
static bool import(struct stepper_cuda *stepper, const struct stepper_params *params,
                   struct error *error)
{
    const struct ring *ring = params->ring;
    const bool one_block = ring->block.handle != VK_NULL_HANDLE;
    const uint32_t memory_count = one_block ? 1 : ring->count;
    struct wave_tables tables = {0};
    bool ok = false;
    struct interop_memory *memories = calloc(memory_count, sizeof *memories);
    struct cuda_slot *slots = calloc(ring->count, sizeof *slots);
    for (uint32_t i = 0; memories && i < memory_count; i++)
        memories[i].handle.fd = -1;
    if (!memories || !slots) {
        error_set(error, ERROR_RUNTIME,
                  "cannot create the stepper: out of memory; free memory and run again");
        goto done;
    }
    for (uint32_t i = 0; i < memory_count; i++) {
        if (!vkb_memory_export(stepper->device, ring_memory(ring, i), &memories[i], error))
            goto done;
    }
    for (uint32_t i = 0; i < ring->count; i++) {
        slots[i].memory = one_block ? 0 : i;
        slots[i].is_image = ring->images != NULL;
        if (!slots[i].is_image)
            slots[i].buffer = (struct interop_buffer){
                .offset = ring->buffers[i].offset,
                .size = ring->buffers[i].size,
            };
        else if (!vkb_interop_image(&ring->images[i], &slots[i].image, error))
            goto done;
    }
    if (!wave_tables_create(ring->width, ring->height, &tables, error))
        goto done;
    const struct cuda_stepper_params cuda = {
        .device_uuid = params->device_uuid,
        .width = ring->width,
        .height = ring->height,
        .column_sin = tables.column_sin,
        .column_cos = tables.column_cos,
        .row_sin = tables.row_sin,
        .row_cos = tables.row_cos,
        .memories = memories,
        .memory_count = memory_count,
        .slots = slots,
        .slot_count = ring->count,
        /* Those of the ring, and as many as unfinished frames were drawn from. */
        .steps_in_flight = ring->depth + VKB_FRAMES_MAX,
        .measure = params->measure,
        .test_kernel_delay_ms = params->options->test_kernel_delay_ms,
        .test_drop_signal = params->options->test_drop_signal,
    };
    ok = cuda_stepper_create(&cuda, &stepper->cuda, error);
done:
    for (uint32_t i = 0; memories && i < memory_count; i++)
        interop_handle_close(&memories[i].handle);
    wave_tables_destroy(&tables);
    free(slots);
    free(memories);
    return ok;
}

bool stepper_cuda_create(const struct stepper_params *params, struct stepper **created,
                         struct error *error)
{
    *created = NULL;
    struct stepper_cuda *stepper = calloc(1, sizeof *stepper);
    struct cuda_step *steps = calloc(params->ring->batch, sizeof *steps);
    if (!stepper || !steps) {
        free(stepper);
        free(steps);
        return error_set(error, ERROR_RUNTIME,
                         "cannot create the stepper: out of memory; free memory and run again");
    }
    stepper->base.ops = &ops;
    stepper->device = params->device;
    stepper->steps = steps;
    if (!import(stepper, params, error)) {
        destroy(&stepper->base);
        return false;
    }
    *created = &stepper->base;
    return true;
}
