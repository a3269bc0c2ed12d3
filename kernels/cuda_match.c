#include "kernels/cuda_match.h"

#include <string.h>

enum cuda_device_status cuda_match(const uint8_t *uuid, const struct cuda_candidate *candidates,
                                   size_t count, int *index)
{
    enum cuda_device_status status = CUDA_DEVICE_NO_MATCH;
    *index = -1;
    for (size_t i = 0; i < count && status != CUDA_DEVICE_FOUND; i++) {
        /* Bytes, not text: a UUID may contain zeros. */
        if (memcmp(candidates[i].uuid, uuid, INTEROP_UUID_SIZE) != 0)
            continue;
        if (candidates[i].prohibited && status == CUDA_DEVICE_PROHIBITED)
            continue;
        status = candidates[i].prohibited ? CUDA_DEVICE_PROHIBITED : CUDA_DEVICE_FOUND;
        *index = (int) i;
    }
    return status;
}
