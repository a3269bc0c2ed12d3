#include "app/renderer.h"

#include <stdlib.h>
#include <string.h>

#include "surface.frag.h"
#include "surface.vert.h"
#include "vkbase/commands.h"

/* Background, linear. */
static const float background[4] = {0.0035F, 0.0055F, 0.0120F, 1.0F};

struct push {
    struct camera_view view;
    uint32_t width, height;
    float point_size;
};

/* The vertex shader's `arrangement`. */
enum arrangement { ARRANGE_STRIPS = 0, ARRANGE_ROWS, ARRANGE_COLUMNS };

VkPipelineStageFlags2 renderer_height_stages(void)
{
    return VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT;
}

static bool create_pipeline(const struct renderer *renderer, VkPrimitiveTopology topology,
                            VkPolygonMode mode, enum arrangement arrangement, const char *name,
                            VkPipeline *pipeline, struct error *error)
{
    const uint32_t value = arrangement;
    const VkSpecializationMapEntry entry = {0, 0, sizeof value};
    const VkSpecializationInfo specialization = {1, &entry, sizeof value, &value};
    const struct vkb_graphics_params params = {
        .layout = &renderer->layout,
        .cache = renderer->params.cache,
        .vertex = {surface_vert_spv, sizeof surface_vert_spv},
        .fragment = {surface_frag_spv, sizeof surface_frag_spv},
        .specialization = &specialization,
        .topology = topology,
        .polygon_mode = mode,
        .samples = renderer->params.samples,
        .color_format = renderer->params.format,
        .depth_format = renderer->depth_format,
        .name = name,
    };
    return vkb_graphics_pipeline_create(renderer->params.device, &params, pipeline, error);
}

bool renderer_set_style(struct renderer *renderer, enum options_style style, struct error *error)
{
    VkPipeline *pipelines = renderer->pipelines[style];
    bool ok = true;
    renderer->params.style = style;
    if (pipelines[0])
        return true;
    switch (style) {
    case STYLE_WIREFRAME:
        if (!renderer->lines)
            ok = create_pipeline(renderer, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                                 VK_POLYGON_MODE_LINE, ARRANGE_STRIPS, "wireframe", &pipelines[0],
                                 error);
        else
            ok = create_pipeline(renderer, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, VK_POLYGON_MODE_FILL,
                                 ARRANGE_COLUMNS, "wireframe columns", &pipelines[1], error) &&
                 create_pipeline(renderer, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, VK_POLYGON_MODE_FILL,
                                 ARRANGE_ROWS, "wireframe rows", &pipelines[0], error);
        break;
    case STYLE_POINTS:
        ok = create_pipeline(renderer, VK_PRIMITIVE_TOPOLOGY_POINT_LIST, VK_POLYGON_MODE_FILL,
                             ARRANGE_ROWS, "points", &pipelines[0], error);
        break;
    default:
        ok = create_pipeline(renderer, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, VK_POLYGON_MODE_FILL,
                             ARRANGE_STRIPS, "surface", &pipelines[0], error);
    }
    return ok;
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

static bool create_sets(struct renderer *renderer, struct error *error)
{
    const struct ring *ring = renderer->params.ring;
    renderer->sets = calloc(ring->count, sizeof(VkDescriptorSet));
    if (!renderer->sets)
        return error_set(error, ERROR_RUNTIME,
                         "cannot create the renderer: out of memory; free memory and run again");
    for (uint32_t i = 0; i < ring->count; i++) {
        if (!vkb_set_allocate(renderer->params.device, &renderer->layout, &renderer->sets[i],
                              error))
            return false;
        vkb_set_buffer(renderer->params.device, renderer->sets[i], 0, ring->slots[i].handle);
    }
    return true;
}

bool renderer_create(const struct renderer_params *params, struct renderer *renderer,
                     struct error *error)
{
    const struct vkb_device *device = params->device;
    *renderer = (struct renderer){
        .params = *params,
        .depth_format = choose_depth_format(device),
        .lines = !device->fill_mode_non_solid,
    };
    const struct vkb_layout_params layout = {
        .stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
        .bindings = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
        .binding_count = 1,
        .push_constant_size = sizeof(struct push),
        .set_count = params->ring->count,
        .name = "renderer layout",
    };
    if (!vkb_layout_create(device, &layout, &renderer->layout, error) ||
        !create_sets(renderer, error) || !renderer_set_style(renderer, params->style, error)) {
        renderer_destroy(renderer);
        return false;
    }
    return true;
}

static void destroy_attachments(struct renderer *renderer)
{
    vkb_image_destroy(renderer->params.device, &renderer->depth);
    vkb_image_destroy(renderer->params.device, &renderer->color);
    renderer->extent = (VkExtent2D){0, 0};
}

void renderer_destroy(struct renderer *renderer)
{
    const struct vkb_device *device = renderer->params.device;
    if (!device)
        return;
    destroy_attachments(renderer);
    for (size_t i = 0; i < STYLE_COUNT; i++) {
        for (size_t j = 0; j < 2; j++) {
            if (renderer->pipelines[i][j])
                vkDestroyPipeline(device->handle, renderer->pipelines[i][j], NULL);
        }
    }
    vkb_layout_destroy(device, &renderer->layout);
    free(renderer->sets);
    *renderer = (struct renderer){0};
}

bool renderer_resize(struct renderer *renderer, VkExtent2D extent, struct error *error)
{
    const struct vkb_device *device = renderer->params.device;
    if (renderer->extent.width == extent.width && renderer->extent.height == extent.height)
        return true;
    destroy_attachments(renderer);
    const struct vkb_image_params depth = {
        .format = renderer->depth_format,
        .extent = extent,
        .samples = renderer->params.samples,
        .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
        .aspect = VK_IMAGE_ASPECT_DEPTH_BIT,
        .transient = true,
        .name = "depth image",
    };
    const struct vkb_image_params color = {
        .format = renderer->params.format,
        .extent = extent,
        .samples = renderer->params.samples,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
        .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
        .transient = true,
        .name = "multisampled image",
    };
    if (!vkb_image_create(device, &depth, &renderer->depth, error) ||
        (renderer->params.samples != VK_SAMPLE_COUNT_1_BIT &&
         !vkb_image_create(device, &color, &renderer->color, error))) {
        destroy_attachments(renderer);
        return false;
    }
    renderer->extent = extent;
    return true;
}

/* Before drawing: nothing of the old contents is kept, so every image leaves
 * UNDEFINED. The first scopes are the image's last use: another frame's drawing
 * (all of them), the presentation engine's (chained through the wait at colour
 * output), or the copy of an offscreen image. */
static void record_begin(const struct renderer *renderer, VkCommandBuffer commands, uint32_t slot,
                         VkImage image)
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
    images[count++] = vkb_image_transition(renderer->depth.handle, VK_IMAGE_ASPECT_DEPTH_BIT,
                                           VK_IMAGE_LAYOUT_UNDEFINED, depth,
                                           VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
                                           VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, depth,
                                           VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                                               VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT);
    if (renderer->color.handle)
        images[count++] = vkb_image_transition(
            renderer->color.handle, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_UNDEFINED, output,
            VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
            output, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT);
    const VkBufferMemoryBarrier2 take =
        ring_acquire(renderer->params.device, renderer->params.ring, slot, renderer_height_stages(),
                     VK_ACCESS_2_SHADER_STORAGE_READ_BIT);
    vkb_barrier(commands, &take, renderer->params.external ? 1 : 0, images, count);
}

static void record_end(const struct renderer *renderer, VkCommandBuffer commands, uint32_t slot,
                       VkImage image, VkImageLayout final_layout)
{
    const bool copies = final_layout == VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    const VkImageMemoryBarrier2 finish = vkb_image_transition(
        image, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        final_layout, copies ? VK_PIPELINE_STAGE_2_COPY_BIT : VK_PIPELINE_STAGE_2_NONE,
        copies ? VK_ACCESS_2_TRANSFER_READ_BIT : VK_ACCESS_2_NONE);
    const VkBufferMemoryBarrier2 give = ring_release(renderer->params.device, renderer->params.ring,
                                                     slot, renderer_height_stages());
    vkb_barrier(commands, &give, renderer->params.external ? 1 : 0, &finish, 1);
}

static void record_draws(const struct renderer *renderer, VkCommandBuffer commands)
{
    const struct ring *ring = renderer->params.ring;
    const enum options_style style = renderer->params.style;
    const bool by_lines = style == STYLE_WIREFRAME && renderer->lines;
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, renderer->pipelines[style][0]);
    if (style == STYLE_POINTS || by_lines)
        vkCmdDraw(commands, ring->width, ring->height, 0, 0);
    else if (ring->width > 1 && ring->height > 1)
        vkCmdDraw(commands, 2 * ring->width, ring->height - 1, 0, 0);
    if (by_lines) {
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, renderer->pipelines[style][1]);
        vkCmdDraw(commands, ring->height, ring->width, 0, 0);
    }
}

void renderer_record(const struct renderer *renderer, VkCommandBuffer commands, uint32_t slot,
                     const struct camera_view *view, VkImage image, VkImageView image_view,
                     VkImageLayout final_layout)
{
    const struct renderer_params *params = &renderer->params;
    const VkExtent2D extent = renderer->extent;
    const bool multisampled = renderer->color.handle != VK_NULL_HANDLE;

    vkb_label_begin(params->device, commands, "draw");
    record_begin(renderer, commands, slot, image);

    VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = multisampled ? renderer->color.view : image_view,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .resolveMode = multisampled ? VK_RESOLVE_MODE_AVERAGE_BIT : VK_RESOLVE_MODE_NONE,
        .resolveImageView = multisampled ? image_view : VK_NULL_HANDLE,
        .resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = multisampled ? VK_ATTACHMENT_STORE_OP_DONT_CARE : VK_ATTACHMENT_STORE_OP_STORE,
    };
    memcpy(color.clearValue.color.float32, background, sizeof background);
    const VkRenderingAttachmentInfo depth = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = renderer->depth.view,
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
    const struct push push = {
        .view = *view,
        .width = params->ring->width,
        .height = params->ring->height,
        .point_size = params->device->large_points ? 2.0F : 1.0F,
    };
    vkCmdBeginRendering(commands, &info);
    vkCmdSetViewport(commands, 0, 1, &viewport);
    vkCmdSetScissor(commands, 0, 1, &scissor);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, renderer->layout.handle, 0,
                            1, &renderer->sets[slot], 0, NULL);
    vkCmdPushConstants(commands, renderer->layout.handle, renderer->layout.stages, 0, sizeof push,
                       &push);
    record_draws(renderer, commands);
    vkCmdEndRendering(commands);

    record_end(renderer, commands, slot, image, final_layout);
    vkb_label_end(params->device, commands);
}
