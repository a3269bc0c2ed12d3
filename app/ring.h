/* ring.h: the height maps, one per slot.
 *
 * A height map is float32, row-major, grid width * height, without padding.
 * Thread rule: one thread.
 */
#ifndef APP_RING_H
#define APP_RING_H

#include "vkbase/memory.h"

struct ring_params {
    uint32_t width, height; /* vertices */
    uint32_t batch;         /* slots per handoff */
    bool batch_given;       /* by the user: then it must not shrink */
    uint64_t frames;        /* of the run; 0: without end */
    bool exportable;        /* to CUDA */
    bool suballocated;      /* all slots in one allocation, else each in a dedicated one */
};

struct ring {
    uint32_t width, height;
    VkDeviceSize size; /* bytes of one height map */
    uint32_t batch;    /* as asked for, or shrunk to what the memory holds */
    uint32_t count;    /* slots */
    struct vkb_buffer *slots;
    struct vkb_memory block; /* suballocated: what the slots lie in */
};

/* A grid beyond the device's limits is ERROR_UNAVAILABLE; one that does not fit
 * into the memory that is free, ERROR_RUNTIME. */
bool ring_create(const struct vkb_device *device, const struct ring_params *params,
                 struct ring *ring, struct error *error);
void ring_destroy(const struct vkb_device *device, struct ring *ring);

/* How the slots' buffers are used: what to ask export support for. */
VkBufferUsageFlags ring_usage(void);

/* Copies slot `slot` to `heights` (ring->size bytes). All work on the slot must
 * have been waited for. `external`: CUDA owns it now and gets it back. */
bool ring_read(const struct vkb_device *device, const struct ring *ring, uint32_t slot,
               bool external, float *heights, struct error *error);

/* A barrier that takes a slot over from CUDA before it is read at `stages` with
 * `access`, or gives it back. */
VkBufferMemoryBarrier2 ring_acquire(const struct vkb_device *device, const struct ring *ring,
                                    uint32_t slot, VkPipelineStageFlags2 stages,
                                    VkAccessFlags2 access);
VkBufferMemoryBarrier2 ring_release(const struct vkb_device *device, const struct ring *ring,
                                    uint32_t slot, VkPipelineStageFlags2 stages);

#endif
