#include "kernels/cuda_times.h"

#include <stdlib.h>

#include "kernels/cuda_result.h"

bool cuda_times_create(struct cuda_times *times, uint32_t count, struct error *error)
{
    *times = (struct cuda_times){
        .ring = calloc((size_t) count + 1, sizeof *times->ring),
        .count = count,
    };
    if (!times->ring)
        return error_set(error, ERROR_RUNTIME,
                         "cannot time CUDA's steps: out of memory; end other programs");
    for (uint32_t i = 0; i < count; i++) {
        if (!CUDA_OK(error, cudaEventCreate(&times->ring[i].begin), "make an event") ||
            !CUDA_OK(error, cudaEventCreate(&times->ring[i].end), "make an event")) {
            cuda_times_destroy(times);
            return false;
        }
    }
    return true;
}

bool cuda_times_begin(struct cuda_times *times, cudaStream_t stream, struct error *error)
{
    /* The place of the oldest step is about to be taken. */
    if (times->written - times->read == times->count)
        times->read++;
    return CUDA_OK(error, cudaEventRecord(times->ring[times->written % times->count].begin, stream),
                   "record when a step began");
}

bool cuda_times_end(struct cuda_times *times, uint64_t step, cudaStream_t stream,
                    struct error *error)
{
    const size_t place = times->written % times->count;
    if (!CUDA_OK(error, cudaEventRecord(times->ring[place].end, stream),
                 "record when a step ended"))
        return false;
    times->ring[place].step = step;
    times->written++;
    return true;
}

bool cuda_times_read(struct cuda_times *times, uint64_t *step, float *us)
{
    if (times->read == times->written)
        return false;
    const size_t place = times->read % times->count;
    float ms = 0.0f;
    if (cudaEventQuery(times->ring[place].end) != cudaSuccess ||
        cudaEventElapsedTime(&ms, times->ring[place].begin, times->ring[place].end) !=
            cudaSuccess) {
        /* Not finished, or an error that the next step will report. */
        (void) cudaGetLastError();
        return false;
    }
    *step = times->ring[place].step;
    *us = ms * 1e3f;
    times->read++;
    return true;
}

void cuda_times_destroy(struct cuda_times *times)
{
    for (uint32_t i = times->ring ? times->count : 0; i-- > 0;) {
        if (times->ring[i].end)
            (void) cudaEventDestroy(times->ring[i].end);
        if (times->ring[i].begin)
            (void) cudaEventDestroy(times->ring[i].begin);
    }
    free(times->ring);
    *times = (struct cuda_times){0};
}
