/* bench_raster: what the hardware rasterizer's time is made of.
 *
 *     bench_raster [--json] [GRID...]
 *
 * Draws one height map offscreen in many ways and prints the device's time of
 * each (timestamps, median) beside that of the renderer's way, so that a way of
 * drawing is chosen by figures. A software device gets few runs, a small grid and
 * a small picture. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/messages.h"
#include "app/surface_push.h"
#include "app/wave.h"
#include "flat.frag.h"
#include "flat.vert.h"
#include "surface.frag.h"
#include "surface.vert.h"
#include "tests/bench_row.h"
#include "tests/best_device.h"
#include "tests/median.h"
#include "vkbase/commands.h"
#include "vkbase/memory.h"
#include "vkbase/pipeline.h"
#include "vkbase/timestamps.h"

enum { RUNS_MAX = 41, BLOCK_COLUMNS = 32, GRIDS_MAX = 8 };

enum indices { STRIPS = 0, ROW_MAJOR, BLOCKS };

struct way {
    const char *name;
    bool draws;
    bool clears;    /* colour; else its contents are left undefined */
    VkFormat depth; /* undefined: none */
    enum indices indices;
    bool culls, discards;
    uint32_t viewport_divisor; /* the picture's sides divided by it */
    bool stores_depth;
    bool flat_vertices, flat_fragments; /* with the shaders that do the least */
    bool reference;                     /* the renderer's way */
};

static const struct way ways[] = {
    {"nothing", .viewport_divisor = 1},
    {"clear colour", .clears = true, .viewport_divisor = 1},
    {"clear colour, D32", .clears = true, .depth = VK_FORMAT_D32_SFLOAT, .viewport_divisor = 1},
    {"clear colour, D16", .clears = true, .depth = VK_FORMAT_D16_UNORM, .viewport_divisor = 1},
    {"clear colour, D32 stored", .clears = true, .depth = VK_FORMAT_D32_SFLOAT,
     .stores_depth = true, .viewport_divisor = 1},
    {"strips, D32 (the renderer's way)", .draws = true, .clears = true,
     .depth = VK_FORMAT_D32_SFLOAT, .viewport_divisor = 1, .reference = true},
    {"strips, D16", .draws = true, .clears = true, .depth = VK_FORMAT_D16_UNORM,
     .viewport_divisor = 1},
    {"strips, no depth", .draws = true, .clears = true, .viewport_divisor = 1},
    {"strips, D32, back faces culled", .draws = true, .clears = true, .depth = VK_FORMAT_D32_SFLOAT,
     .culls = true, .viewport_divisor = 1},
    {"strips, D32, nothing rasterized", .draws = true, .clears = true,
     .depth = VK_FORMAT_D32_SFLOAT, .discards = true, .viewport_divisor = 1},
    {"strips, D32, half the width and height", .draws = true, .clears = true,
     .depth = VK_FORMAT_D32_SFLOAT, .viewport_divisor = 2},
    {"strips, D32, 1/16 of the width and height", .draws = true, .clears = true,
     .depth = VK_FORMAT_D32_SFLOAT, .viewport_divisor = 16},
    {"strips, D32, fragments of one colour", .draws = true, .clears = true,
     .depth = VK_FORMAT_D32_SFLOAT, .flat_fragments = true, .viewport_divisor = 1},
    {"strips, D32, vertices without heights", .draws = true, .clears = true,
     .depth = VK_FORMAT_D32_SFLOAT, .flat_vertices = true, .viewport_divisor = 1},
    {"strips, D32, one colour and no heights", .draws = true, .clears = true,
     .depth = VK_FORMAT_D32_SFLOAT, .flat_vertices = true, .flat_fragments = true,
     .viewport_divisor = 1},
    {"index buffer, row by row", .draws = true, .clears = true, .depth = VK_FORMAT_D32_SFLOAT,
     .indices = ROW_MAJOR, .viewport_divisor = 1},
    {"index buffer, blocks of 32 columns", .draws = true, .clears = true,
     .depth = VK_FORMAT_D32_SFLOAT, .indices = BLOCKS, .viewport_divisor = 1},
    {"index buffer, blocks, culled", .draws = true, .clears = true, .depth = VK_FORMAT_D32_SFLOAT,
     .indices = BLOCKS, .culls = true, .viewport_divisor = 1},
    {"index buffer, blocks, not rasterized", .draws = true, .clears = true,
     .depth = VK_FORMAT_D32_SFLOAT, .indices = BLOCKS, .discards = true, .viewport_divisor = 1},
};

struct bench {
    struct vkb_instance instance;
    struct vkb_device_info info;
    struct vkb_device device;
    struct vkb_buffer heights;
    struct vkb_buffer indices[3];
    struct vkb_image color, depth32, depth16;
    struct vkb_layout layout;
    VkDescriptorSet set;
    struct vkb_commands commands;
    struct vkb_timestamps stamps;
    VkExtent2D extent;
    uint32_t grid;
    int runs;
    double reference_us; /* 0: not measured yet */
};

static bool open_device(struct bench *bench, struct error *error)
{
    const struct vkb_instance_params instance = {.application_name = "bench_raster"};
    return vkb_instance_create(&instance, &bench->instance, error) &&
           best_device_open(&bench->instance, false, &bench->info, &bench->device, error);
}

static bool make_heights(struct bench *bench, struct error *error)
{
    const uint32_t grid = bench->grid;
    struct wave_tables tables;
    const struct vkb_buffer_params params = {
        .size = (VkDeviceSize) grid * grid * sizeof(float),
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
        .kind = VKB_MEMORY_UPLOAD,
        .name = "height map",
    };
    if (!vkb_buffer_create(&bench->device, &params, &bench->heights, error) ||
        !wave_tables_create(grid, grid, &tables, error))
        return false;
    float *heights = bench->heights.mapped;
    for (uint32_t y = 0; y < grid; y++) {
        for (uint32_t x = 0; x < grid; x++)
            heights[(size_t) y * grid + x] = wave_height(&tables, wave_phase(0.0), x, y);
    }
    wave_tables_destroy(&tables);
    return true;
}

/* Two triangles a cell, cells by rows within blocks of `columns` cells. */
static bool make_indices(struct bench *bench, enum indices kind, uint32_t columns,
                         struct error *error)
{
    const uint32_t grid = bench->grid;
    const uint32_t cells = grid - 1;
    const struct vkb_buffer_params params = {
        .size = (VkDeviceSize) cells * cells * 6 * sizeof(uint32_t),
        .usage = VK_BUFFER_USAGE_INDEX_BUFFER_BIT,
        .kind = VKB_MEMORY_UPLOAD,
        .name = "index buffer",
    };
    if (!vkb_buffer_create(&bench->device, &params, &bench->indices[kind], error))
        return false;
    uint32_t *index = bench->indices[kind].mapped;
    for (uint32_t first = 0; first < cells; first += columns) {
        for (uint32_t y = 0; y < cells; y++) {
            for (uint32_t x = first; x < first + columns && x < cells; x++) {
                const uint32_t corner = y * grid + x;
                const uint32_t six[6] = {corner,     corner + grid, corner + 1,
                                         corner + 1, corner + grid, corner + grid + 1};
                memcpy(index, six, sizeof six);
                index += 6;
            }
        }
    }
    return true;
}

static bool make_image(struct bench *bench, VkFormat format, bool depth, struct vkb_image *image,
                       struct error *error)
{
    const struct vkb_image_params params = {
        .format = format,
        .extent = bench->extent,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = depth ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
                       : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
        .aspect = depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT,
        .name = "benchmark image",
    };
    return vkb_image_create(&bench->device, &params, image, error);
}

static bool bench_create(struct bench *bench, struct error *error)
{
    const struct vkb_layout_params layout = {
        .stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
        .bindings = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
        .binding_count = 1,
        .push_constant_size = sizeof(struct surface_push),
        .set_count = 1,
        .name = "benchmark layout",
    };
    if (!make_heights(bench, error) || !make_indices(bench, ROW_MAJOR, bench->grid, error) ||
        !make_indices(bench, BLOCKS, BLOCK_COLUMNS, error) ||
        !make_image(bench, VK_FORMAT_B8G8R8A8_SRGB, false, &bench->color, error) ||
        !make_image(bench, VK_FORMAT_D32_SFLOAT, true, &bench->depth32, error) ||
        !make_image(bench, VK_FORMAT_D16_UNORM, true, &bench->depth16, error) ||
        !vkb_layout_create(&bench->device, &layout, &bench->layout, error) ||
        !vkb_set_allocate(&bench->device, &bench->layout, &bench->set, error) ||
        !vkb_commands_create(&bench->device, 1, "benchmark", &bench->commands, error) ||
        !vkb_timestamps_create(&bench->device, 1, &bench->stamps, error))
        return false;
    vkb_set_buffer(&bench->device, bench->set, 0, bench->heights.handle);
    if (!bench->stamps.pool)
        return error_set(error, ERROR_UNAVAILABLE, "the device has no timestamps");
    return true;
}

static void bench_destroy(struct bench *bench)
{
    const struct vkb_device *device = &bench->device;
    vkb_timestamps_destroy(device, &bench->stamps);
    vkb_commands_destroy(device, &bench->commands);
    vkb_layout_destroy(device, &bench->layout);
    vkb_image_destroy(device, &bench->depth16);
    vkb_image_destroy(device, &bench->depth32);
    vkb_image_destroy(device, &bench->color);
    for (int i = 0; i < 3; i++)
        vkb_buffer_destroy(device, &bench->indices[i]);
    vkb_buffer_destroy(device, &bench->heights);
}

static bool make_pipeline(const struct bench *bench, const struct way *way, VkPipeline *pipeline,
                          struct error *error)
{
    const uint32_t arrangement = way->indices == STRIPS ? 0 : 2;
    const VkSpecializationMapEntry entry = {0, 0, sizeof arrangement};
    const VkSpecializationInfo specialization = {1, &entry, sizeof arrangement, &arrangement};
    const struct vkb_shader vertices[] = {{surface_vert_spv, sizeof surface_vert_spv},
                                          {flat_vert_spv, sizeof flat_vert_spv}};
    const struct vkb_shader fragments[] = {{surface_frag_spv, sizeof surface_frag_spv},
                                           {flat_frag_spv, sizeof flat_frag_spv}};
    const struct vkb_graphics_params params = {
        .layout = &bench->layout,
        .vertex = vertices[way->flat_vertices],
        .fragment = fragments[way->flat_fragments],
        .specialization = way->flat_vertices ? NULL : &specialization,
        .topology = way->indices == STRIPS ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP
                                           : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .cull_mode = way->culls ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_NONE,
        .rasterizer_discard = way->discards,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .color_format = VK_FORMAT_B8G8R8A8_SRGB,
        .depth_format = way->depth,
        .name = way->name,
    };
    return vkb_graphics_pipeline_create(&bench->device, &params, pipeline, error);
}

static void record_pass(const struct bench *bench, const struct way *way, VkPipeline pipeline,
                        VkCommandBuffer commands)
{
    const struct vkb_image *depth_image =
        way->depth == VK_FORMAT_D16_UNORM ? &bench->depth16 : &bench->depth32;
    const VkPipelineStageFlags2 tests =
        VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
    const VkImageMemoryBarrier2 images[] = {
        vkb_image_transition(bench->color.handle, VK_IMAGE_ASPECT_COLOR_BIT,
                             VK_IMAGE_LAYOUT_UNDEFINED,
                             VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, 0,
                             VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                             VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                             VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT),
        vkb_image_transition(depth_image->handle, VK_IMAGE_ASPECT_DEPTH_BIT,
                             VK_IMAGE_LAYOUT_UNDEFINED, tests,
                             VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
                             VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, tests,
                             VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                                 VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT),
    };
    vkb_barrier(commands, NULL, 0, images, way->depth ? 2 : 1);
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = bench->color.view,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = way->clears ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .clearValue.color.float32 = {0.0035F, 0.0055F, 0.0120F, 1.0F},
    };
    const VkRenderingAttachmentInfo depth = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = depth_image->view,
        .imageLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp =
            way->stores_depth ? VK_ATTACHMENT_STORE_OP_STORE : VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .clearValue.depthStencil.depth = 1.0F,
    };
    const VkRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea.extent = bench->extent,
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
        .pDepthAttachment = way->depth ? &depth : NULL,
    };
    vkCmdBeginRendering(commands, &rendering);
    if (way->draws) {
        const struct camera camera = camera_default();
        const VkExtent2D extent = bench->extent;
        const struct surface_push push = {
            .view = camera_view(&camera, extent.width, extent.height),
            .grid = {bench->grid, bench->grid},
            .point_size = 1.0F,
        };
        const VkViewport viewport = {0.0F,
                                     0.0F,
                                     (float) extent.width / (float) way->viewport_divisor,
                                     (float) extent.height / (float) way->viewport_divisor,
                                     0.0F,
                                     1.0F};
        const VkRect2D scissor = {.extent = extent};
        const uint32_t cells = bench->grid - 1;
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        vkCmdSetViewport(commands, 0, 1, &viewport);
        vkCmdSetScissor(commands, 0, 1, &scissor);
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, bench->layout.handle, 0,
                                1, &bench->set, 0, NULL);
        vkCmdPushConstants(commands, bench->layout.handle, bench->layout.stages, 0, sizeof push,
                           &push);
        if (way->indices == STRIPS) {
            vkCmdDraw(commands, 2 * bench->grid, cells, 0, 0);
        } else {
            vkCmdBindIndexBuffer(commands, bench->indices[way->indices].handle, 0,
                                 VK_INDEX_TYPE_UINT32);
            vkCmdDrawIndexed(commands, cells * cells * 6, 1, 0, 0, 0);
        }
    }
    vkCmdEndRendering(commands);
}

static bool measure(struct bench *bench, const struct way *way, bool json, struct error *error)
{
    double times[RUNS_MAX];
    VkPipeline pipeline = VK_NULL_HANDLE;
    if (way->draws && !make_pipeline(bench, way, &pipeline, error))
        return false;
    const VkCommandBuffer commands = bench->commands.buffers[0];
    bool ok = true;
    for (int run = -5; ok && run < bench->runs; run++) {
        uint64_t begin = 0;
        uint64_t end = 0;
        ok = vkb_commands_begin(commands, true, error);
        if (!ok)
            break;
        vkb_timestamps_begin(&bench->stamps, commands, 0);
        record_pass(bench, way, pipeline, commands);
        vkb_timestamps_end(&bench->stamps, commands, 0);
        ok = vkb_commands_end(commands, error) &&
             vkb_submit_and_wait(&bench->device, commands, error) &&
             vkb_timestamps_read(&bench->device, &bench->stamps, 0, &begin, &end);
        if (ok && run >= 0)
            times[run] = vkb_timestamps_span(&bench->stamps, begin, end) * 1e-3;
    }
    if (pipeline)
        vkDestroyPipeline(bench->device.handle, pipeline, NULL);
    if (!ok)
        return false;
    const double us = median(times, (size_t) bench->runs);
    char text[80];
    (void) snprintf(text, sizeof text, "raster %ux%u: %s", bench->grid, bench->grid, way->name);
    const struct bench_row row = {
        .name = text,
        .us = us,
        .against = {{bench->reference_us > 0.0 ? "the renderer's way" : NULL, bench->reference_us}},
    };
    bench_row_print(json, &row);
    if (way->reference)
        bench->reference_us = us;
    return true;
}

/* One grid; the device is open. */
static bool run_grid(struct bench *bench, uint32_t grid, bool json, struct error *error)
{
    bench->grid = grid;
    bench->reference_us = 0.0;
    bool ok = bench_create(bench, error);
    for (size_t i = 0; ok && i < sizeof ways / sizeof *ways; i++)
        ok = measure(bench, &ways[i], json, error);
    bench_destroy(bench);
    return ok;
}

static bool run(struct bench *bench, const uint32_t *given, uint32_t given_count, bool json,
                struct error *error)
{
    static const uint32_t hardware[] = {256, 1024};
    static const uint32_t small[] = {64};
    if (!open_device(bench, error))
        return false;
    const bool software = bench->info.type == VK_PHYSICAL_DEVICE_TYPE_CPU;
    const uint32_t *grids = given_count > 0 ? given : software ? small : hardware;
    const uint32_t count = given_count > 0 ? given_count : software ? 1 : 2;
    bench->extent = software ? (VkExtent2D){320, 200} : (VkExtent2D){1280, 800};
    bench->runs = software ? 5 : RUNS_MAX;
    if (!json)
        (void) printf("%s, driver %s %s, %ux%u pixels, microseconds of the device, median of %d; "
                      "times as fast as the renderer's way\n",
                      bench->info.name, bench->info.driver_name, bench->info.driver_info,
                      bench->extent.width, bench->extent.height, bench->runs);
    for (uint32_t i = 0; i < count; i++) {
        if (!run_grid(bench, grids[i], json, error))
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    uint32_t grids[GRIDS_MAX];
    const bool json = bench_option(&argc, &argv, "--json");
    const uint32_t count = (uint32_t) argc - 1;
    struct bench bench = {0};
    struct error error = {0};
    bool usable = count <= GRIDS_MAX;
    for (uint32_t i = 0; usable && i < count; i++) {
        grids[i] = (uint32_t) strtoul(argv[1 + i], NULL, 10);
        usable = grids[i] >= 2 && grids[i] <= 8192;
    }
    if (!usable) {
        (void) fprintf(stderr, "usage: bench_raster [--json] [GRID...], 2 to 8192 each\n");
        return ERROR_USAGE;
    }
    const bool ok = run(&bench, grids, count, json, &error);
    if (!ok)
        message_error(&error);
    vkb_device_destroy(&bench.device);
    vkb_instance_destroy(&bench.instance);
    return ok ? 0 : error.kind == ERROR_UNAVAILABLE ? 77 : (int) error.kind;
}
