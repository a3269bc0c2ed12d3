/* cuda_result.h: the one way a CUDA result becomes an error. Private to
 * kernels/.
 *
 *     if (!CUDA_OK(error, cudaSetDevice(ordinal), "use CUDA device %d", ordinal))
 *         goto fail;
 *
 * fills the error with what we were doing, the call's name, the result's name
 * and description, and what to do; and clears CUDA's "last error", so that it
 * is not reported a second time by a later call.
 */
#ifndef KERNELS_CUDA_RESULT_H
#define KERNELS_CUDA_RESULT_H

#include <cuda_runtime_api.h>

#include "vkbase/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CUDA_OK(error, call, ...) cuda_result_check((call), (error), #call, __VA_ARGS__)

__attribute__((format(printf, 4, 5))) bool cuda_result_check(cudaError_t result,
                                                             struct error *error, const char *call,
                                                             const char *doing, ...);

/* ERROR_UNAVAILABLE where another device, driver or build would help. */
enum error_kind cuda_result_kind(cudaError_t result);

#ifdef __cplusplus
}
#endif

#endif
