/* pipeline.h: pipelines, their layout, and descriptor sets of storage buffers
 * and images.
 *
 * Thread rule: one thread per object at a time.
 * Source: Vulkan 1.3 specification, "Pipelines", "Resource Descriptors".
 */
#ifndef VKBASE_PIPELINE_H
#define VKBASE_PIPELINE_H

#include <stddef.h>

#include "vkbase/device.h"

/* SPIR-V words, embedded by the build. */
struct vkb_shader {
    const uint32_t *words;
    size_t size; /* bytes */
};

enum { VKB_BINDINGS_MAX = 8 };

/* A layout of one descriptor set (bindings 0...) and one range of push
 * constants, both for `stages`, with a pool for `set_count` sets. */
struct vkb_layout_params {
    VkShaderStageFlags stages;
    VkDescriptorType bindings[VKB_BINDINGS_MAX];
    uint32_t binding_count;
    uint32_t push_constant_size; /* bytes, at most 128 */
    uint32_t set_count;
    const struct vkb_layout *second; /* whose set is bound as set 1; NULL: none */
    const char *name;
};

struct vkb_layout {
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout handle;
    VkDescriptorPool pool;
    VkShaderStageFlags stages;
};

bool vkb_layout_create(const struct vkb_device *device, const struct vkb_layout_params *params,
                       struct vkb_layout *layout, struct error *error);
void vkb_layout_destroy(const struct vkb_device *device, struct vkb_layout *layout);

/* Allocates one of the layout's sets; it is freed with the layout. */
bool vkb_set_allocate(const struct vkb_device *device, const struct vkb_layout *layout,
                      VkDescriptorSet *set, struct error *error);
/* Points `binding` at a whole buffer as storage buffer. */
void vkb_set_buffer(const struct vkb_device *device, VkDescriptorSet set, uint32_t binding,
                    VkBuffer buffer);
/* Points `binding` at an image in layout GENERAL as storage image. */
void vkb_set_storage_image(const struct vkb_device *device, VkDescriptorSet set, uint32_t binding,
                           VkImageView view);

bool vkb_compute_pipeline_create(const struct vkb_device *device, const struct vkb_layout *layout,
                                 VkPipelineCache cache, struct vkb_shader shader,
                                 const VkSpecializationInfo *specialization, const char *name,
                                 VkPipeline *pipeline, struct error *error);

/* A pipeline for dynamic rendering: no vertex input, viewport and scissor
 * dynamic, one colour target without blending, depth test "less" with writes. */
struct vkb_graphics_params {
    const struct vkb_layout *layout;
    VkPipelineCache cache;
    struct vkb_shader vertex, fragment;
    const VkSpecializationInfo *specialization; /* of the vertex shader; may be NULL */
    VkPrimitiveTopology topology;
    VkCullModeFlags cull_mode; /* front faces are counter-clockwise */
    bool rasterizer_discard;
    VkSampleCountFlagBits samples;
    VkFormat color_format, depth_format;
    const char *name;
};

bool vkb_graphics_pipeline_create(const struct vkb_device *device,
                                  const struct vkb_graphics_params *params, VkPipeline *pipeline,
                                  struct error *error);

#endif
