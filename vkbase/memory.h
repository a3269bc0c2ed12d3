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
    /* Of the offsets in a block, where more is wanted than the buffer itself
     * needs; a power of two, or 0. */
    VkDeviceSize alignment;
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

/* What an image is beyond one 2D level of one layer. */
struct vkb_image_shape {
    VkImageViewType view_type; /* of the image as a whole; decides the image's type */
    uint32_t depth;            /* texels of a 3D image, else 1 */
    uint32_t layers;           /* cube faces count as layers */
    uint32_t levels;
};

struct vkb_image_params {
    VkFormat format;
    VkExtent2D extent;                   /* texels of level 0 */
    const struct vkb_image_shape *shape; /* copied; NULL: 2D, one level, one layer */
    VkSampleCountFlagBits samples;
    VkImageUsageFlags usage;
    VkImageAspectFlags aspect; /* of the view */
    bool exportable;           /* as an opaque fd */
    bool transient;            /* contents live within one render pass only */
    const char *name;
};

/* An image in optimal tiling with a view of all its levels and layers. */
struct vkb_image {
    VkImage handle;
    VkImageView view;
    VkFormat format;
    VkExtent2D extent;
    struct vkb_image_shape shape;
    VkImageUsageFlags usage;
    VkDeviceSize offset;      /* in its memory */
    struct vkb_memory memory; /* null handle: placed in a block that somebody else owns */
};

/* In an allocation made for this image alone. */
bool vkb_image_create(const struct vkb_device *device, const struct vkb_image_params *params,
                      struct vkb_image *image, struct error *error);
void vkb_image_destroy(const struct vkb_device *device, struct vkb_image *image);

/* Creates `count` equal images, as vkb_buffers_create_in_block does buffers. */
bool vkb_images_create_in_block(const struct vkb_device *device,
                                const struct vkb_image_params *params, uint32_t count,
                                struct vkb_image *images, struct vkb_memory *block,
                                struct error *error);

/* Bytes that such an image needs. */
VkDeviceSize vkb_image_bytes(const struct vkb_device *device,
                             const struct vkb_image_params *params);

/* What the driver says of exporting as an opaque fd, before anything is made. */
struct vkb_export_support {
    bool exportable;
    bool dedicated_only;
};
struct vkb_export_support vkb_buffer_export_support(VkPhysicalDevice physical,
                                                    VkBufferUsageFlags usage);
/* Of the extent nothing is asked. */
struct vkb_export_support vkb_image_export_support(VkPhysicalDevice physical,
                                                   const struct vkb_image_params *params);

/* Exports `memory` as a new file descriptor (close-on-exec), owned by the
 * caller until an importer takes it. The memory must be exportable. */
bool vkb_memory_export(const struct vkb_device *device, const struct vkb_memory *memory,
                       struct interop_memory *exported, struct error *error);

#endif
