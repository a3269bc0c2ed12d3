#include "app/handoff_semaphores.h"

static bool create(const struct vkb_device *device, enum interop_semaphore_type type,
                   const char *name, uint32_t count, bool exportable,
                   struct vkb_semaphore *semaphores, struct error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        char numbered[32];
        (void) snprintf(numbered, sizeof numbered, "%s %u", name, i);
        if (!vkb_semaphore_create(device, type, exportable, numbered, &semaphores[i], error))
            return false;
    }
    return true;
}

bool handoff_semaphores_create(const struct vkb_device *device, enum interop_semaphore_type type,
                               uint32_t depth, bool exportable,
                               struct handoff_semaphores *semaphores, struct error *error)
{
    *semaphores = (struct handoff_semaphores){.type = type};
    handoff_semaphore_counts(type, depth, &semaphores->ready_count, &semaphores->free_count);
    if (!create(device, type, "ready", semaphores->ready_count, exportable, semaphores->ready,
                error) ||
        !create(device, type, "free", semaphores->free_count, exportable, semaphores->free,
                error)) {
        handoff_semaphores_destroy(device, semaphores);
        return false;
    }
    return true;
}

void handoff_semaphores_destroy(const struct vkb_device *device,
                                struct handoff_semaphores *semaphores)
{
    for (uint32_t i = 0; i < HANDOFF_DEPTH_MAX; i++)
        vkb_semaphore_destroy(device, &semaphores->ready[i]);
    for (uint32_t i = 0; i < HANDOFF_HALVES; i++)
        vkb_semaphore_destroy(device, &semaphores->free[i]);
    *semaphores = (struct handoff_semaphores){0};
}
