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
    /* Device; owned. Four pairs of column tables of `stride` floats each, sin
     * and cos: pair k begins at column k and goes round at the end of the grid,
     * so that four columns from 4 * i + k on, a next row's among them, are one
     * 16-byte load. Then sin and cos of each row, 16 rows longer than the grid,
     * so that a read may run over its end. */
    float *tables;
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
