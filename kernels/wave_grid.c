#include "kernels/wave_grid.h"

#include <stdlib.h>

#include "kernels/cuda_result.h"
#include "kernels/wave_layout.h"

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

    const struct wave_layout layout = wave_layout_make(width, height);
    const size_t bytes = layout.bytes;
    float *staging = malloc(bytes);
    if (!staging)
        return error_set(error, ERROR_RUNTIME,
                         "cannot make the wave's tables: out of memory; take a smaller --grid");
    wave_layout_fill(&layout, column_sin, column_cos, row_sin, row_cos, staging);

    struct wave_grid made = {.width = width, .height = height, .stride = layout.stride};
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
