#include "kernels/wave_grid.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/cuda_result.h"

/* Rounded up to 64 floats, so that each table begins at a 256-byte boundary. */
static size_t table_floats(size_t count)
{
    return (count + 2 * (size_t) WAVE_TABLE_PAD + 63) / 64 * 64;
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

    const size_t columns = table_floats(width);
    const size_t rows = table_floats(2 * (size_t) height);
    const size_t bytes = (2 * columns + rows) * sizeof(float);

    float *staging = calloc(1, bytes);
    if (!staging)
        return error_set(error, ERROR_RUNTIME,
                         "cannot make the wave's tables: out of memory; take a smaller --grid");
    memcpy(staging + WAVE_TABLE_PAD, column_sin, width * sizeof(float));
    memcpy(staging + columns + WAVE_TABLE_PAD, column_cos, width * sizeof(float));
    float *pairs = staging + 2 * columns;
    for (uint32_t y = 0; y < height; y++) {
        pairs[2 * (size_t) y] = row_sin[y];
        pairs[2 * (size_t) y + 1] = row_cos[y];
    }

    struct wave_grid made = {.width = width, .height = height};
    int device = 0, processors = 0, threads = 0;
    /* Through the stream that will read them: another stream's copy would not
     * be ordered before its kernels. */
    const bool done =
        CUDA_OK(error, cudaGetDevice(&device), "read the device's size") &&
        CUDA_OK(error, cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
                "read the device's size") &&
        CUDA_OK(error,
                cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device),
                "read the device's size") &&
        CUDA_OK(error, cudaMalloc(&made.memory, bytes), "allocate %zu bytes for the wave's tables",
                bytes) &&
        CUDA_OK(error, cudaMemcpyAsync(made.memory, staging, bytes, cudaMemcpyHostToDevice, stream),
                "upload the wave's tables") &&
        CUDA_OK(error, cudaStreamSynchronize(stream), "upload the wave's tables");
    free(staging);
    if (!done) {
        wave_grid_destroy(&made);
        return false;
    }

    const float *base = made.memory;
    made.column_sin = base + WAVE_TABLE_PAD;
    made.column_cos = base + columns + WAVE_TABLE_PAD;
    made.row_pairs = base + 2 * columns;
    made.resident = (uint32_t) processors * (uint32_t) threads;
    *grid = made;
    return true;
}

void wave_grid_destroy(struct wave_grid *grid)
{
    if (grid->memory)
        (void) cudaFree(grid->memory);
    *grid = (struct wave_grid){0};
}
