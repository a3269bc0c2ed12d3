/* bench_draw: drawing alone, by the hardware rasterizer and by compute shaders.
 *
 *     bench_draw [--json | --tune] [RUNS [GRID...]]
 *
 * Draws one height map offscreen with the rasterizer and with the compute
 * renderer, and prints the device's time of a frame (medians of RUNS): alone in
 * its submission, and as one of 16 in a row. A software device gets fewer runs, a
 * small grid and a small picture.
 * --tune: the compute renderer divided in several other ways too, how many times
 * as fast as the rasterizer in a row, and what share of pixels is off by more
 * than 2. */
#include <stdio.h>
#include <stdlib.h>

#include "app/compare.h"
#include "app/messages.h"
#include "app/renderer_compute.h"
#include "app/renderer_measure.h"
#include "read_picture.h"
#include "tests/bench_row.h"
#include "tests/best_device.h"
#include "tests/median.h"

enum { RUNS_MAX = 1000, ROW = 16, GRIDS = 3 };

struct variant {
    const char *name;
    struct renderer_compute_tuning tuning; /* 0: as by default */
};

static const struct variant variants[] = {
    {"compute renderer", {0}},
    {"compute renderer once more", {0}},
    {"64 invocations, 16x5", {.invocations = 64, .tile_width = 16, .tile_height = 5}},
    {"128 invocations, 16x9", {.invocations = 128, .tile_width = 16, .tile_height = 9}},
    {"128 invocations, 32x5", {.invocations = 128, .tile_width = 32, .tile_height = 5}},
    {"128 invocations, 32x9", {.invocations = 128, .tile_width = 32, .tile_height = 9}},
    {"128 invocations, 32x17", {.invocations = 128, .tile_width = 32, .tile_height = 17}},
    {"256 invocations, 16x16", {.invocations = 256, .tile_width = 16, .tile_height = 16}},
    {"256 invocations, 32x9", {.invocations = 256, .tile_width = 32, .tile_height = 9}},
    {"256 invocations, 32x16", {.invocations = 256, .tile_width = 32, .tile_height = 16}},
    {"256 invocations, 32x32", {.invocations = 256, .tile_width = 32, .tile_height = 32}},
    {"256 invocations, 64x16", {.invocations = 256, .tile_width = 64, .tile_height = 16}},
    {"512 invocations, 32x32", {.invocations = 512, .tile_width = 32, .tile_height = 32}},
    {"small up to 8 pixels", {.small_limit = 8}},
    {"small up to 16 pixels", {.small_limit = 16}},
    {"small up to 64 pixels", {.small_limit = 64}},
    {"small up to 128 pixels", {.small_limit = 128}},
    {"look first", {.look_first = 1}},
    {"1 slice", {.slices = 1}},
    {"2 slices", {.slices = 2}},
    {"4 slices", {.slices = 4}},
    {"resolve 8x8", {.resolve_width = 8, .resolve_height = 8}},
    {"resolve 8x16", {.resolve_width = 8, .resolve_height = 16}},
    {"resolve 16x16", {.resolve_width = 16, .resolve_height = 16}},
    {"resolve 32x2", {.resolve_width = 32, .resolve_height = 2}},
    {"resolve 32x4", {.resolve_width = 32, .resolve_height = 4}},
    {"resolve 32x8", {.resolve_width = 32, .resolve_height = 8}},
    {"resolve 64x4", {.resolve_width = 64, .resolve_height = 4}},
};

struct bench {
    struct vkb_instance instance;
    struct vkb_device_info info;
    struct vkb_device device;
    struct renderer_measure measure;
    VkExtent2D extent;
    uint32_t grid;
    uint32_t runs;
    bool tune, json;
    /* The rasterizer's. */
    struct image reference; /* with `tune` */
    double raster_us, raster_in_row_us;
};

static bool open_device(struct bench *bench, struct error *error)
{
    const struct vkb_instance_params instance = {.application_name = "bench_draw"};
    return vkb_instance_create(&instance, &bench->instance, error) &&
           best_device_open(&bench->instance, true, &bench->info, &bench->device, error);
}

static bool measure(struct bench *bench, const struct renderer *renderer, uint32_t frames,
                    double *us, struct error *error)
{
    double times[RUNS_MAX];
    const struct camera camera = camera_default();
    const struct camera_view view = camera_view(&camera, bench->extent.width, bench->extent.height);
    for (uint32_t run = 0; run < bench->runs + 3; run++) {
        double time = 0.0;
        if (!renderer_measure_draw(&bench->measure, renderer, &view, frames, &time, error))
            return false;
        times[run < 3 ? 0 : run - 3] = time;
    }
    *us = median(times, bench->runs);
    return true;
}

static bool tune(struct bench *bench, const char *name, double alone, double in_row,
                 struct error *error)
{
    struct image image = {0};
    if (!read_picture(&bench->measure, &image, error)) {
        image_destroy(&image);
        return false;
    }
    if (!bench->reference.pixels) {
        bench->reference = image;
        (void) printf("%6u  %-26s %9.1f %9.1f\n", bench->grid, name, alone, in_row);
        return true;
    }
    const struct comparison comparison = compare_images(&image, &bench->reference, 2);
    (void) printf("%6u  %-26s %9.1f %9.1f %8.1f %10.6f\n", bench->grid, name, alone, in_row,
                  bench->raster_in_row_us / in_row, comparison.ratio);
    (void) fflush(stdout);
    image_destroy(&image);
    return true;
}

/* `raster_us`: 0 for the rasterizer itself. */
static void print_row(const struct bench *bench, const char *name, const char *how, double us,
                      double raster_us)
{
    char text[64];
    (void) snprintf(text, sizeof text, "drawing %ux%u, %s%s", bench->grid, bench->grid, name, how);
    const struct bench_row row = {
        .name = text,
        .us = us,
        .against = {{raster_us > 0.0 ? "rasterizer" : NULL, raster_us}},
    };
    bench_row_print(bench->json, &row);
}

static bool bench_renderer(struct bench *bench, struct renderer *renderer, const char *name,
                           bool raster, struct error *error)
{
    double alone = 0.0;
    double in_row = 0.0;
    if (!renderer_measure_target(&bench->measure, renderer, bench->extent, error) ||
        !measure(bench, renderer, 1, &alone, error) ||
        !measure(bench, renderer, ROW, &in_row, error))
        return false;
    if (raster) {
        bench->raster_us = alone;
        bench->raster_in_row_us = in_row;
    }
    if (bench->tune)
        return tune(bench, name, alone, in_row, error);
    print_row(bench, name, "", alone, raster ? 0.0 : bench->raster_us);
    print_row(bench, name, ", in a row", in_row, raster ? 0.0 : bench->raster_in_row_us);
    return true;
}

static uint32_t or_else(uint32_t value, uint32_t preset)
{
    return value ? value : preset;
}

static bool create(const struct bench *bench, const struct renderer_params *params,
                   const struct variant *variant, struct renderer **renderer, struct error *error)
{
    struct renderer_compute_tuning tuning = renderer_compute_tuning(bench->grid, bench->grid);
    if (!variant)
        return renderer_raster_create(params, renderer, error);
    const struct renderer_compute_tuning *given = &variant->tuning;
    tuning.invocations = or_else(given->invocations, tuning.invocations);
    tuning.tile_width = or_else(given->tile_width, tuning.tile_width);
    tuning.tile_height = or_else(given->tile_height, tuning.tile_height);
    tuning.small_limit = or_else(given->small_limit, tuning.small_limit);
    tuning.look_first = or_else(given->look_first, tuning.look_first);
    tuning.slices = or_else(given->slices, tuning.slices);
    tuning.resolve_width = or_else(given->resolve_width, tuning.resolve_width);
    tuning.resolve_height = or_else(given->resolve_height, tuning.resolve_height);
    return renderer_compute_create_tuned(params, &tuning, renderer, error);
}

static bool bench_grid(struct bench *bench, struct error *error)
{
    const struct renderer_measure_params measure = {
        .device = &bench->device,
        .width = bench->grid,
        .height = bench->grid,
    };
    const struct renderer_params params = {
        .device = &bench->device,
        .ring = &bench->measure.ring,
        .style = STYLE_SURFACE,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .format = VK_FORMAT_B8G8R8A8_SRGB,
    };
    bool ok = renderer_measure_create(&measure, &bench->measure, error);
    const size_t count = bench->tune ? sizeof variants / sizeof *variants : 1;
    for (size_t i = 0; ok && i <= count; i++) {
        const struct variant *variant = i == 0 ? NULL : &variants[i - 1];
        struct renderer *renderer = NULL;
        ok = create(bench, &params, variant, &renderer, error) &&
             bench_renderer(bench, renderer, variant ? variant->name : "rasterizer", !variant,
                            error);
        renderer_destroy(renderer);
    }
    image_destroy(&bench->reference);
    renderer_measure_destroy(&bench->measure);
    return ok;
}

/* What was not asked for, by the kind of device. */
static void choose(struct bench *bench, uint32_t *grids, uint32_t *count)
{
    static const uint32_t hardware[GRIDS] = {256, 1024, 4096};
    const bool software = bench->info.type == VK_PHYSICAL_DEVICE_TYPE_CPU;
    bench->extent = software ? (VkExtent2D){320, 200} : (VkExtent2D){1280, 800};
    if (bench->runs == 0)
        bench->runs = software ? 1 : 15;
    if (*count > 0)
        return;
    *count = software ? 1 : GRIDS;
    for (uint32_t i = 0; i < *count; i++)
        grids[i] = software ? 64 : hardware[i];
}

static bool run(struct bench *bench, uint32_t *grids, uint32_t count, struct error *error)
{
    if (!open_device(bench, error))
        return false;
    choose(bench, grids, &count);
    if (!bench->json)
        (void) printf("%s, driver %s %s, %ux%u pixels, microseconds of the device, median of %u\n",
                      bench->info.name, bench->info.driver_name, bench->info.driver_info,
                      bench->extent.width, bench->extent.height, bench->runs);
    if (bench->tune)
        (void) printf("%6s  %-26s %9s %9s %8s %10s\n", "grid", "renderer", "alone", "in a row",
                      "faster", "off");
    for (uint32_t i = 0; i < count; i++) {
        bench->grid = grids[i];
        if (!bench_grid(bench, error))
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    enum { GIVEN_MAX = 32 };
    uint32_t grids[GIVEN_MAX] = {0};
    const bool tuning = bench_option(&argc, &argv, "--tune");
    const bool json = !tuning && bench_option(&argc, &argv, "--json");
    struct bench bench = {
        .runs = argc > 1 ? (uint32_t) strtoul(argv[1], NULL, 10) : 0,
        .tune = tuning,
        .json = json,
    };
    struct error error = {0};
    const uint32_t count = argc > 2 ? (uint32_t) argc - 2 : 0;
    if ((argc > 1 && bench.runs == 0) || bench.runs > RUNS_MAX || count > GIVEN_MAX) {
        (void) fprintf(stderr, "usage: bench_draw [--json | --tune] [RUNS [GRID...]]\n");
        return ERROR_USAGE;
    }
    for (uint32_t i = 0; i < count; i++)
        grids[i] = (uint32_t) strtoul(argv[2 + i], NULL, 10);
    const bool ok = run(&bench, grids, count, &error);
    if (!ok)
        message_error(&error);
    vkb_device_destroy(&bench.device);
    vkb_instance_destroy(&bench.instance);
    return ok ? 0 : error.kind == ERROR_UNAVAILABLE ? 77 : (int) error.kind;
}
