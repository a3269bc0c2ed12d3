/* semaphore.h: binary and timeline semaphores, and their export.
 *
 * Thread rule: creation and export from any thread; Vulkan needs one thread at
 * a time per semaphore for host signals and destruction.
 * Source: Vulkan 1.3 specification, "Semaphores", "Exporting Semaphore
 * Payloads".
 */
#ifndef VKBASE_SEMAPHORE_H
#define VKBASE_SEMAPHORE_H

#include "vkbase/device.h"

/* Whether a semaphore of this type can be exported as an opaque fd. */
bool vkb_semaphore_exportable(VkPhysicalDevice physical, enum interop_semaphore_type type);

/* "timeline" or "binary". Static storage. */
const char *vkb_semaphore_type_name(enum interop_semaphore_type type);

struct vkb_semaphore {
    VkSemaphore handle;
    enum interop_semaphore_type type;
    char name[32];
};

/* A timeline starts at 0, a binary one unsignalled. The name is cut to what
 * fits. */
bool vkb_semaphore_create(const struct vkb_device *device, enum interop_semaphore_type type,
                          bool exportable, const char *name, struct vkb_semaphore *semaphore,
                          struct error *error);
void vkb_semaphore_destroy(const struct vkb_device *device, struct vkb_semaphore *semaphore);

/* Exports as a new file descriptor (close-on-exec) that shares the payload;
 * owned by the caller until an importer takes it. */
bool vkb_semaphore_export(const struct vkb_device *device, const struct vkb_semaphore *semaphore,
                          struct interop_semaphore *exported, struct error *error);

/* Waits on the host until a timeline reaches `value`. *reached is false after
 * `timeout_ns`, which is no error. Never call it for a semaphore that CUDA
 * signals: such a wait was measured at 7 to 8 ms. */
bool vkb_timeline_wait(const struct vkb_device *device, const struct vkb_semaphore *timeline,
                       uint64_t value, uint64_t timeout_ns, bool *reached, struct error *error);

/* Reads a timeline's counter; about 10 us after a signal of CUDA it shows. */
bool vkb_timeline_value(const struct vkb_device *device, const struct vkb_semaphore *timeline,
                        uint64_t *value, struct error *error);

/* Signals a timeline from the host. */
bool vkb_timeline_signal(const struct vkb_device *device, const struct vkb_semaphore *timeline,
                         uint64_t value, struct error *error);

#endif
