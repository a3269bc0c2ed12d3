/* The renderer that draws with compute shaders: docs/compute-renderer.md. */
#include "app/renderer_compute.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "resolve.comp.h"
#include "resolve_image.comp.h"
#include "visibility.comp.h"
#include "visibility_image.comp.h"
#include "vkbase/commands.h"

static const VkPipelineStageFlags2 compute_stage = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;

/* As in visibility.glsl. */
struct push {
    float to_screen[16];
    float ray_corner[3], point_size;
    float ray_right[3];
    uint32_t background;
    float ray_down[3];
    uint32_t swap;
    uint32_t grid[2];
    uint32_t size[2];
};
static_assert(offsetof(struct push, grid) == 112, "laid out otherwise");
static_assert(sizeof(struct push) <= 128, "more than every device takes");

struct compute {
    struct renderer base;
    struct renderer_compute_tuning tuning;
    struct vkb_layout image_layout; /* set 1: the image written to */
    struct vkb_layout layout;       /* set 0: heights and visibility */
    VkDescriptorSet *sets;          /* one per slot */
    VkDescriptorSet image_sets[VKB_TARGET_IMAGES_MAX];
    struct {
        VkPipeline visibility, resolve;
    } pipelines[STYLE_COUNT];
    const struct vkb_target *target;
    VkExtent2D extent;            /* of what follows */
    struct vkb_buffer visibility; /* clear between frames */
    struct vkb_image image;       /* copied to the target's; null where that is written to */
};

struct renderer_compute_tuning renderer_compute_tuning(uint32_t grid_width, uint32_t grid_height)
{
    enum { WORKGROUPS = 512 }; /* what keeps a large device busy */
    struct renderer_compute_tuning tuning = {
        .invocations = 128,
        .tile_width = 16,
        .tile_height = 9,
        .small_limit = 32,
        .look_first = 0, /* little lies behind something: the look costs more than it saves */
        .resolve_width = 16,
        .resolve_height = 8,
    };
    const uint64_t vertices = (uint64_t) grid_width * grid_height;
    if (vertices >= UINT64_C(1) << 20) {
        tuning.tile_width = 32;
    }
    const uint64_t tiles = vertices / ((uint64_t) tuning.tile_width * tuning.tile_height) + 1;
    tuning.slices = (uint32_t) (tiles < WORKGROUPS ? WORKGROUPS / tiles / 2 : 1);
    if (tuning.slices == 0)
        tuning.slices = 1;
    return tuning;
}

static bool create_pipelines(struct compute *compute, enum options_style style, struct error *error)
{
    enum { FINE = 256 }; /* vertices along either side, for triangles without long sides */
    static const VkSpecializationMapEntry entries[] = {
        {0, 0, 4}, {1, 4, 4}, {2, 8, 4}, {3, 12, 4}, {4, 16, 4}, {5, 20, 4}, {6, 24, 4},
    };
    const struct renderer_params *params = &compute->base.params;
    const struct renderer_compute_tuning *tuning = &compute->tuning;
    const uint32_t slivers = params->ring->width < FINE || params->ring->height < FINE;
    const uint32_t visibility_values[] = {
        style,
        tuning->invocations,
        tuning->tile_width,
        tuning->tile_height,
        tuning->small_limit,
        tuning->look_first,
        slivers,
    };
    const uint32_t resolve_values[] = {
        style,
        tuning->resolve_width,
        tuning->resolve_height,
        slivers,
    };
    const VkSpecializationInfo visibility = {7, entries, sizeof visibility_values,
                                             visibility_values};
    const VkSpecializationInfo resolve = {4, entries, sizeof resolve_values, resolve_values};
    const struct vkb_shader visibility_shaders[] = {
        {visibility_comp_spv, sizeof visibility_comp_spv},
        {visibility_image_comp_spv, sizeof visibility_image_comp_spv},
    };
    const struct vkb_shader resolve_shaders[] = {
        {resolve_comp_spv, sizeof resolve_comp_spv},
        {resolve_image_comp_spv, sizeof resolve_image_comp_spv},
    };
    const int kind = params->ring->images ? 1 : 0;
    return vkb_compute_pipeline_create(params->device, &compute->layout, params->cache,
                                       visibility_shaders[kind], &visibility, "visibility",
                                       &compute->pipelines[style].visibility, error) &&
           vkb_compute_pipeline_create(params->device, &compute->layout, params->cache,
                                       resolve_shaders[kind], &resolve, "resolve",
                                       &compute->pipelines[style].resolve, error);
}

static bool set_style(struct renderer *base, enum options_style style, struct error *error)
{
    base->generation++;
    struct compute *compute = (struct compute *) base;
    if (!compute->pipelines[style].resolve && !create_pipelines(compute, style, error))
        return false;
    base->params.style = style;
    return true;
}

/* From one pass to the next, of this frame or of another. */
static VkBufferMemoryBarrier2 visibility_barrier(const struct compute *compute)
{
    return (VkBufferMemoryBarrier2){
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
        .srcStageMask = compute_stage,
        .srcAccessMask = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
        .dstStageMask = compute_stage,
        .dstAccessMask = VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .buffer = compute->visibility.handle,
        .size = VK_WHOLE_SIZE,
    };
}

/* Sets all bits of the visibility buffer. From then on each frame leaves it so. */
static bool clear_visibility(const struct compute *compute, struct error *error)
{
    const struct vkb_device *device = compute->base.params.device;
    struct vkb_commands commands = {0};
    if (!vkb_commands_create(device, 1, "clear visibility", &commands, error))
        return false;
    const VkCommandBuffer buffer = commands.buffers[0];
    bool ok = vkb_commands_begin(buffer, true, error);
    if (ok) {
        VkBufferMemoryBarrier2 barrier = visibility_barrier(compute);
        barrier.srcStageMask = VK_PIPELINE_STAGE_2_CLEAR_BIT;
        barrier.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
        vkCmdFillBuffer(buffer, compute->visibility.handle, 0, VK_WHOLE_SIZE, UINT32_MAX);
        vkb_barrier(buffer, &barrier, 1, NULL, 0);
        ok = vkb_commands_end(buffer, error) && vkb_submit_and_wait(device, buffer, error);
    }
    vkb_commands_destroy(device, &commands);
    return ok;
}

static void destroy_buffers(struct compute *compute)
{
    vkb_buffer_destroy(compute->base.params.device, &compute->visibility);
    vkb_image_destroy(compute->base.params.device, &compute->image);
    compute->extent = (VkExtent2D){0, 0};
}

static VkDeviceSize visibility_size(VkExtent2D extent)
{
    return (VkDeviceSize) extent.width * extent.height * sizeof(uint64_t);
}

bool renderer_compute_fits(const struct vkb_device *device, VkExtent2D extent, struct error *why)
{
    const VkDeviceSize size = visibility_size(extent);
    return size <= device->limits.maxStorageBufferRange ||
           error_set(why, ERROR_UNAVAILABLE,
                     "a picture of %ux%u pixels needs a buffer of %llu bytes and this device "
                     "binds at most %u",
                     extent.width, extent.height, (unsigned long long) size,
                     device->limits.maxStorageBufferRange);
}

static bool create_visibility(struct compute *compute, VkExtent2D extent, struct error *error)
{
    const struct vkb_device *device = compute->base.params.device;
    struct error why = {0};
    const struct vkb_buffer_params params = {
        .size = visibility_size(extent),
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
        .kind = VKB_MEMORY_DEVICE,
        .dedicated = true,
        .name = "visibility buffer",
    };
    if (!renderer_compute_fits(device, extent, &why))
        return error_set(error, ERROR_UNAVAILABLE,
                         "--renderer compute: %s; take a smaller --size or --renderer raster",
                         why.text);
    if (!vkb_buffer_create(device, &params, &compute->visibility, error) ||
        !clear_visibility(compute, error))
        return false;
    for (uint32_t i = 0; i < compute->base.params.ring->count; i++)
        vkb_set_buffer(device, compute->sets[i], 1, compute->visibility.handle);
    return true;
}

static bool create_image(struct compute *compute, VkExtent2D extent, struct error *error)
{
    const struct vkb_device *device = compute->base.params.device;
    const struct vkb_image_params params = {
        .format = vkb_storage_format(device),
        .extent = extent,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
        .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
        .name = "resolved image",
    };
    return vkb_image_create(device, &params, &compute->image, error);
}

static bool set_target(struct renderer *base, const struct vkb_target *target, struct error *error)
{
    base->generation++;
    struct compute *compute = (struct compute *) base;
    const struct vkb_device *device = base->params.device;
    const VkExtent2D extent = target->extent;
    const bool copies = target->use == VKB_TARGET_COPY;
    compute->target = target;
    base->image_stages = copies ? VK_PIPELINE_STAGE_2_COPY_BIT : compute_stage;
    if (extent.width == 0 || extent.height == 0)
        return true; /* minimised */
    if (compute->extent.width != extent.width || compute->extent.height != extent.height) {
        destroy_buffers(compute);
        if (!create_visibility(compute, extent, error)) {
            destroy_buffers(compute);
            return false;
        }
        compute->extent = extent;
    }
    if (copies && !compute->image.handle && !create_image(compute, extent, error))
        return false;
    for (uint32_t i = 0; i < target->image_count; i++)
        vkb_set_storage_image(device, compute->image_sets[i], 0,
                              copies ? compute->image.view : target->views[i]);
    return true;
}

/* The product of what turns grid indices into positions, the view, and what
 * turns clip space into 1/256 pixels. */
static void make_to_screen(const struct compute *compute, const struct camera_view *view,
                           float to_screen[16])
{
    const struct ring *ring = compute->base.params.ring;
    const double scale[2] = {
        ring->width > 1 ? 2.0 / (ring->width - 1) : 0.0,
        ring->height > 1 ? 2.0 / (ring->height - 1) : 0.0,
    };
    const double origin[2] = {ring->width > 1 ? -1.0 : 0.0, ring->height > 1 ? -1.0 : 0.0};
    const double half[2] = {compute->extent.width * 128.0, compute->extent.height * 128.0};
    double clip[4][4]; /* column, row */
    for (int row = 0; row < 4; row++) {
        const float *m = &view->view_projection[row];
        clip[0][row] = (double) m[0] * scale[0];
        clip[1][row] = (double) m[4] * scale[1];
        clip[2][row] = (double) m[8];
        clip[3][row] = (double) m[0] * origin[0] + (double) m[4] * origin[1] + (double) m[12];
    }
    for (int column = 0; column < 4; column++) {
        const double w = clip[column][3];
        to_screen[4 * column + 0] = (float) ((clip[column][0] + w) * half[0]);
        to_screen[4 * column + 1] = (float) ((clip[column][1] + w) * half[1]);
        to_screen[4 * column + 2] = (float) clip[column][2];
        to_screen[4 * column + 3] = (float) w;
    }
}

/* The background as 8 bits per channel, red lowest. */
static uint32_t encoded_background(void)
{
    uint32_t packed = UINT32_C(255) << 24;
    for (int i = 0; i < 3; i++) {
        const double linear = (double) renderer_background[i];
        const double encoded =
            linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1.0 / 2.4) - 0.055;
        packed |= (uint32_t) lround(encoded * 255.0) << (8 * i);
    }
    return packed;
}

/* Before drawing: the last frame's accesses to the visibility buffer and to the
 * image, whose contents are not kept, or the presentation engine's (chained
 * through the wait at the image's stage). */
static void record_begin(const struct compute *compute, VkCommandBuffer commands, VkImage image)
{
    const VkBufferMemoryBarrier2 visibility = visibility_barrier(compute);
    const VkImageMemoryBarrier2 to_write = vkb_image_transition(
        image, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_UNDEFINED,
        compute_stage | VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_NONE, VK_IMAGE_LAYOUT_GENERAL,
        compute_stage, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
    vkb_barrier(commands, &visibility, 1, &to_write, 1);
}

/* Leaves `image`, last written at `stage`, in the target's layout. */
static void record_end(const struct compute *compute, VkCommandBuffer commands, VkImage image,
                       VkImageLayout layout, VkPipelineStageFlags2 stage, VkAccessFlags2 access)
{
    const VkImageLayout final_layout = compute->target->final_layout;
    const bool copied = final_layout == VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    const VkImageMemoryBarrier2 finish =
        vkb_image_transition(image, VK_IMAGE_ASPECT_COLOR_BIT, layout, stage, access, final_layout,
                             copied ? VK_PIPELINE_STAGE_2_COPY_BIT : VK_PIPELINE_STAGE_2_NONE,
                             copied ? VK_ACCESS_2_TRANSFER_READ_BIT : VK_ACCESS_2_NONE);
    vkb_barrier(commands, NULL, 0, &finish, 1);
}

/* Copies the resolved image to the target's, bit for bit: their formats differ
 * in the encoding alone. */
static void record_copy(const struct compute *compute, VkCommandBuffer commands, VkImage image)
{
    const VkPipelineStageFlags2 copy = VK_PIPELINE_STAGE_2_COPY_BIT;
    const VkImageMemoryBarrier2 images[] = {
        vkb_image_transition(
            compute->image.handle, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_GENERAL,
            compute_stage, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
            VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, copy, VK_ACCESS_2_TRANSFER_READ_BIT),
        vkb_image_transition(image, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_UNDEFINED, copy, 0,
                             VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, copy,
                             VK_ACCESS_2_TRANSFER_WRITE_BIT),
    };
    const VkImageCopy region = {
        .srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .extent = {compute->extent.width, compute->extent.height, 1},
    };
    vkb_barrier(commands, NULL, 0, images, 2);
    vkCmdCopyImage(commands, compute->image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, image,
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
}

static uint32_t divide_up(uint32_t value, uint32_t by)
{
    return (value + by - 1) / by;
}

static void record_passes(const struct compute *compute, VkCommandBuffer commands)
{
    const struct renderer_compute_tuning *tuning = &compute->tuning;
    const enum options_style style = compute->base.params.style;
    const struct ring *ring = compute->base.params.ring;
    if (style != STYLE_SURFACE || (ring->width > 1 && ring->height > 1)) {
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                          compute->pipelines[style].visibility);
        vkCmdDispatch(commands, divide_up(ring->width, tuning->tile_width - 1),
                      divide_up(ring->height, tuning->tile_height - 1), tuning->slices);
        const VkBufferMemoryBarrier2 drawn = visibility_barrier(compute);
        vkb_barrier(commands, &drawn, 1, NULL, 0);
    }
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute->pipelines[style].resolve);
    vkCmdDispatch(commands, divide_up(compute->extent.width, tuning->resolve_width),
                  divide_up(compute->extent.height, tuning->resolve_height), 1);
}

static void record(const struct renderer *base, VkCommandBuffer commands, uint32_t slot,
                   const struct camera_view *view, uint32_t index)
{
    const struct compute *compute = (const struct compute *) base;
    const struct renderer_params *params = &base->params;
    const VkImage image = compute->target->images[index];
    const bool copies = compute->target->use == VKB_TARGET_COPY;
    struct push push = {
        .grid = {params->ring->width, params->ring->height},
        .size = {compute->extent.width, compute->extent.height},
        .point_size = params->device->large_points ? 2.0F : 1.0F,
        .background = encoded_background(),
        .swap = copies && (compute->image.format == VK_FORMAT_R8G8B8A8_UNORM) !=
                              (compute->target->format == VK_FORMAT_R8G8B8A8_SRGB),
    };
    make_to_screen(compute, view, push.to_screen);
    memcpy(push.ray_corner, view->ray_corner, sizeof push.ray_corner);
    memcpy(push.ray_right, view->ray_right, sizeof push.ray_right);
    memcpy(push.ray_down, view->ray_down, sizeof push.ray_down);

    record_begin(compute, commands, copies ? compute->image.handle : image);
    const VkDescriptorSet sets[] = {compute->sets[slot], compute->image_sets[index]};
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute->layout.handle, 0, 2,
                            sets, 0, NULL);
    vkCmdPushConstants(commands, compute->layout.handle, compute->layout.stages, 0, sizeof push,
                       &push);
    record_passes(compute, commands);
    if (copies) {
        record_copy(compute, commands, image);
        record_end(compute, commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                   VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    } else {
        record_end(compute, commands, image, VK_IMAGE_LAYOUT_GENERAL, compute_stage,
                   VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
    }
}

static void destroy(struct renderer *base)
{
    struct compute *compute = (struct compute *) base;
    const struct vkb_device *device = base->params.device;
    destroy_buffers(compute);
    for (size_t i = 0; i < STYLE_COUNT; i++) {
        if (compute->pipelines[i].visibility)
            vkDestroyPipeline(device->handle, compute->pipelines[i].visibility, NULL);
        if (compute->pipelines[i].resolve)
            vkDestroyPipeline(device->handle, compute->pipelines[i].resolve, NULL);
    }
    vkb_layout_destroy(device, &compute->layout);
    vkb_layout_destroy(device, &compute->image_layout);
    free(compute->sets);
    free(compute);
}

static const struct renderer_ops ops = {
    .name = "compute",
    .set_style = set_style,
    .set_target = set_target,
    .record = record,
    .destroy = destroy,
};

static bool create_layouts(struct compute *compute, struct error *error)
{
    const struct vkb_device *device = compute->base.params.device;
    const struct vkb_layout_params image_layout = {
        .stages = VK_SHADER_STAGE_COMPUTE_BIT,
        .bindings = {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
        .binding_count = 1,
        .set_count = VKB_TARGET_IMAGES_MAX,
        .name = "compute renderer image layout",
    };
    const struct vkb_layout_params layout = {
        .stages = VK_SHADER_STAGE_COMPUTE_BIT,
        .bindings = {ring_descriptor_type(compute->base.params.ring),
                     VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
        .binding_count = 2,
        .push_constant_size = sizeof(struct push),
        .set_count = compute->base.params.ring->count,
        .second = &compute->image_layout,
        .name = "compute renderer layout",
    };
    return vkb_layout_create(device, &image_layout, &compute->image_layout, error) &&
           vkb_layout_create(device, &layout, &compute->layout, error);
}

static bool create_sets(struct compute *compute, struct error *error)
{
    const struct ring *ring = compute->base.params.ring;
    const struct vkb_device *device = compute->base.params.device;
    compute->sets = calloc(ring->count, sizeof(VkDescriptorSet));
    if (!compute->sets)
        return error_set(error, ERROR_RUNTIME,
                         "cannot create the renderer: out of memory; free memory and run again");
    for (uint32_t i = 0; i < ring->count; i++) {
        if (!vkb_set_allocate(device, &compute->layout, &compute->sets[i], error))
            return false;
        ring_bind(device, ring, i, compute->sets[i], 0);
    }
    for (uint32_t i = 0; i < VKB_TARGET_IMAGES_MAX; i++) {
        if (!vkb_set_allocate(device, &compute->image_layout, &compute->image_sets[i], error))
            return false;
    }
    return true;
}

bool renderer_compute_create_tuned(const struct renderer_params *params,
                                   const struct renderer_compute_tuning *tuning,
                                   struct renderer **renderer, struct error *error)
{
    *renderer = NULL;
    struct compute *compute = calloc(1, sizeof *compute);
    if (!compute)
        return error_set(error, ERROR_RUNTIME,
                         "cannot create the renderer: out of memory; free memory and run again");
    compute->tuning = *tuning;
    compute->base = (struct renderer){
        .ops = &ops,
        .params = *params,
        .height_stages = compute_stage,
        .image_stages = compute_stage,
        .depth = "in 64-bit visibility",
    };
    compute->base.params.format = VK_FORMAT_UNDEFINED;
    if (!create_layouts(compute, error) || !create_sets(compute, error) ||
        !set_style(&compute->base, params->style, error)) {
        destroy(&compute->base);
        return false;
    }
    *renderer = &compute->base;
    return true;
}

bool renderer_compute_create(const struct renderer_params *params, struct renderer **renderer,
                             struct error *error)
{
    /* Fits every device: 128 invocations and 16 KiB of shared memory are promised, and
     * a vertex takes 24 bytes at most: position, depth and three list entries. */
    const struct renderer_compute_tuning tuning =
        renderer_compute_tuning(params->ring->width, params->ring->height);
    return renderer_compute_create_tuned(params, &tuning, renderer, error);
}
