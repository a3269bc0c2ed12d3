/* pipeline_cache.h: compiled pipelines kept on disk between runs.
 *
 * The file lies in $XDG_CACHE_HOME/sinewave, or ~/.cache/sinewave, one per
 * device and driver. It is a help only: one that is missing, damaged, foreign
 * or cannot be written is passed over (told with --verbose). Thread rule: main
 * thread.
 * Source: Vulkan 1.3 specification, "Pipeline Cache", "Pipeline Cache Header".
 */
#ifndef APP_PIPELINE_CACHE_H
#define APP_PIPELINE_CACHE_H

#include "vkbase/device.h"

struct pipeline_cache {
    VkPipelineCache handle; /* null where there is none */
    size_t stored;          /* bytes of it that are in the file */
    bool has_path;
    char path[1024];
};

enum { PIPELINE_CACHE_MAX = 64 << 20 }; /* bytes of a file that is still read */

/* Finds Vulkan's part of a cache file: *blob points into `data`. False for
 * anything but a whole file of this version, made for this very device and
 * driver. Pure: reads no more than `size` bytes. */
bool pipeline_cache_parse(const void *data, size_t size, const VkPhysicalDeviceProperties *device,
                          const void **blob, size_t *blob_size);

/* Makes a cache, filled from the file where that fits. Fails only where Vulkan
 * cannot make an empty one. */
bool pipeline_cache_create(const struct vkb_device *device, struct pipeline_cache *cache,
                           struct error *error);

/* Writes the file anew if pipelines were added since it was read or written,
 * whole or not at all. */
void pipeline_cache_save(const struct vkb_device *device, struct pipeline_cache *cache);
void pipeline_cache_destroy(const struct vkb_device *device, struct pipeline_cache *cache);

#endif
