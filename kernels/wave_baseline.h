/* wave_baseline.h: the height map in the obvious way, sinf * cosf at each
 * vertex. Kept only for comparison by the benchmark; the heights are those of
 * the device's own sinf and cosf, compiled as nvcc does unless told otherwise
 * (products and sums contracted, which makes them faster).
 *
 * There are two, because how such a kernel is launched decides what a ratio to
 * it means:
 * - "vertex" is the requirement's "one thread per vertex" to the letter, in
 *   blocks of 32x8 threads: whole warps along a row, no division, the fastest
 *   of the obvious ways. Nothing may be slower than it.
 * - "strided" is launched as NVIDIA's sample simpleVulkan launches its kernel,
 *   which is the program that people start from: blocks of one warp, as many as
 *   the device holds at once (wave_baseline_blocks), that stride through the map
 *   and find row and column by a 64-bit division.
 *
 * `heights`: device, width * height floats. Sides up to 65536. The fills only
 * enqueue. Thread rule: any thread, on its current device.
 */
#ifndef KERNELS_WAVE_BASELINE_H
#define KERNELS_WAVE_BASELINE_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t wave_baseline_vertex(float *heights, uint32_t width, uint32_t height, float time,
                                 cudaStream_t stream);

/* Blocks of one warp of the strided kernel that the current device holds. */
cudaError_t wave_baseline_blocks(uint32_t *blocks);

cudaError_t wave_baseline_strided(float *heights, uint32_t width, uint32_t height, float time,
                                  uint32_t blocks, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
