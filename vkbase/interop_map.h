/* interop_map.h: Vulkan's images in the words of the seam.
 *
 * Pure tables, of what the CUDA Programming Guide names as shareable. What has
 * no counterpart is ERROR_RUNTIME, never a guess; the other side's tables are
 * in kernels/cuda_formats.h. Thread rule: any thread.
 * Source: CUDA Programming Guide, section 4.19.2, "Mapping mipmapped arrays".
 */
#ifndef VKBASE_INTEROP_MAP_H
#define VKBASE_INTEROP_MAP_H

#include "vkbase/memory.h"

/* INTEROP_FORMAT_UNDEFINED on failure. */
bool vkb_interop_format(VkFormat vulkan, enum interop_format *format, struct error *error);

bool vkb_interop_view_type(VkImageViewType vulkan, enum interop_view_type *view_type,
                           struct error *error);

/* Bits of enum interop_image_usage; usages that an importer need not know of
 * (sampled, transfers) are left out. */
unsigned vkb_interop_usage(VkImageUsageFlags vulkan);

/* All of it, and where the image lies in its memory. Zeroed on failure. */
bool vkb_interop_image(const struct vkb_image *vulkan, struct interop_image *image,
                       struct error *error);

#endif
