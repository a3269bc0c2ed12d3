/* The renderer that draws with the hardware rasterizer. */
#include "app/renderer.h"

#include <stdlib.h>
#include <string.h>

#include "app/surface_push.h"
#include "surface.frag.h"
#include "surface.vert.h"
#include "surface_image.vert.h"
#include "vkbase/commands.h"

/* The vertex shader's `arrangement`. */
enum arrangement { ARRANGE_STRIPS = 0, ARRANGE_ROWS };

struct raster {
    struct renderer base;
    VkFormat depth_format;
    struct vkb_layout layout;
    VkDescriptorSet *sets;                /* one per slot */
    VkPipeline pipelines[STYLE_COUNT][2]; /* the second: lines along rows */
    const struct vkb_target *target;
    VkExtent2D extent; /* of the attachments */
    struct vkb_image depth;
    struct vkb_image color; /* multisampled; null handle with one sample */
};

/* Unless it is there. */
static bool create_pipeline(const struct raster *raster, VkPrimitiveTopology topology,
                            enum arrangement arrangement, const char *name, VkPipeline *pipeline,
                            struct error *error)
{
    if (*pipeline)
        return true;
    const struct vkb_shader of_buffers = {surface_vert_spv, sizeof surface_vert_spv};
    const struct vkb_shader of_images = {surface_image_vert_spv, sizeof surface_image_vert_spv};
    const uint32_t value = arrangement;
    const VkSpecializationMapEntry entry = {0, 0, sizeof value};
    const VkSpecializationInfo specialization = {1, &entry, sizeof value, &value};
    const struct vkb_graphics_params params = {
        .layout = &raster->layout,
        .cache = raster->base.params.cache,
        .vertex = raster->base.params.ring->images ? of_images : of_buffers,
        .fragment = {surface_frag_spv, sizeof surface_frag_spv},
        .specialization = &specialization,
        .topology = topology,
        .cull_mode = VK_CULL_MODE_NONE, /* the surface is seen from below too */
        .samples = raster->base.params.samples,
        .color_format = raster->base.params.format,
        .depth_format = raster->depth_format,
        .name = name,
    };
    return vkb_graphics_pipeline_create(raster->base.params.device, &params, pipeline, error);
}

static bool set_style(struct renderer *base, enum options_style style, struct error *error)
{
    base->generation++;
    struct raster *raster = (struct raster *) base;
    VkPipeline *pipelines = raster->pipelines[style];
    raster->base.params.style = style;
    switch (style) {
    case STYLE_WIREFRAME:
        /* Drawn as lines, a triangle strip's vertices are columns and diagonals. Each
         * line once; triangles filled with lines would draw most of them twice. */
        return create_pipeline(raster, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, ARRANGE_ROWS,
                               "wireframe rows", &pipelines[1], error) &&
               create_pipeline(raster, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, ARRANGE_STRIPS,
                               "wireframe columns", &pipelines[0], error);
    case STYLE_POINTS:
        return create_pipeline(raster, VK_PRIMITIVE_TOPOLOGY_POINT_LIST, ARRANGE_ROWS, "points",
                               &pipelines[0], error);
    default:
        return create_pipeline(raster, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, ARRANGE_STRIPS,
                               "surface", &pipelines[0], error);
    }
}

/* The specification promises D16, and one of D32 and X8_D24. */
static VkFormat choose_depth_format(const struct vkb_device *device)
{
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(device->physical, VK_FORMAT_D32_SFLOAT, &properties);
    return properties.optimalTilingFeatures & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT
               ? VK_FORMAT_D32_SFLOAT
               : VK_FORMAT_X8_D24_UNORM_PACK32;
}

static bool create_sets(struct raster *raster, struct error *error)
{
    const struct ring *ring = raster->base.params.ring;
    raster->sets = calloc(ring->count, sizeof(VkDescriptorSet));
    if (!raster->sets)
        return error_set(error, ERROR_RUNTIME,
                         "cannot create the renderer: out of memory; free memory and run again");
    for (uint32_t i = 0; i < ring->count; i++) {
        if (!vkb_set_allocate(raster->base.params.device, &raster->layout, &raster->sets[i], error))
            return false;
        ring_bind(raster->base.params.device, ring, i, raster->sets[i], 0);
    }
    return true;
}

static void destroy_attachments(struct raster *raster)
{
    vkb_image_destroy(raster->base.params.device, &raster->depth);
    vkb_image_destroy(raster->base.params.device, &raster->color);
    raster->extent = (VkExtent2D){0, 0};
}

static bool set_target(struct renderer *base, const struct vkb_target *target, struct error *error)
{
    base->generation++;
    struct raster *raster = (struct raster *) base;
    const struct vkb_device *device = base->params.device;
    const VkExtent2D extent = target->extent;
    raster->target = target;
    if (raster->extent.width == extent.width && raster->extent.height == extent.height)
        return true;
    destroy_attachments(raster);
    if (extent.width == 0 || extent.height == 0)
        return true; /* minimised */
    const struct vkb_image_params depth = {
        .format = raster->depth_format,
        .extent = extent,
        .samples = raster->base.params.samples,
        .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
        .aspect = VK_IMAGE_ASPECT_DEPTH_BIT,
        .transient = true,
        .name = "depth image",
    };
    const struct vkb_image_params color = {
        .format = raster->base.params.format,
        .extent = extent,
        .samples = raster->base.params.samples,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
        .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
        .transient = true,
        .name = "multisampled image",
    };
    if (!vkb_image_create(device, &depth, &raster->depth, error) ||
        (raster->base.params.samples != VK_SAMPLE_COUNT_1_BIT &&
         !vkb_image_create(device, &color, &raster->color, error))) {
        destroy_attachments(raster);
        return false;
    }
    raster->extent = extent;
    return true;
}

/* Before drawing: nothing of the old contents is kept, so every image leaves
 * UNDEFINED. The first scopes are the image's last use: another frame's drawing
 * (all of them), the presentation engine's (chained through the wait at colour
 * output), or the copy of an offscreen image. */
static void record_begin(const struct raster *raster, VkCommandBuffer commands, VkImage image)
{
    const VkPipelineStageFlags2 output = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
    const VkPipelineStageFlags2 depth =
        VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
    VkImageMemoryBarrier2 images[3];
    uint32_t count = 0;
    images[count++] = vkb_image_transition(
        image, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_UNDEFINED,
        output | VK_PIPELINE_STAGE_2_COPY_BIT, 0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, output,
        VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT);
    images[count++] = vkb_image_transition(raster->depth.handle, VK_IMAGE_ASPECT_DEPTH_BIT,
                                           VK_IMAGE_LAYOUT_UNDEFINED, depth,
                                           VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
                                           VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, depth,
                                           VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                                               VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT);
    if (raster->color.handle)
        images[count++] = vkb_image_transition(
            raster->color.handle, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_UNDEFINED, output,
            VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
            output, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT);
    vkb_barrier(commands, NULL, 0, images, count);
}

static void record_end(VkCommandBuffer commands, VkImage image, VkImageLayout final_layout)
{
    const bool copies = final_layout == VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    const VkImageMemoryBarrier2 finish = vkb_image_transition(
        image, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        final_layout, copies ? VK_PIPELINE_STAGE_2_COPY_BIT : VK_PIPELINE_STAGE_2_NONE,
        copies ? VK_ACCESS_2_TRANSFER_READ_BIT : VK_ACCESS_2_NONE);
    vkb_barrier(commands, NULL, 0, &finish, 1);
}

static void record_draws(const struct raster *raster, VkCommandBuffer commands)
{
    const struct ring *ring = raster->base.params.ring;
    const enum options_style style = raster->base.params.style;
    const bool lines = style == STYLE_WIREFRAME;
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, raster->pipelines[style][0]);
    if (style == STYLE_POINTS)
        vkCmdDraw(commands, ring->width, ring->height, 0, 0);
    else if (ring->height > 1 && (ring->width > 1 || lines))
        vkCmdDraw(commands, 2 * ring->width, ring->height - 1, 0, 0);
    if (lines && ring->width > 1) {
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, raster->pipelines[style][1]);
        vkCmdDraw(commands, ring->width, ring->height, 0, 0);
    }
}

static void record(const struct renderer *base, VkCommandBuffer commands, uint32_t slot,
                   const struct camera_view *view, uint32_t index)
{
    const struct raster *raster = (const struct raster *) base;
    const struct renderer_params *params = &base->params;
    const VkImage image = raster->target->images[index];
    const VkImageView image_view = raster->target->views[index];
    const VkExtent2D extent = raster->extent;
    const bool multisampled = raster->color.handle != VK_NULL_HANDLE;

    record_begin(raster, commands, image);

    VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = multisampled ? raster->color.view : image_view,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .resolveMode = multisampled ? VK_RESOLVE_MODE_AVERAGE_BIT : VK_RESOLVE_MODE_NONE,
        .resolveImageView = multisampled ? image_view : VK_NULL_HANDLE,
        .resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = multisampled ? VK_ATTACHMENT_STORE_OP_DONT_CARE : VK_ATTACHMENT_STORE_OP_STORE,
    };
    memcpy(color.clearValue.color.float32, renderer_background, sizeof renderer_background);
    const VkRenderingAttachmentInfo depth = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = raster->depth.view,
        .imageLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .clearValue.depthStencil.depth = 1.0F,
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea.extent = extent,
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
        .pDepthAttachment = &depth,
    };
    const VkViewport viewport = {0.0F, 0.0F, (float) extent.width, (float) extent.height,
                                 0.0F, 1.0F};
    const VkRect2D scissor = {.extent = extent};
    const struct surface_push push = {
        .view = *view,
        .grid = {params->ring->width, params->ring->height},
        .point_size = params->device->large_points ? 2.0F : 1.0F,
    };
    vkCmdBeginRendering(commands, &info);
    vkCmdSetViewport(commands, 0, 1, &viewport);
    vkCmdSetScissor(commands, 0, 1, &scissor);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, raster->layout.handle, 0, 1,
                            &raster->sets[slot], 0, NULL);
    vkCmdPushConstants(commands, raster->layout.handle, raster->layout.stages, 0, sizeof push,
                       &push);
    record_draws(raster, commands);
    vkCmdEndRendering(commands);

    record_end(commands, image, raster->target->final_layout);
}

static void destroy(struct renderer *base)
{
    struct raster *raster = (struct raster *) base;
    const struct vkb_device *device = base->params.device;
    destroy_attachments(raster);
    for (size_t i = 0; i < STYLE_COUNT; i++) {
        for (size_t j = 0; j < 2; j++) {
            if (raster->pipelines[i][j])
                vkDestroyPipeline(device->handle, raster->pipelines[i][j], NULL);
        }
    }
    vkb_layout_destroy(device, &raster->layout);
    free(raster->sets);
    free(raster);
}

static const struct renderer_ops ops = {
    .name = "raster",
    .set_style = set_style,
    .set_target = set_target,
    .record = record,
    .destroy = destroy,
};

bool renderer_raster_create(const struct renderer_params *params, struct renderer **renderer,
                            struct error *error)
{
    const struct vkb_device *device = params->device;
    *renderer = NULL;
    struct raster *raster = calloc(1, sizeof *raster);
    if (!raster)
        return error_set(error, ERROR_RUNTIME,
                         "cannot create the renderer: out of memory; free memory and run again");
    raster->depth_format = choose_depth_format(device);
    raster->base = (struct renderer){
        .ops = &ops,
        .params = *params,
        .height_stages = VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT,
        .image_stages = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
        .depth = raster->depth_format == VK_FORMAT_D32_SFLOAT ? "D32_SFLOAT" : "X8_D24_UNORM",
    };
    const struct vkb_layout_params layout = {
        .stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
        .bindings = {ring_descriptor_type(params->ring)},
        .binding_count = 1,
        .push_constant_size = sizeof(struct surface_push),
        .set_count = params->ring->count,
        .name = "renderer layout",
    };
    if (!vkb_layout_create(device, &layout, &raster->layout, error) ||
        !create_sets(raster, error) || !set_style(&raster->base, params->style, error)) {
        destroy(&raster->base);
        return false;
    }
    *renderer = &raster->base;
    return true;
}
