#include "kernels/wave_grid.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/cuda_result.h"

enum { SHIFTS = 4, TABLES = 2 * SHIFTS, ROWS_PAD = 16 };

/* Rounded up to 64 floats, so that each table begins at a 256-byte boundary. */
static size_t table_floats(size_t count)
{
    return (count + 63) / 64 * 64;
}

static void fill_columns(float *table, size_t stride, const float *values, uint32_t width,
                         uint32_t shift)
{
    for (size_t i = 0; i < stride; i++)
        table[i] = values[(i + shift) % width];
}

bool wave_grid_create(uint32_t width, uint32_t height, const float *column_sin,
                      const float *column_cos, const float *row_sin, const float *row_cos,
                      cudaStream_t stream, struct wave_grid *grid, struct error *error)
{
    *grid = (struct wave_grid){0};
    if (width == 0 || height == 0 || width > WAVE_SIDE_MAX || height > WAVE_SIDE_MAX)
        return error_set(error, ERROR_RUNTIME,
                         "cannot make a grid of %ux%u vertices: a side must be 1 to %d; take "
                         "another --grid",
                         width, height, WAVE_SIDE_MAX);

    const size_t stride = table_floats((size_t) width + 3);
    const size_t rows = table_floats(2 * ((size_t) height + ROWS_PAD));
    const size_t bytes = (TABLES * stride + rows) * sizeof(float);

    float *staging = calloc(1, bytes);
    if (!staging)
        return error_set(error, ERROR_RUNTIME,
                         "cannot make the wave's tables: out of memory; take a smaller --grid");
    for (uint32_t shift = 0; shift < SHIFTS; shift++) {
        float *const pair = staging + stride * 2 * shift;
        fill_columns(pair, stride, column_sin, width, shift);
        fill_columns(pair + stride, stride, column_cos, width, shift);
    }
    float *pairs = staging + TABLES * stride;
    for (uint32_t y = 0; y < height; y++) {
        pairs[2 * (size_t) y] = row_sin[y];
        pairs[2 * (size_t) y + 1] = row_cos[y];
    }

    struct wave_grid made = {.width = width, .height = height, .stride = (uint32_t) stride};
    int device = 0, processors = 0, threads = 0, cache = 0;
    /* Through the stream that will read them: another stream's copy would not
     * be ordered before its kernels. */
    const bool done =
        CUDA_OK(error, cudaGetDevice(&device), "read the device's size") &&
        CUDA_OK(error, cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
                "read the device's size") &&
        CUDA_OK(error,
                cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device),
                "read the device's size") &&
        CUDA_OK(error, cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, device),
                "read the size of the device's cache") &&
        CUDA_OK(error, cudaMalloc((void **) &made.tables, bytes),
                "allocate %zu bytes for the wave's tables", bytes) &&
        CUDA_OK(error, cudaMemcpyAsync(made.tables, staging, bytes, cudaMemcpyHostToDevice, stream),
                "upload the wave's tables") &&
        CUDA_OK(error, cudaStreamSynchronize(stream), "upload the wave's tables");
    free(staging);
    if (!done) {
        wave_grid_destroy(&made);
        return false;
    }

    made.resident = (uint32_t) processors * (uint32_t) threads;
    made.cache = (uint64_t) cache;
    *grid = made;
    return true;
}

void wave_grid_destroy(struct wave_grid *grid)
{
    if (grid->tables)
        (void) cudaFree(grid->tables);
    *grid = (struct wave_grid){0};
}
