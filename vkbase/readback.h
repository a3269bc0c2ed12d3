/* readback.h: from the device to the host.
 *
 * Thread rule: as for command buffers and buffers.
 * Source: Vulkan 1.3 specification, "Copying Data Between Buffers and Images",
 * "Host Write Ordering Guarantees" and "Memory Domain Operations".
 */
#ifndef VKBASE_READBACK_H
#define VKBASE_READBACK_H

#include "vkbase/commands.h"
#include "vkbase/memory.h"

/* Bytes of an image of 4 bytes per pixel, rows without padding; false where
 * they do not fit into a VkDeviceSize. */
bool vkb_readback_size(VkExtent2D extent, VkDeviceSize *size);

/* Creates a host-visible buffer to read back into. */
bool vkb_readback_create(const struct vkb_device *device, VkDeviceSize size, const char *name,
                         struct vkb_buffer *buffer, struct error *error);

/* Records: what copies wrote into `buffer` is visible to the host once the
 * submission has been waited for. */
void vkb_readback_record_visible(VkCommandBuffer commands, const struct vkb_buffer *buffer);

/* Records a copy of a colour image (in TRANSFER_SRC_OPTIMAL; its writes made
 * available to the copy stage) into `buffer`, rows without padding, and makes
 * it visible to the host once the submission has been waited for. */
void vkb_readback_record_image(VkCommandBuffer commands, VkImage image, VkExtent2D extent,
                               const struct vkb_buffer *buffer);

/* The same for the first `size` bytes of a buffer. */
void vkb_readback_record_buffer(VkCommandBuffer commands, VkBuffer source, VkDeviceSize size,
                                const struct vkb_buffer *buffer);

/* Turns `count` pixels of `format` (the two sRGB formats of a target, or their
 * UNORM twins) into RGBA, alpha 255. Another format is an error. */
bool vkb_readback_rgba(VkFormat format, const void *pixels, size_t count, uint8_t *rgba,
                       struct error *error);

#endif
