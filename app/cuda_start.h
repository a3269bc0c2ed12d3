/* cuda_start.h: CUDA starts on a thread of its own while Vulkan does.
 *
 * First the driver, as soon as CUDA may be wanted; then, once the device is
 * known to be shared, its context. Neither gives a result: what fails here
 * fails again, with its reason, where it is needed. Thread rule: main thread.
 */
#ifndef APP_CUDA_START_H
#define APP_CUDA_START_H

#include <pthread.h>

#include "vkbase/interop.h"

struct cuda_start {
    pthread_t thread;
    bool running;
    bool context; /* make the context of the device with this UUID */
    uint8_t uuid[INTEROP_UUID_SIZE];
};

/* Starts the driver; makes no context. A thread that cannot be had costs only
 * time. The struct must not move before the join. */
void cuda_start_driver(struct cuda_start *start);
/* Makes the context; after a join. */
void cuda_start_context(struct cuda_start *start, const uint8_t *uuid);
/* Waits for what was begun; nothing to do if nothing was. */
void cuda_start_join(struct cuda_start *start);

#endif
