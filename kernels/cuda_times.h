/* cuda_times.h: how long the device was busy with each of a stream's steps,
 * without ever waiting for it: pairs of CUDA events in a ring. Private to
 * kernels/ and its tests.
 *
 * A step that is not read before `count` later ones were begun is lost.
 * Nothing is allocated between create and destroy. Thread rule: one thread at a
 * time, its current device the stream's.
 */
#ifndef KERNELS_CUDA_TIMES_H
#define KERNELS_CUDA_TIMES_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "vkbase/error.h"

struct cuda_times {
    struct cuda_time {
        cudaEvent_t begin, end;
        uint64_t step; /* the caller's number */
    } * ring;
    uint32_t count;
    uint64_t written, read; /* steps since creation; read <= written */
};

/* For `count` steps; on failure `times` is as after destroy. */
bool cuda_times_create(struct cuda_times *times, uint32_t count, struct error *error);

/* Enqueue. A begin whose end never comes, after an error, is forgotten. */
bool cuda_times_begin(struct cuda_times *times, cudaStream_t stream, struct error *error);
bool cuda_times_end(struct cuda_times *times, uint64_t step, cudaStream_t stream,
                    struct error *error);

/* Each finished step once, the oldest first; false: none more has finished. */
bool cuda_times_read(struct cuda_times *times, uint64_t *step, float *us);

/* A zeroed struct is allowed. */
void cuda_times_destroy(struct cuda_times *times);

#endif
