/* cuda_wave.h: a grid on the device and the heights expected of it, for the
 * GPU programs cuda_check and cuda_bench. Needs no Vulkan. */
#ifndef TESTS_CUDA_WAVE_H
#define TESTS_CUDA_WAVE_H

#include <math.h>
#include <stdlib.h>

#include "kernels/wave_grid.h"

struct cuda_wave {
    float *column_sin, *column_cos, *row_sin, *row_cos; /* one block, column_sin owns it */
    struct wave_grid grid;
};

static inline double cuda_wave_phase(uint32_t index, uint32_t side)
{
    return 4.0 * (2.0 * (double) index / (double) side - 1.0);
}

static inline void cuda_wave_destroy(struct cuda_wave *wave)
{
    wave_grid_destroy(&wave->grid);
    free(wave->column_sin);
    *wave = (struct cuda_wave){0};
}

static inline bool cuda_wave_create(uint32_t width, uint32_t height, cudaStream_t stream,
                                    struct cuda_wave *wave, struct error *error)
{
    *wave = (struct cuda_wave){0};
    wave->column_sin = malloc(2 * ((size_t) width + height) * sizeof(float));
    if (!wave->column_sin)
        return error_set(error, ERROR_RUNTIME, "cannot make tables: out of memory");
    wave->column_cos = wave->column_sin + width;
    wave->row_sin = wave->column_cos + width;
    wave->row_cos = wave->row_sin + height;
    for (uint32_t x = 0; x < width; x++) {
        wave->column_sin[x] = (float) sin(cuda_wave_phase(x, width));
        wave->column_cos[x] = (float) cos(cuda_wave_phase(x, width));
    }
    for (uint32_t y = 0; y < height; y++) {
        wave->row_sin[y] = (float) sin(cuda_wave_phase(y, height));
        wave->row_cos[y] = (float) cos(cuda_wave_phase(y, height));
    }
    if (wave_grid_create(width, height, wave->column_sin, wave->column_cos, wave->row_sin,
                         wave->row_cos, stream, &wave->grid, error))
        return true;
    cuda_wave_destroy(wave);
    return false;
}

#endif
