/* wave_baseline.h: the height map in the obvious way, one thread per vertex
 * and sinf * cosf in it. Kept only for comparison by the benchmark; its heights
 * are those of the device's own sinf and cosf.
 */
#ifndef KERNELS_WAVE_BASELINE_H
#define KERNELS_WAVE_BASELINE_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `heights`: device, width * height floats. Sides up to 65536. Only enqueues. */
cudaError_t wave_baseline_fill(float *heights, uint32_t width, uint32_t height, float time,
                               cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
