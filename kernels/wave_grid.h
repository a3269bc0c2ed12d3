/* wave_grid.h: what the wave's kernels know of a grid, on the device. Private
 * to kernels/ and its tests.
 */
#ifndef KERNELS_WAVE_GRID_H
#define KERNELS_WAVE_GRID_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "vkbase/error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WAVE_SIDE_MAX = 65536 }; /* vertices; what the kernels' arithmetic allows */

struct wave_grid {
    uint32_t width, height; /* vertices */
    float *tables;          /* device, owned: see wave_layout.h */
    uint32_t stride;
    uint32_t resident; /* threads that the device runs at once */
    uint64_t cache;    /* bytes of the device's L2 cache */
};

/* Uploads the tables (`width` and `height` floats, host memory, copied) and
 * waits for that. The device is the calling thread's. On failure the grid is
 * zeroed. */
bool wave_grid_create(uint32_t width, uint32_t height, const float *column_sin,
                      const float *column_cos, const float *row_sin, const float *row_cos,
                      cudaStream_t stream, struct wave_grid *grid, struct error *error);

/* Accepts a zeroed grid; no kernel may be using it. */
void wave_grid_destroy(struct wave_grid *grid);

#ifdef __cplusplus
}
#endif

#endif
