#include "app/cuda_start.h"

#include <string.h>

#include "kernels/cuda_device.h"

static void *work(void *argument)
{
    const struct cuda_start *start = argument;
    if (start->context) {
        cuda_device_open(start->uuid);
    } else {
        /* To ask for a device, any device, is what starts the driver. */
        struct cuda_device device;
        (void) cuda_device_find(start->uuid, &device, NULL);
    }
    return NULL;
}

void cuda_start_driver(struct cuda_start *start)
{
    start->context = false;
    start->running = pthread_create(&start->thread, NULL, work, start) == 0;
}

void cuda_start_context(struct cuda_start *start, const uint8_t *uuid)
{
    start->context = true;
    memcpy(start->uuid, uuid, sizeof start->uuid);
    start->running = pthread_create(&start->thread, NULL, work, start) == 0;
}

void cuda_start_join(struct cuda_start *start)
{
    if (start->running)
        (void) pthread_join(start->thread, NULL);
    start->running = false;
}
