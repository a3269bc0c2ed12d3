/* cuda_absent.c: the public functions of kernels/ in a build without CUDA, so
 * that callers need no conditional compilation. */
#include "kernels/cuda_device.h"
#include "kernels/cuda_stepper.h"
#include "kernels/nvtx.h"

static bool absent(struct error *error)
{
    return error_set(error, ERROR_UNAVAILABLE,
                     "cannot step with CUDA: this build has none; use --compute vulkan, or build "
                     "with the CUDA toolkit");
}

enum cuda_device_status cuda_device_find(const uint8_t *uuid, struct cuda_device *device,
                                         struct error *why)
{
    (void) uuid;
    *device = (struct cuda_device){.ordinal = -1};
    error_set(why, ERROR_UNAVAILABLE, "this build has no CUDA");
    return CUDA_DEVICE_NOT_BUILT;
}

void cuda_device_versions(int *driver, int *runtime)
{
    *driver = 0;
    *runtime = 0;
}

void cuda_device_open(const uint8_t *uuid)
{
    (void) uuid;
}

bool cuda_stepper_create(const struct cuda_stepper_params *params, struct cuda_stepper **stepper,
                         struct error *error)
{
    (void) params;
    *stepper = NULL;
    return absent(error);
}

bool cuda_stepper_import_semaphores(struct cuda_stepper *stepper,
                                    const struct cuda_semaphores *semaphores, struct error *error)
{
    (void) stepper;
    (void) semaphores;
    return absent(error);
}

void cuda_stepper_release_semaphores(struct cuda_stepper *stepper)
{
    (void) stepper;
}

bool cuda_stepper_step(struct cuda_stepper *stepper, const struct cuda_step *steps, uint32_t count,
                       const struct interop_point *wait, const struct interop_point *signal,
                       struct error *error)
{
    (void) stepper;
    (void) steps;
    (void) count;
    (void) wait;
    (void) signal;
    return absent(error);
}

bool cuda_stepper_time(struct cuda_stepper *stepper, uint64_t *step, float *kernel_us)
{
    (void) stepper;
    *step = 0;
    *kernel_us = 0.0f;
    return false;
}

bool cuda_stepper_done(struct cuda_stepper *stepper, uint64_t *calls, struct error *error)
{
    (void) stepper;
    *calls = 0;
    return absent(error);
}

bool cuda_stepper_wait(struct cuda_stepper *stepper, uint32_t timeout_ms, bool *done,
                       struct error *error)
{
    (void) stepper;
    (void) timeout_ms;
    *done = false;
    return absent(error);
}

bool cuda_stepper_signal_ready(struct cuda_stepper *stepper, const struct interop_point *point,
                               struct error *error)
{
    (void) stepper;
    (void) point;
    return absent(error);
}

void cuda_stepper_destroy(struct cuda_stepper *stepper)
{
    (void) stepper;
}

void cuda_nvtx_push(const char *name)
{
    (void) name;
}

void cuda_nvtx_pop(void)
{
}
