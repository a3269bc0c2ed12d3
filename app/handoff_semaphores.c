#include "app/handoff_semaphores.h"

bool handoff_semaphores_create(const struct vkb_device *device, enum interop_semaphore_type type,
                               uint32_t depth, bool exportable,
                               struct handoff_semaphores *semaphores, struct error *error)
{
    *semaphores = (struct handoff_semaphores){
        .type = type,
        .count = type == INTEROP_SEMAPHORE_TIMELINE ? 1 : depth,
    };
    for (uint32_t i = 0; i < semaphores->count; i++) {
        char ready[32];
        char free[32];
        (void) snprintf(ready, sizeof ready, "ready %u", i);
        (void) snprintf(free, sizeof free, "free %u", i);
        if (!vkb_semaphore_create(device, type, exportable, ready, &semaphores->ready[i], error) ||
            !vkb_semaphore_create(device, type, exportable, free, &semaphores->free[i], error)) {
            handoff_semaphores_destroy(device, semaphores);
            return false;
        }
    }
    return true;
}

void handoff_semaphores_destroy(const struct vkb_device *device,
                                struct handoff_semaphores *semaphores)
{
    for (uint32_t i = 0; i < HANDOFF_PAIRS_MAX; i++) {
        vkb_semaphore_destroy(device, &semaphores->ready[i]);
        vkb_semaphore_destroy(device, &semaphores->free[i]);
    }
    *semaphores = (struct handoff_semaphores){0};
}
