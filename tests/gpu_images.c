/* gpu_images: images that Vulkan made, in CUDA: every format, kind and usage of
 * an image of the seam, level by level, layer by layer, both ways.
 *
 * For each image Vulkan fills all levels with a pattern and releases it to
 * VK_QUEUE_FAMILY_EXTERNAL; CUDA maps it as a mipmapped array, checks every
 * level's extent and texels, and writes another pattern; Vulkan takes the image
 * back and checks that. Once in a dedicated allocation and once as the second
 * image of a block, where the driver exports such a one that way.
 *
 * Prints a line for each image, last "N passed, N failed, N skipped". Exit code
 * 0: some passed and none failed; 1: some failed; 77: none could be tried, for
 * there is no device that CUDA and Vulkan share, or it exports no such image. */
#include <cuda_runtime_api.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda_device.h"
#include "kernels/cuda_external.h"
#include "kernels/cuda_result.h"
#include "vkbase/commands.h"
#include "vkbase/interop_map.h"
#include "vkbase/readback.h"

enum { LEVELS_MAX = 16 };

static struct {
    struct vkb_instance instance;
    struct vkb_device device;
    int ordinal;
} gpu;

static unsigned passed, failed, skipped;

struct format_case {
    const char *name;
    VkFormat format;
    uint32_t bytes; /* of a texel */
};

static const struct format_case formats[] = {
    {"R8_UINT", VK_FORMAT_R8_UINT, 1},
    {"R8_SINT", VK_FORMAT_R8_SINT, 1},
    {"R8G8_UINT", VK_FORMAT_R8G8_UINT, 2},
    {"R8G8_SINT", VK_FORMAT_R8G8_SINT, 2},
    {"R8G8B8A8_UINT", VK_FORMAT_R8G8B8A8_UINT, 4},
    {"R8G8B8A8_SINT", VK_FORMAT_R8G8B8A8_SINT, 4},
    {"R16_UINT", VK_FORMAT_R16_UINT, 2},
    {"R16_SINT", VK_FORMAT_R16_SINT, 2},
    {"R16G16_UINT", VK_FORMAT_R16G16_UINT, 4},
    {"R16G16_SINT", VK_FORMAT_R16G16_SINT, 4},
    {"R16G16B16A16_UINT", VK_FORMAT_R16G16B16A16_UINT, 8},
    {"R16G16B16A16_SINT", VK_FORMAT_R16G16B16A16_SINT, 8},
    {"R32_UINT", VK_FORMAT_R32_UINT, 4},
    {"R32_SINT", VK_FORMAT_R32_SINT, 4},
    {"R32_SFLOAT", VK_FORMAT_R32_SFLOAT, 4},
    {"R32G32_UINT", VK_FORMAT_R32G32_UINT, 8},
    {"R32G32_SINT", VK_FORMAT_R32G32_SINT, 8},
    {"R32G32_SFLOAT", VK_FORMAT_R32G32_SFLOAT, 8},
    {"R32G32B32A32_UINT", VK_FORMAT_R32G32B32A32_UINT, 16},
    {"R32G32B32A32_SINT", VK_FORMAT_R32G32B32A32_SINT, 16},
    {"R32G32B32A32_SFLOAT", VK_FORMAT_R32G32B32A32_SFLOAT, 16},
};

struct shape_case {
    const char *name;
    VkExtent2D extent;
    struct vkb_image_shape shape;
};

/* Sides that no alignment divides, so that a wrong level or pitch shows. With
 * layers all levels or one: see cuda_formats.c. */
static const struct shape_case shapes[] = {
    {"2D", {60, 37}, {VK_IMAGE_VIEW_TYPE_2D, 1, 1, 6}},
    {"2D", {60, 37}, {VK_IMAGE_VIEW_TYPE_2D, 1, 1, 3}},
    {"1D", {100, 1}, {VK_IMAGE_VIEW_TYPE_1D, 1, 1, 3}},
    {"3D", {20, 12}, {VK_IMAGE_VIEW_TYPE_3D, 9, 1, 4}},
    {"cube", {24, 24}, {VK_IMAGE_VIEW_TYPE_CUBE, 1, 6, 5}},
    {"cube", {24, 24}, {VK_IMAGE_VIEW_TYPE_CUBE, 1, 6, 1}},
    {"1D array", {50, 1}, {VK_IMAGE_VIEW_TYPE_1D_ARRAY, 1, 5, 6}},
    {"1D array", {50, 1}, {VK_IMAGE_VIEW_TYPE_1D_ARRAY, 1, 5, 1}},
    {"2D array", {33, 18}, {VK_IMAGE_VIEW_TYPE_2D_ARRAY, 1, 4, 6}},
    {"2D array", {33, 18}, {VK_IMAGE_VIEW_TYPE_2D_ARRAY, 1, 4, 1}},
    {"2D array", {300, 200}, {VK_IMAGE_VIEW_TYPE_2D_ARRAY, 1, 3, 9}},
    {"cube array", {16, 16}, {VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, 1, 12, 5}},
    {"cube array", {16, 16}, {VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, 1, 12, 1}},
};

/* What CUDA's flags follow from. Without storage usage none is mapped: CUDA writes
 * through surface objects (cuda_external.h). */
struct usage_case {
    const char *name;
    VkImageUsageFlags flags;
};

static const struct usage_case usages[] = {
    {"storage", VK_IMAGE_USAGE_STORAGE_BIT},
    {"storage and colour attachment",
     VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT},
};

/* Where each level lies in a buffer, all its layers one behind the other. */
struct layout {
    uint32_t levels;
    uint32_t bytes; /* of a texel */
    struct level {
        uint32_t width, height;
        uint32_t slices; /* depth, or layers */
        size_t offset;   /* bytes */
    } level[LEVELS_MAX];
    uint32_t layers;
    bool is_3d;
    size_t size;
};

static uint32_t half(uint32_t side, uint32_t times)
{
    return side >> times > 0 ? side >> times : 1;
}

static struct layout layout_of(const struct format_case *format, const struct shape_case *shape)
{
    struct layout layout = {
        .levels = shape->shape.levels,
        .bytes = format->bytes,
        .layers = shape->shape.layers,
        .is_3d = shape->shape.view_type == VK_IMAGE_VIEW_TYPE_3D,
    };
    for (uint32_t i = 0; i < layout.levels; i++) {
        struct level *level = &layout.level[i];
        *level = (struct level){
            .width = half(shape->extent.width, i),
            .height = half(shape->extent.height, i),
            .slices = layout.is_3d ? half(shape->shape.depth, i) : shape->shape.layers,
            .offset = layout.size,
        };
        const size_t bytes = (size_t) level->width * level->height * level->slices * format->bytes;
        layout.size += (bytes + 15) / 16 * 16; /* copies ask for multiples of a texel */
    }
    return layout;
}

/* Bytes that no neighbour, level or layer repeats soon; never a float that is no
 * number, as a copy might change it. */
static unsigned char pattern(size_t at, size_t seed)
{
    return (unsigned char) (((at * 167 + (at >> 7) * 59 + seed * 101) % 120) & 0x7f);
}

/* The first byte of a level that is not the pattern, or -1. */
static long first_wrong(const struct layout *layout, uint32_t index, const unsigned char *bytes,
                        size_t seed)
{
    const struct level *level = &layout->level[index];
    const size_t count = (size_t) level->width * level->height * level->slices * layout->bytes;
    for (size_t i = 0; i < count; i++) {
        if (bytes[level->offset + i] != pattern(level->offset + i, seed))
            return (long) i;
    }
    return -1;
}

static void record_copies(VkCommandBuffer commands, const struct layout *layout,
                          const struct vkb_image *image, VkBuffer buffer, bool to_image)
{
    for (uint32_t i = 0; i < layout->levels; i++) {
        const struct level *level = &layout->level[i];
        const VkBufferImageCopy region = {
            .bufferOffset = level->offset,
            .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, i, 0, layout->layers},
            .imageExtent = {level->width, level->height, layout->is_3d ? level->slices : 1},
        };
        if (to_image)
            vkCmdCopyBufferToImage(commands, buffer, image->handle,
                                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
        else
            vkCmdCopyImageToBuffer(commands, image->handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                   buffer, 1, &region);
    }
}

static VkImageMemoryBarrier2 transition(const struct vkb_image *image, VkImageLayout from,
                                        VkImageLayout to)
{
    const VkPipelineStageFlags2 all = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    return vkb_image_transition(image->handle, VK_IMAGE_ASPECT_COLOR_BIT, from, all,
                                VK_ACCESS_2_MEMORY_WRITE_BIT, to, all,
                                VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT);
}

static void record_transition(VkCommandBuffer commands, const struct vkb_image *image,
                              VkImageLayout from, VkImageLayout to)
{
    const VkImageMemoryBarrier2 barrier = transition(image, from, to);
    vkb_barrier(commands, NULL, 0, &barrier, 1);
}

/* Of the image in GENERAL. */
static void record_transfer(VkCommandBuffer commands, const struct vkb_image *image, uint32_t from,
                            uint32_t to)
{
    VkImageMemoryBarrier2 barrier =
        transition(image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
    barrier.srcQueueFamilyIndex = from;
    barrier.dstQueueFamilyIndex = to;
    vkb_barrier(commands, NULL, 0, &barrier, 1);
}

/* Vulkan's half: fills all levels and lets go of the image, or takes it back and
 * reads all levels. */
static bool vulkan_turn(const struct layout *layout, const struct vkb_image *image, bool fill,
                        size_t seed, unsigned char *bytes, struct error *error)
{
    const struct vkb_device *device = &gpu.device;
    const uint32_t family = device->queue_family;
    const struct vkb_buffer_params params = {
        .size = layout->size,
        .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
        .kind = fill ? VKB_MEMORY_UPLOAD : VKB_MEMORY_READBACK,
        .name = "texels",
    };
    struct vkb_buffer host = {0};
    struct vkb_commands commands = {0};
    bool ok = vkb_buffer_create(device, &params, &host, error) &&
              vkb_commands_create(device, 1, "texels", &commands, error) &&
              vkb_commands_begin(commands.buffers[0], true, error);
    const VkCommandBuffer buffer = commands.buffers[0];
    if (ok && fill) {
        for (size_t i = 0; i < layout->size; i++)
            ((unsigned char *) host.mapped)[i] = pattern(i, seed);
        record_transition(buffer, image, VK_IMAGE_LAYOUT_UNDEFINED,
                          VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
        record_copies(buffer, layout, image, host.handle, true);
        record_transition(buffer, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                          VK_IMAGE_LAYOUT_GENERAL);
        record_transfer(buffer, image, family, VK_QUEUE_FAMILY_EXTERNAL);
    } else if (ok) {
        record_transfer(buffer, image, VK_QUEUE_FAMILY_EXTERNAL, family);
        record_transition(buffer, image, VK_IMAGE_LAYOUT_GENERAL,
                          VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
        record_copies(buffer, layout, image, host.handle, false);
        vkb_readback_record_visible(buffer, &host);
    }
    ok = ok && vkb_commands_end(buffer, error) && vkb_submit_and_wait(device, buffer, error);
    if (ok && !fill)
        memcpy(bytes, host.mapped, layout->size);
    vkb_commands_destroy(device, &commands);
    vkb_buffer_destroy(device, &host);
    return ok;
}

static bool wrong_texel(const char *who, const struct layout *layout, uint32_t index, long at,
                        struct error *error)
{
    const struct level *level = &layout->level[index];
    const size_t texel = (size_t) at / layout->bytes;
    return error_set(error, ERROR_CHECK, "%s: level %u, slice %zu, row %zu, column %zu is wrong",
                     who, index, texel / ((size_t) level->width * level->height),
                     texel / level->width % level->height, texel % level->width);
}

static bool copy_level(cudaArray_t array, const struct layout *layout, uint32_t index, void *bytes,
                       bool to_array, struct error *error)
{
    const struct level *level = &layout->level[index];
    const struct cudaPitchedPtr host = {
        .ptr = (unsigned char *) bytes + level->offset,
        .pitch = (size_t) level->width * layout->bytes,
        .xsize = level->width,
        .ysize = level->height,
    };
    struct cudaMemcpy3DParms copy = {
        .extent = {level->width, level->height, level->slices},
        .kind = to_array ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost,
    };
    if (to_array) {
        copy.srcPtr = host;
        copy.dstArray = array;
    } else {
        copy.srcArray = array;
        copy.dstPtr = host;
    }
    return CUDA_OK(error, cudaMemcpy3D(&copy), "copy level %u", index);
}

/* CUDA's half: all levels hold pattern `seed`, and get pattern `seed` + 1. */
static bool cuda_turn(const struct layout *layout, const struct vkb_image *image,
                      const struct vkb_memory *memory, size_t seed, unsigned char *bytes,
                      struct error *error)
{
    struct interop_memory exported = {.handle.fd = -1};
    struct interop_image described;
    struct cuda_external_memory imported = {0};
    struct cuda_external_image mapped = {0};
    bool ok = CUDA_OK(error, cudaSetDevice(gpu.ordinal), "use CUDA device %d", gpu.ordinal) &&
              vkb_interop_image(image, &described, error) &&
              vkb_memory_export(&gpu.device, memory, &exported, error) &&
              cuda_external_memory_import(&exported, &imported, error) &&
              cuda_external_image_map(&imported, &described, &mapped, error);
    for (uint32_t i = 0; ok && i < layout->levels; i++) {
        const struct level *level = &layout->level[i];
        cudaArray_t array = NULL;
        struct cudaExtent extent;
        memset(bytes + level->offset, 0xee,
               (size_t) level->width * level->height * level->slices * layout->bytes);
        ok = CUDA_OK(error, cudaGetMipmappedArrayLevel(&array, mapped.levels, i), "take level %u",
                     i) &&
             CUDA_OK(error, cudaArrayGetInfo(NULL, &extent, NULL, array), "ask for an extent");
        if (ok && (extent.width != level->width ||
                   (extent.height != level->height && (extent.height || level->height > 1)) ||
                   (extent.depth != level->slices && (extent.depth || level->slices > 1))))
            ok = error_set(error, ERROR_CHECK,
                           "CUDA: level %u has %zux%zux%zu texels, not %ux%ux%u", i, extent.width,
                           extent.height, extent.depth, level->width, level->height, level->slices);
        ok = ok && copy_level(array, layout, i, bytes, false, error);
        const long at = ok ? first_wrong(layout, i, bytes, seed) : -1;
        if (at >= 0)
            ok = wrong_texel("CUDA reads", layout, i, at, error);
        const size_t count = (size_t) level->width * level->height * level->slices * layout->bytes;
        for (size_t j = 0; j < count; j++)
            bytes[level->offset + j] = pattern(level->offset + j, seed + 1);
        ok = ok && copy_level(array, layout, i, bytes, true, error);
    }
    ok = ok && CUDA_OK(error, cudaDeviceSynchronize(), "wait for CUDA");
    cuda_external_image_unmap(&mapped);
    cuda_external_memory_destroy(&imported);
    interop_handle_close(&exported.handle);
    return ok;
}

static bool take_turns(const struct layout *layout, const struct vkb_image *image,
                       const struct vkb_memory *memory, struct error *error)
{
    const size_t seed = 3;
    unsigned char *bytes = malloc(layout->size + 1);
    if (!bytes)
        return error_set(error, ERROR_RUNTIME, "out of memory");
    bool ok = vulkan_turn(layout, image, true, seed, bytes, error) &&
              cuda_turn(layout, image, memory, seed, bytes, error) &&
              vulkan_turn(layout, image, false, seed, bytes, error);
    for (uint32_t i = 0; ok && i < layout->levels; i++) {
        const long at = first_wrong(layout, i, bytes, seed + 1);
        if (at >= 0)
            ok = wrong_texel("Vulkan reads", layout, i, at, error);
    }
    free(bytes);
    return ok;
}

static void report(bool ok, const struct error *error, const char *name, const char *memory)
{
    if (ok)
        passed++;
    else
        failed++;
    (void) printf("%s %s, %s%s%s\n", ok ? "ok" : "not ok", name, memory, ok ? "" : ": ",
                  ok ? "" : error->text);
}

static void try_image(const struct format_case *format, const struct shape_case *shape,
                      const struct usage_case *usage)
{
    const struct vkb_image_params params = {
        .format = format->format,
        .extent = shape->extent,
        .shape = &shape->shape,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = usage->flags | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
        .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
        .exportable = true,
        .name = shape->name,
    };
    char name[100];
    (void) snprintf(name, sizeof name, "%s %s, %u levels, %s", shape->name, format->name,
                    shape->shape.levels, usage->name);
    const struct layout layout = layout_of(format, shape);
    const struct vkb_export_support support =
        vkb_image_export_support(gpu.device.physical, &params);
    if (!support.exportable) {
        skipped++;
        (void) printf("skip %s: the device does not export it\n", name);
        return;
    }

    struct vkb_image image;
    struct error error = {0};
    bool ok = vkb_image_create(&gpu.device, &params, &image, &error) &&
              take_turns(&layout, &image, &image.memory, &error);
    vkb_image_destroy(&gpu.device, &image);
    report(ok, &error, name, "dedicated");

    if (support.dedicated_only) {
        skipped++;
        (void) printf("skip %s, in a block: the device exports it in dedicated memory only\n",
                      name);
        return;
    }
    struct vkb_image images[2];
    struct vkb_memory block;
    error = (struct error){0};
    ok = vkb_images_create_in_block(&gpu.device, &params, 2, images, &block, &error) &&
         take_turns(&layout, &images[1], &block, &error);
    vkb_image_destroy(&gpu.device, &images[0]);
    vkb_image_destroy(&gpu.device, &images[1]);
    vkb_memory_free(&gpu.device, &block);
    report(ok, &error, name, "in a block");
}

/* The first Vulkan device that CUDA has too. */
static bool open_device(struct error *error)
{
    const struct vkb_instance_params params = {.application_name = "gpu_images"};
    struct vkb_device_info *list = NULL;
    uint32_t count = 0;
    bool ok = vkb_instance_create(&params, &gpu.instance, error) &&
              vkb_devices_list(gpu.instance.handle, &list, &count, error);
    bool opened = false;
    for (uint32_t i = 0; ok && i < count && !opened; i++) {
        struct cuda_device cuda;
        if (list[i].unusable[0] || cuda_device_find(list[i].uuid, &cuda, NULL) != CUDA_DEVICE_FOUND)
            continue;
        const struct vkb_device_params device = {
            .instance = &gpu.instance,
            .info = &list[i],
            .export_memory = true,
        };
        gpu.ordinal = cuda.ordinal;
        opened = ok = vkb_device_create(&device, &gpu.device, error);
    }
    free(list);
    return opened || error_set(error, ERROR_UNAVAILABLE, "CUDA and Vulkan share no device here");
}

int main(void)
{
    struct error error = {0};
    if (!open_device(&error)) {
        (void) printf("skipped: %s\n", error.text);
        vkb_instance_destroy(&gpu.instance);
        return error.kind == ERROR_UNAVAILABLE ? 77 : 1;
    }
    for (size_t u = 0; u < sizeof usages / sizeof usages[0]; u++) {
        for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
            try_image(&formats[i], &shapes[0], &usages[u]);
        for (size_t i = 1; i < sizeof shapes / sizeof shapes[0]; i++) {
            for (size_t j = 0; j < sizeof formats / sizeof formats[0]; j++) {
                if (formats[j].format == VK_FORMAT_R32_SFLOAT ||
                    formats[j].format == VK_FORMAT_R8G8B8A8_UINT)
                    try_image(&formats[j], &shapes[i], &usages[u]);
            }
        }
    }
    vkb_device_destroy(&gpu.device);
    vkb_instance_destroy(&gpu.instance);
    (void) printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed ? 1 : passed ? 0 : 77;
}
