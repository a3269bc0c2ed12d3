/* wave_kernel.h: the kernels that fill height maps. Private to kernels/ and
 * its tests.
 *
 *     height = A * ((sinColumn * C + cosColumn * S) * (cosRow * C - sinRow * S))
 *
 * with S = sin t, C = cos t, A = 0.5, each operation rounded to float in this
 * order and none contracted: the bytes are those of any other evaluation that
 * keeps the order.
 *
 * All functions only enqueue; they allocate nothing and wait for nothing.
 * Thread rule: any thread whose current device is the grid's.
 */
#ifndef KERNELS_WAVE_KERNEL_H
#define KERNELS_WAVE_KERNEL_H

#include "kernels/wave_grid.h"
#include "kernels/wave_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One height map to fill. */
struct wave_job {
    union {
        float *heights;              /* device; width * height floats, at a multiple of 4 bytes */
        cudaSurfaceObject_t surface; /* one 32-bit channel, width x height texels */
    };
    float sin_t, cos_t;
};

/* Loads the kernels onto the current device. Without it the first launch would,
 * which can wait for the whole device: for ever, if that waits for us. */
cudaError_t wave_kernel_load(void);

/* Fills `count` height maps. Up to 8 share a launch. */
cudaError_t wave_fill_buffers(const struct wave_grid *grid, const struct wave_job *jobs,
                              uint32_t count, cudaStream_t stream);
cudaError_t wave_fill_images(const struct wave_grid *grid, const struct wave_job *jobs,
                             uint32_t count, cudaStream_t stream);

/* wave_fill_buffers with another tuning, for measurements. */
cudaError_t wave_fill_buffers_tuned(const struct wave_grid *grid, const struct wave_job *jobs,
                                    uint32_t count, struct wave_tuning tuning, cudaStream_t stream);

/* Keeps the stream busy for this long; for tests. */
cudaError_t wave_delay(uint32_t milliseconds, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
