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

/* Floats that may be read before and after each column table: a chunk of four
 * columns can begin left of the grid and end right of it. */
enum { WAVE_TABLE_PAD = 4 };

enum { WAVE_SIDE_MAX = 1 << 24 }; /* vertices; what the kernels' arithmetic allows */

struct wave_grid {
    uint32_t width, height;               /* vertices */
    void *memory;                         /* owns the tables */
    const float *column_sin, *column_cos; /* device; 16-byte aligned, padded */
    const float *row_pairs;               /* device; sin, cos of each row */
    uint32_t resident;                    /* threads that the device runs at once */
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
