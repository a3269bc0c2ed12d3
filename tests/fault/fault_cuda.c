/* fault_cuda.c: linked into a program of tests with -Wl,--wrap for each CUDA
 * function that kernels/ calls: the Nth call of one of them fails, as
 * fault_count.h says, and is not made. */
#include <cuda_runtime_api.h>

#include "fault_count.h"

#define WRAP(name, parameters, arguments)                                                          \
    cudaError_t __real_##name parameters;                                                          \
    cudaError_t __wrap_##name parameters;                                                          \
    cudaError_t __wrap_##name parameters                                                           \
    {                                                                                              \
        static unsigned calls;                                                                     \
        int code = 0;                                                                              \
        return fault_fails(&calls, #name, &code) ? (cudaError_t) code : __real_##name arguments;   \
    }
#include "fault_cuda_wrappers.inc"
