/* cuda_stepper.h: imports Vulkan's height maps and semaphores into CUDA and
 * steps the wave in them.
 *
 * Height maps are float32, row-major, width * height, rows without padding.
 * The caller must keep the Vulkan objects alive until destroy has returned.
 * Thread rule: one thread at a time per stepper; each call sets the CUDA
 * device of its thread, so it need not be the creating one.
 * All functions fill `error` and return false on failure.
 * Source: CUDA Programming Guide, section 4.19.2 (Vulkan interoperability).
 */
#ifndef KERNELS_CUDA_STEPPER_H
#define KERNELS_CUDA_STEPPER_H

#include "vkbase/error.h"
#include "vkbase/interop.h"

struct cuda_stepper;

/* Where one slot lies: a buffer or an image in allocation `memory`. */
struct cuda_slot {
    uint32_t memory; /* index into cuda_stepper_params.memories */
    bool is_image;
    /* !is_image: size at least width * height * 4; the offset a multiple of 4, and of
     * 16 for kernels whose stores are all whole. */
    struct interop_buffer buffer;
    struct interop_image image; /* is_image; INTEROP_FORMAT_R32_SFLOAT, 2D, storage usage */
};

struct cuda_stepper_params {
    const uint8_t *device_uuid; /* INTEROP_UUID_SIZE bytes */
    uint32_t width, height;     /* vertices */

    /* Tables of the wave, copied: sin and cos of f*u per column (width floats)
     * and of f*v per row (height floats). */
    const float *column_sin, *column_cos;
    const float *row_sin, *row_cos;

    /* Allocations to import. Each descriptor that was taken is set to -1; after
     * a failure the caller closes those that are left. */
    struct interop_memory *memories;
    uint32_t memory_count;

    const struct cuda_slot *slots;
    uint32_t slot_count;

    uint32_t steps_in_flight; /* step calls enqueued and not finished, at most: 1 to 65536 */

    /* For cuda_stepper_time; two event records a step. */
    bool measure;

    /* For tests only. */
    uint32_t test_kernel_delay_ms; /* spin this long on the device before each batch's kernels */
    /* Leave out the signals of this step call (1: the first) and all later ones,
     * whose higher values would stand for it; 0: never. */
    uint64_t test_drop_signal;
};

/* Imports memory, maps every slot, uploads the tables. */
bool cuda_stepper_create(const struct cuda_stepper_params *params, struct cuda_stepper **stepper,
                         struct error *error);

/* What was exported, all of one type, at least one of each kind. */
struct cuda_semaphores {
    struct interop_semaphore *ready, *free;
    uint32_t ready_count, free_count;
};

/* Imports them. Any earlier set must have been released. Descriptors taken are
 * set to -1, as above. A half-imported set is released again on failure. */
bool cuda_stepper_import_semaphores(struct cuda_stepper *stepper,
                                    const struct cuda_semaphores *semaphores, struct error *error);

/* Waits until the device has finished the stepper's work, then destroys the
 * imported semaphores. Without a set it does nothing. */
void cuda_stepper_release_semaphores(struct cuda_stepper *stepper);

/* One height map to fill. */
struct cuda_step {
    uint32_t slot;
    float sin_t, cos_t; /* of the time, rounded from double */
};

/* Enqueues: wait for free[wait->index] (wait may be NULL: first use of the
 * slots), fill `count` slots, signal ready[signal->index]. Returns without
 * waiting for the device, after the signal was enqueued. */
bool cuda_stepper_step(struct cuda_stepper *stepper, const struct cuda_step *steps, uint32_t count,
                       const struct interop_point *wait, const struct interop_point *signal,
                       struct error *error);

/* How long the device took for the kernels of a step call, in microseconds;
 * `step` counts those calls from 0. Gives each step that has finished once, the
 * oldest first, so call it until it returns false: none more has finished yet,
 * or the stepper does not measure. Of steps not asked for more than the last steps_in_flight are
 * kept. Never waits for the device, allocates nothing. */
bool cuda_stepper_time(struct cuda_stepper *stepper, uint64_t *step, float *kernel_us);

/* How many step calls the device has filled the slots of, without waiting;
 * their signals may still be out. */
bool cuda_stepper_done(struct cuda_stepper *stepper, uint64_t *calls, struct error *error);

/* Waits until all enqueued work is done, at most `timeout_ms` milliseconds
 * (polling; never blocks longer). *done says whether it is. */
bool cuda_stepper_wait(struct cuda_stepper *stepper, uint32_t timeout_ms, bool *done,
                       struct error *error);

/* Signals ready[point->index] outside of a step: raises a signal that a failed
 * run still owes, so that Vulkan's queue can drain. */
bool cuda_stepper_signal_ready(struct cuda_stepper *stepper, const struct interop_point *point,
                               struct error *error);

/* Synchronises the stream, then frees in the reverse order of creation:
 * semaphores, mappings, external memory, tables, stream. NULL is allowed. */
void cuda_stepper_destroy(struct cuda_stepper *stepper);

#endif
