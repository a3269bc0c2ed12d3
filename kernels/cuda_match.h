/* cuda_match.h: the decision of cuda_device_find, without CUDA. Private to
 * kernels/ and its tests.
 */
#ifndef KERNELS_CUDA_MATCH_H
#define KERNELS_CUDA_MATCH_H

#include <stddef.h>

#include "kernels/cuda_device.h"

/* What counts of one CUDA device. */
struct cuda_candidate {
    uint8_t uuid[INTEROP_UUID_SIZE];
    bool prohibited; /* compute mode: no context can be made on it */
};

/* CUDA_DEVICE_FOUND, _NO_MATCH or _PROHIBITED. `index`, a place in the list, is
 * set where a device has the UUID, usable or not, else it is -1. Of several with
 * the same UUID the first usable one wins. */
enum cuda_device_status cuda_match(const uint8_t *uuid, const struct cuda_candidate *candidates,
                                   size_t count, int *index);

#endif
