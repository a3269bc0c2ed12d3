/* handoff_semaphores.h: the semaphores of the handoff, made by Vulkan.
 *
 * Thread rule: one thread.
 */
#ifndef APP_HANDOFF_SEMAPHORES_H
#define APP_HANDOFF_SEMAPHORES_H

#include "app/handoff.h"
#include "vkbase/semaphore.h"

struct handoff_semaphores {
    enum interop_semaphore_type type;
    uint32_t ready_count, free_count;
    struct vkb_semaphore ready[HANDOFF_DEPTH_MAX];
    struct vkb_semaphore free[HANDOFF_HALVES];
};

/* As many as handoff.h says for a ring of `depth` batches. Exportable ones need a
 * device opened for it. */
bool handoff_semaphores_create(const struct vkb_device *device, enum interop_semaphore_type type,
                               uint32_t depth, bool exportable,
                               struct handoff_semaphores *semaphores, struct error *error);
/* Nothing in flight may use them; a signal without waiter may be pending. */
void handoff_semaphores_destroy(const struct vkb_device *device,
                                struct handoff_semaphores *semaphores);

#endif
