#include "kernels/cuda_stepper.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "kernels/cuda_device.h"
#include "kernels/cuda_external.h"
#include "kernels/cuda_result.h"
#include "kernels/cuda_times.h"
#include "kernels/nvtx.h"
#include "kernels/wave_kernel.h"

enum {
    LAUNCH_MAX = 32, /* height maps handed to the kernels at a time */
    IN_FLIGHT_MAX = 65536,
};

/* Imported semaphores of one kind. */
struct imported {
    struct cuda_external_semaphore *list;
    uint32_t count;
};

struct slot {
    bool is_image;
    float *heights;                   /* mapped buffer */
    struct cuda_external_image image; /* mapped image */
};

/* Members in the order of creation. */
struct cuda_stepper {
    struct cuda_device device;
    cudaStream_t stream;
    cudaStream_t raise_stream; /* for signals that must not queue behind a stuck wait */
    cudaEvent_t *filled;       /* of step call n: filled[n % filled_count] */
    uint32_t filled_count;     /* step calls that are told apart: more than are in flight */
    bool measure;
    struct cuda_times times; /* measure */
    struct wave_grid grid;

    struct cuda_external_memory *memories;
    uint32_t memory_count;
    struct slot *slots;
    uint32_t slot_count;

    struct imported ready, free;

    uint32_t test_kernel_delay_ms;
    uint64_t test_drop_signal;
    uint64_t step_calls;
    uint64_t filled_calls; /* known to be done */
};

static bool use_device(const struct cuda_stepper *stepper, struct error *error)
{
    return CUDA_OK(error, cudaSetDevice(stepper->device.ordinal), "use CUDA device %d (%s)",
                   stepper->device.ordinal, stepper->device.name);
}

static bool map_slot(struct cuda_stepper *stepper, uint32_t index, const struct cuda_slot *given,
                     struct error *error)
{
    struct slot *slot = &stepper->slots[index];
    if (given->memory >= stepper->memory_count)
        return error_set(error, ERROR_RUNTIME,
                         "cannot map slot %u: there is no allocation %u; pass one of the %u", index,
                         given->memory, stepper->memory_count);
    const struct cuda_external_memory *memory = &stepper->memories[given->memory];
    const uint32_t width = stepper->grid.width;
    const uint32_t height = stepper->grid.height;

    if (given->is_image) {
        const struct interop_image *image = &given->image;
        if (image->format != INTEROP_FORMAT_R32_SFLOAT || image->view_type != INTEROP_VIEW_2D ||
            image->width != width || image->height != height)
            return error_set(error, ERROR_RUNTIME,
                             "cannot map slot %u: the image is no 2D one of %ux%u texels of format "
                             "R32_SFLOAT; make it so",
                             index, width, height);
        slot->is_image = true;
        return cuda_external_image_map(memory, image, &slot->image, error);
    }

    if (given->buffer.size < (uint64_t) width * height * sizeof(float) ||
        given->buffer.offset % sizeof(float) != 0)
        return error_set(error, ERROR_RUNTIME,
                         "cannot map slot %u: %" PRIu64 " bytes at %" PRIu64
                         " do not hold %ux%u floats; bind a buffer that does",
                         index, given->buffer.size, given->buffer.offset, width, height);
    void *address = NULL;
    if (!cuda_external_buffer_map(memory, &given->buffer, &address, error))
        return false;
    slot->heights = address;
    return true;
}

static bool create_events(struct cuda_stepper *stepper, struct error *error)
{
    for (uint32_t i = 0; i < stepper->filled_count; i++) {
        if (!CUDA_OK(error, cudaEventCreateWithFlags(&stepper->filled[i], cudaEventDisableTiming),
                     "make a CUDA event")) {
            stepper->filled[i] = NULL;
            return false;
        }
    }
    return true;
}

bool cuda_stepper_create(const struct cuda_stepper_params *params, struct cuda_stepper **stepper,
                         struct error *error)
{
    *stepper = NULL;
    if (params->steps_in_flight == 0 || params->steps_in_flight > IN_FLIGHT_MAX)
        return error_set(error, ERROR_RUNTIME,
                         "cannot step with CUDA: %u steps in flight; pass 1 to %d",
                         params->steps_in_flight, IN_FLIGHT_MAX);
    struct cuda_device device;
    struct error why = {0};
    if (cuda_device_find(params->device_uuid, &device, &why) != CUDA_DEVICE_FOUND)
        return error_set(error, ERROR_UNAVAILABLE,
                         "cannot step with CUDA: %.400s; use --compute vulkan or another --device",
                         why.text);

    struct cuda_stepper *made = calloc(1, sizeof *made);
    if (!made)
        goto no_memory;
    made->device = device;
    made->measure = params->measure;
    made->test_kernel_delay_ms = params->test_kernel_delay_ms;
    made->test_drop_signal = params->test_drop_signal;
    made->memories = calloc((size_t) params->memory_count + 1, sizeof *made->memories);
    made->slots = calloc((size_t) params->slot_count + 1, sizeof *made->slots);
    made->filled_count = params->steps_in_flight + 1;
    made->filled = calloc((size_t) made->filled_count + 1, sizeof(cudaEvent_t));
    if (!made->memories || !made->slots || !made->filled)
        goto no_memory;

    /* A stream of its own that does not wait for the default one. */
    if (!use_device(made, error) ||
        !CUDA_OK(error, cudaStreamCreateWithFlags(&made->stream, cudaStreamNonBlocking),
                 "make a CUDA stream") ||
        !CUDA_OK(error, cudaStreamCreateWithFlags(&made->raise_stream, cudaStreamNonBlocking),
                 "make a CUDA stream") ||
        !create_events(made, error) ||
        (made->measure && !cuda_times_create(&made->times, made->filled_count, error)) ||
        !cuda_result_check(wave_kernel_load(), error, "cudaFuncGetAttributes",
                           "load the wave's kernels") ||
        !wave_grid_create(params->width, params->height, params->column_sin, params->column_cos,
                          params->row_sin, params->row_cos, made->stream, &made->grid, error))
        goto fail;

    for (uint32_t i = 0; i < params->memory_count; i++) {
        if (!cuda_external_memory_import(&params->memories[i], &made->memories[i], error))
            goto fail;
        made->memory_count++;
    }
    for (uint32_t i = 0; i < params->slot_count; i++) {
        if (!map_slot(made, i, &params->slots[i], error))
            goto fail;
        made->slot_count++;
    }
    *stepper = made;
    return true;

no_memory:
    error_set(error, ERROR_RUNTIME,
              "cannot make the CUDA stepper: out of memory; end other "
              "programs, or take a smaller --batch");
fail:
    cuda_stepper_destroy(made);
    return false;
}

static void synchronise(const struct cuda_stepper *stepper)
{
    if (stepper->raise_stream)
        (void) cudaStreamSynchronize(stepper->raise_stream);
    if (stepper->stream)
        (void) cudaStreamSynchronize(stepper->stream);
}

/* Of a whole or half-imported set, without waiting. */
static void destroy_imported(struct imported *imported)
{
    for (uint32_t i = imported->count; i-- > 0;)
        cuda_external_semaphore_destroy(&imported->list[i]);
    free(imported->list);
    *imported = (struct imported){0};
}

static void destroy_semaphores(struct cuda_stepper *stepper)
{
    destroy_imported(&stepper->free);
    destroy_imported(&stepper->ready);
}

static bool import(struct interop_semaphore *exported, uint32_t count, struct imported *imported,
                   struct error *error)
{
    imported->list = calloc(count, sizeof *imported->list);
    if (!imported->list)
        return error_set(error, ERROR_RUNTIME,
                         "cannot import semaphores into CUDA: out of memory; end other programs");
    imported->count = count;
    for (uint32_t i = 0; i < count; i++) {
        if (!cuda_external_semaphore_import(&exported[i], &imported->list[i], error))
            return false;
    }
    return true;
}

static bool are_of_type(const struct interop_semaphore *semaphores, uint32_t count,
                        enum interop_semaphore_type type)
{
    for (uint32_t i = 0; i < count; i++) {
        if (semaphores[i].type != type)
            return false;
    }
    return true;
}

bool cuda_stepper_import_semaphores(struct cuda_stepper *stepper,
                                    const struct cuda_semaphores *semaphores, struct error *error)
{
    if (stepper->ready.list)
        return error_set(error, ERROR_RUNTIME,
                         "cannot import semaphores into CUDA: there is a set already; release it "
                         "first");
    if (semaphores->ready_count == 0 || semaphores->free_count == 0)
        return error_set(error, ERROR_RUNTIME,
                         "cannot import semaphores into CUDA: there are none; pass at least one "
                         "of each kind");
    const enum interop_semaphore_type type = semaphores->ready[0].type;
    if (!are_of_type(semaphores->ready, semaphores->ready_count, type) ||
        !are_of_type(semaphores->free, semaphores->free_count, type))
        return error_set(error, ERROR_RUNTIME,
                         "cannot import semaphores into CUDA: they are of different types; pass "
                         "one type");
    if (type == INTEROP_SEMAPHORE_TIMELINE && !stepper->device.timeline_semaphores)
        return error_set(error, ERROR_UNAVAILABLE,
                         "cannot import timeline semaphores: CUDA device %d (%s) takes none; use "
                         "--semaphore binary",
                         stepper->device.ordinal, stepper->device.name);
    if (!use_device(stepper, error))
        return false;
    if (!import(semaphores->ready, semaphores->ready_count, &stepper->ready, error) ||
        !import(semaphores->free, semaphores->free_count, &stepper->free, error)) {
        destroy_semaphores(stepper);
        return false;
    }
    return true;
}

void cuda_stepper_release_semaphores(struct cuda_stepper *stepper)
{
    if (!stepper || !stepper->ready.list)
        return;
    if (use_device(stepper, NULL))
        synchronise(stepper);
    destroy_semaphores(stepper);
}

static bool check_point(const struct imported *imported, const char *name,
                        const struct interop_point *point, struct error *error)
{
    if (point->index < imported->count)
        return true;
    return error_set(error, ERROR_RUNTIME,
                     "cannot step: there is no semaphore %s[%u]: %u were imported; import more",
                     name, point->index, imported->count);
}

static bool signal_ready(struct cuda_stepper *stepper, const struct interop_point *point,
                         cudaStream_t stream, struct error *error)
{
    char name[32];
    (void) snprintf(name, sizeof name, "ready[%u]", point->index);
    return cuda_external_semaphore_signal(&stepper->ready.list[point->index], point->value, stream,
                                          name, error);
}

static bool wait_free(struct cuda_stepper *stepper, const struct interop_point *point,
                      struct error *error)
{
    char name[32];
    (void) snprintf(name, sizeof name, "free[%u]", point->index);
    return cuda_external_semaphore_wait(&stepper->free.list[point->index], point->value,
                                        stepper->stream, name, error);
}

/* Fills the slots with as few launches as their kinds allow. */
static bool fill(struct cuda_stepper *stepper, const struct cuda_step *steps, uint32_t count,
                 struct error *error)
{
    struct wave_job jobs[LAUNCH_MAX];
    for (uint32_t first = 0; first < count;) {
        const bool images = stepper->slots[steps[first].slot].is_image;
        uint32_t part = 0;
        while (part < LAUNCH_MAX && first + part < count) {
            const struct cuda_step *step = &steps[first + part];
            const struct slot *slot = &stepper->slots[step->slot];
            if (slot->is_image != images)
                break;
            jobs[part] = (struct wave_job){.sin_t = step->sin_t, .cos_t = step->cos_t};
            if (images)
                jobs[part].surface = slot->image.surface;
            else
                jobs[part].heights = slot->heights;
            part++;
        }
        const cudaError_t result =
            images ? wave_fill_images(&stepper->grid, jobs, part, stepper->stream)
                   : wave_fill_buffers(&stepper->grid, jobs, part, stepper->stream);
        if (!cuda_result_check(result, error, "cudaLaunchKernel", "fill %u height maps", part))
            return false;
        first += part;
    }
    return true;
}

bool cuda_stepper_step(struct cuda_stepper *stepper, const struct cuda_step *steps, uint32_t count,
                       const struct interop_point *wait, const struct interop_point *signal,
                       struct error *error)
{
    /* All input is checked before anything is enqueued: a wait whose step is
     * then refused would use up a binary signal. */
    if (count == 0 || !signal)
        return error_set(error, ERROR_RUNTIME,
                         "cannot step: no slots, or no semaphore to signal; pass both");
    for (uint32_t i = 0; i < count; i++) {
        if (steps[i].slot >= stepper->slot_count)
            return error_set(error, ERROR_RUNTIME,
                             "cannot step: there is no slot %u; %u were mapped", steps[i].slot,
                             stepper->slot_count);
    }
    if ((wait && !check_point(&stepper->free, "free", wait, error)) ||
        !check_point(&stepper->ready, "ready", signal, error) || !use_device(stepper, error))
        return false;

    cuda_nvtx_push("cuda_stepper_step");
    bool done = false;
    stepper->step_calls++;
    if (wait && !wait_free(stepper, wait, error))
        goto end;
    if (stepper->test_kernel_delay_ms > 0 &&
        !cuda_result_check(wave_delay(stepper->test_kernel_delay_ms, stepper->stream), error,
                           "cudaLaunchKernel", "delay the kernels"))
        goto end;
    if ((stepper->measure && !cuda_times_begin(&stepper->times, stepper->stream, error)) ||
        !fill(stepper, steps, count, error) ||
        (stepper->measure &&
         !cuda_times_end(&stepper->times, stepper->step_calls - 1, stepper->stream, error)))
        goto end;
    if (!CUDA_OK(error,
                 cudaEventRecord(stepper->filled[(stepper->step_calls - 1) % stepper->filled_count],
                                 stepper->stream),
                 "mark the end of a step"))
        goto end;
    done = (stepper->test_drop_signal && stepper->step_calls >= stepper->test_drop_signal) ||
           signal_ready(stepper, signal, stepper->stream, error);
end:
    cuda_nvtx_pop();
    return done;
}

bool cuda_stepper_time(struct cuda_stepper *stepper, uint64_t *step, float *kernel_us)
{
    *step = 0;
    *kernel_us = 0.0f;
    return stepper->measure && use_device(stepper, NULL) &&
           cuda_times_read(&stepper->times, step, kernel_us);
}

bool cuda_stepper_done(struct cuda_stepper *stepper, uint64_t *calls, struct error *error)
{
    const uint64_t made = stepper->step_calls;
    *calls = stepper->filled_calls;
    if (!use_device(stepper, error))
        return false;
    /* Older events have been used again, for a later call. */
    if (made > stepper->filled_count && stepper->filled_calls < made - stepper->filled_count &&
        cudaEventQuery(stepper->filled[made % stepper->filled_count]) == cudaSuccess)
        stepper->filled_calls = made - stepper->filled_count;
    while (stepper->filled_calls < made && made - stepper->filled_calls <= stepper->filled_count) {
        const cudaError_t result =
            cudaEventQuery(stepper->filled[stepper->filled_calls % stepper->filled_count]);
        if (result == cudaErrorNotReady)
            break;
        if (!cuda_result_check(result, error, "cudaEventQuery", "see how far CUDA is"))
            return false;
        stepper->filled_calls++;
    }
    (void) cudaGetLastError(); /* "not ready" is no error to keep */
    *calls = stepper->filled_calls;
    return true;
}

static uint64_t now_us(void)
{
    struct timespec now;
    (void) clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t) now.tv_sec * 1000000 + (uint64_t) now.tv_nsec / 1000;
}

bool cuda_stepper_wait(struct cuda_stepper *stepper, uint32_t timeout_ms, bool *done,
                       struct error *error)
{
    enum { SPIN_US = 200, SLEEP_MIN_US = 20, SLEEP_MAX_US = 500 };

    *done = false;
    if (!use_device(stepper, error))
        return false;

    /* Asks again at once for as long as a frame usually takes, then ever more
     * seldom. Never cudaStreamSynchronize: it has no time-out. */
    const uint64_t start = now_us();
    for (long sleep_us = SLEEP_MIN_US;;) {
        const uint64_t waited = now_us() - start;
        cudaError_t result = cudaStreamQuery(stepper->stream);
        if (result == cudaSuccess)
            result = cudaStreamQuery(stepper->raise_stream);
        if (result != cudaErrorNotReady) {
            *done = result == cudaSuccess;
            return cuda_result_check(result, error, "cudaStreamQuery", "wait for CUDA's work");
        }
        if (waited >= (uint64_t) timeout_ms * 1000) {
            (void) cudaGetLastError(); /* "not ready" is no error to keep */
            return true;
        }
        if (waited >= SPIN_US) {
            const struct timespec pause = {.tv_nsec = sleep_us * 1000};
            (void) nanosleep(&pause, NULL);
            sleep_us = sleep_us * 2 < SLEEP_MAX_US ? sleep_us * 2 : SLEEP_MAX_US;
        }
    }
}

bool cuda_stepper_signal_ready(struct cuda_stepper *stepper, const struct interop_point *point,
                               struct error *error)
{
    return check_point(&stepper->ready, "ready", point, error) && use_device(stepper, error) &&
           signal_ready(stepper, point, stepper->raise_stream, error);
}

void cuda_stepper_destroy(struct cuda_stepper *stepper)
{
    if (!stepper)
        return;

    /* What fails here has been reported before, or there is nobody to tell. */
    (void) use_device(stepper, NULL);
    synchronise(stepper);
    destroy_semaphores(stepper);
    for (uint32_t i = stepper->slot_count; i-- > 0;) {
        cuda_external_image_unmap(&stepper->slots[i].image);
        if (stepper->slots[i].heights)
            (void) cudaFree(stepper->slots[i].heights);
    }
    for (uint32_t i = stepper->memory_count; i-- > 0;)
        cuda_external_memory_destroy(&stepper->memories[i]);
    wave_grid_destroy(&stepper->grid);
    cuda_times_destroy(&stepper->times);
    for (uint32_t i = 0; stepper->filled && i < stepper->filled_count; i++) {
        if (stepper->filled[i])
            (void) cudaEventDestroy(stepper->filled[i]);
    }
    if (stepper->raise_stream)
        (void) cudaStreamDestroy(stepper->raise_stream);
    if (stepper->stream)
        (void) cudaStreamDestroy(stepper->stream);
    free(stepper->filled);
    free(stepper->slots);
    free(stepper->memories);
    free(stepper);
}
