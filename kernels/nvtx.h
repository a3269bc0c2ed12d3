/* nvtx.h: named ranges that a profiler (Nsight Systems) shows on the time line.
 *
 * Without a profiler attached a call costs a few nanoseconds; in a build
 * without CUDA, or with a toolkit without NVTX, the functions are empty. Ranges
 * nest per thread: push and pop in the same thread. Thread rule: any thread.
 */
#ifndef KERNELS_NVTX_H
#define KERNELS_NVTX_H

void cuda_nvtx_push(const char *name);
void cuda_nvtx_pop(void);

#endif
