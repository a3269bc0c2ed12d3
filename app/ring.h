/* ring.h: the height maps, one per slot, as buffers or as images.
 *
 * A height map is float32, grid width * height: a storage buffer, row-major
 * without padding, or a storage image of VK_FORMAT_R32_SFLOAT in optimal
 * tiling that stays in VK_IMAGE_LAYOUT_GENERAL.
 * Thread rule: one thread.
 */
#ifndef APP_RING_H
#define APP_RING_H

#include "vkbase/memory.h"

struct ring_params {
    uint32_t width, height; /* vertices */
    uint32_t batch;         /* slots per handoff */
    bool batch_given;       /* by the user: then it must not shrink */
    uint32_t slots;         /* wished for: a whole number of batches, two at least, if they fit */
    uint64_t frames;        /* of the run; 0: without end */
    bool external;          /* CUDA steps: exportable, and CUDA's between Vulkan's uses */
    bool suballocated;      /* all slots in one allocation, else each in a dedicated one */
    bool images;            /* else buffers */
};

struct ring {
    uint32_t width, height;
    VkDeviceSize size; /* bytes of one height map, read back */
    uint32_t batch;    /* as asked for, or shrunk to what the memory holds or the run has */
    uint32_t depth;    /* batches: an even number */
    uint32_t count;    /* slots: depth * batch */
    bool external;
    struct vkb_buffer *buffers; /* one of the two; the other is NULL */
    struct vkb_image *images;
    struct vkb_memory block; /* suballocated: what the slots lie in */
};

/* Slots that are images have left VK_IMAGE_LAYOUT_UNDEFINED on return, and,
 * where external, were released to VK_QUEUE_FAMILY_EXTERNAL: CUDA may write.
 * A grid beyond the device's limits is ERROR_UNAVAILABLE; one that does not fit
 * into the memory that is free, ERROR_RUNTIME. */
bool ring_create(const struct vkb_device *device, const struct ring_params *params,
                 struct ring *ring, struct error *error);
void ring_destroy(const struct vkb_device *device, struct ring *ring);

/* What the device says of exporting such slots. */
struct vkb_export_support ring_export_support(VkPhysicalDevice physical, bool images);

/* The memory that slot `slot` lies in: its own, or the block. */
const struct vkb_memory *ring_memory(const struct ring *ring, uint32_t slot);

/* What shaders see a slot as, and to point `binding` of a set at slot `slot`. */
VkDescriptorType ring_descriptor_type(const struct ring *ring);
void ring_bind(const struct vkb_device *device, const struct ring *ring, uint32_t slot,
               VkDescriptorSet set, uint32_t binding);

/* Record: take a slot over from CUDA before it is read at `stages` (of those a
 * shader's storage reads and copies are made to see what CUDA wrote), and give
 * it back. They do nothing where CUDA does not step: the handoff's semaphores
 * order all accesses then. */
void ring_acquire(const struct vkb_device *device, const struct ring *ring,
                  VkCommandBuffer commands, uint32_t slot, VkPipelineStageFlags2 stages);
void ring_release(const struct vkb_device *device, const struct ring *ring,
                  VkCommandBuffer commands, uint32_t slot, VkPipelineStageFlags2 stages);

/* Record: copy slot `slot`, which Vulkan owns, into the first ring->size bytes
 * of `host`, rows without padding, and make them visible to the host. */
void ring_copy(const struct ring *ring, VkCommandBuffer commands, uint32_t slot,
               const struct vkb_buffer *host);

/* Copies slot `slot` to `heights` (ring->size bytes). All work on the slot must
 * have been waited for; CUDA, where it steps, owns it and gets it back. */
bool ring_read(const struct vkb_device *device, const struct ring *ring, uint32_t slot,
               float *heights, struct error *error);

#endif
