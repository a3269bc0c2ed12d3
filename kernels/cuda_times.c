#include "kernels/cuda_times.h"

#include "kernels/cuda_result.h"

bool cuda_times_create(struct cuda_times *times, struct error *error)
{
    *times = (struct cuda_times){0};
    for (size_t i = 0; i < CUDA_TIMES_RING; i++) {
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
    if (times->written - times->read == CUDA_TIMES_RING)
        times->read++;
    return CUDA_OK(error,
                   cudaEventRecord(times->ring[times->written % CUDA_TIMES_RING].begin, stream),
                   "record when a step began");
}

bool cuda_times_end(struct cuda_times *times, uint64_t step, cudaStream_t stream,
                    struct error *error)
{
    const size_t place = times->written % CUDA_TIMES_RING;
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
    const size_t place = times->read % CUDA_TIMES_RING;
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
    for (size_t i = CUDA_TIMES_RING; i-- > 0;) {
        if (times->ring[i].end)
            (void) cudaEventDestroy(times->ring[i].end);
        if (times->ring[i].begin)
            (void) cudaEventDestroy(times->ring[i].begin);
    }
    *times = (struct cuda_times){0};
}
