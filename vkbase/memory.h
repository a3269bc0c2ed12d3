/* memory.h: buffers and images with their memory, and its export.
 *
 * Sizes and offsets are bytes. A buffer or image owns its memory unless it was
 * placed in a block. Thread rule: one thread per object at a time; export may
 * be called from any.
 * Source: Vulkan 1.3 specification, "Memory Allocation", "Resource Creation",
 * "External Memory Handle Types".
 */
#ifndef VKBASE_MEMORY_H
#define VKBASE_MEMORY_H

#include "vkbase/device.h"

/* Where memory should lie. */
enum vkb_memory_kind {
    VKB_MEMORY_DEVICE = 0, /* device-local */
    VKB_MEMORY_UPLOAD,     /* host writes, device reads: coherent, device-local where it can be */
    VKB_MEMORY_READBACK,   /* device writes, host reads: coherent, cached where it can be */
};

/* Memory of one allocation. */
struct vkb_memory {
    VkDeviceMemory handle;
    VkDeviceSize size;
    bool dedicated;
    bool exportable;
};

struct vkb_buffer_params {
    VkDeviceSize size;
    VkBufferUsageFlags usage;
    enum vkb_memory_kind kind;
    bool dedicated;  /* an allocation made for this buffer alone */
    bool exportable; /* as an opaque fd */
    const char *name;
};

struct vkb_buffer {
    VkBuffer handle;
    VkDeviceSize size;
    VkDeviceSize offset;      /* in its memory */
    struct vkb_memory memory; /* null handle: placed in a block that somebody else owns */
    void *mapped;             /* host address of upload and read-back buffers, else NULL */
};

/* Creates, allocates, binds and (upload, read-back) maps. */
bool vkb_buffer_create(const struct vkb_device *device, const struct vkb_buffer_params *params,
                       struct vkb_buffer *buffer, struct error *error);
void vkb_buffer_destroy(const struct vkb_device *device, struct vkb_buffer *buffer);

/* Creates `count` equal device-local buffers, one behind the other at aligned
 * offsets in one allocation, which goes to *block and is owned by the caller:
 * destroy the buffers first, then vkb_memory_free. */
bool vkb_buffers_create_in_block(const struct vkb_device *device,
                                 const struct vkb_buffer_params *params, uint32_t count,
                                 struct vkb_buffer *buffers, struct vkb_memory *block,
                                 struct error *error);
void vkb_memory_free(const struct vkb_device *device, struct vkb_memory *memory);

struct vkb_image_params {
    VkFormat format;
    VkExtent2D extent; /* pixels */
    VkSampleCountFlagBits samples;
    VkImageUsageFlags usage;
    VkImageAspectFlags aspect; /* of the view */
    bool exportable;           /* as an opaque fd, in a dedicated allocation */
    bool transient;            /* contents live within one render pass only */
    const char *name;
};

/* A 2D image of one level and one layer, in optimal tiling, with its view. */
struct vkb_image {
    VkImage handle;
    VkImageView view;
    VkFormat format;
    VkExtent2D extent;
    struct vkb_memory memory;
};

bool vkb_image_create(const struct vkb_device *device, const struct vkb_image_params *params,
                      struct vkb_image *image, struct error *error);
void vkb_image_destroy(const struct vkb_device *device, struct vkb_image *image);

/* What the driver says of exporting as an opaque fd, before anything is made. */
struct vkb_export_support {
    bool exportable;
    bool dedicated_only;
};
struct vkb_export_support vkb_buffer_export_support(VkPhysicalDevice physical,
                                                    VkBufferUsageFlags usage);
struct vkb_export_support vkb_image_export_support(VkPhysicalDevice physical, VkFormat format,
                                                   VkImageUsageFlags usage);

/* Exports `memory` as a new file descriptor (close-on-exec), owned by the
 * caller until an importer takes it. The memory must be exportable. */
bool vkb_memory_export(const struct vkb_device *device, const struct vkb_memory *memory,
                       struct interop_memory *exported, struct error *error);

#endif
