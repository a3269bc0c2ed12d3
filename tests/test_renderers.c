/* The compute renderer against the rasterizer: a device, no stepper but
 * Vulkan's, no window.
 *
 *     test_renderers [SEED]
 *
 * Prints a line for each check, and what differed at most. Exits with 77 where
 * the device cannot, 1 where a check failed or the validation layer, where there
 * is one, had something to say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/compare.h"
#include "app/messages.h"
#include "app/png_file.h"
#include "app/renderer_compute.h"
#include "app/renderer_measure.h"
#include "read_picture.h"
#include "tests/best_device.h"

static const char *const style_names[STYLE_COUNT] = {"surface", "wireframe", "points"};

/* Share of pixels that may be off by more than 2: about three times what is measured
 * (docs/compute-renderer.md). Lines are rectangles in both, but a centre on their
 * border is either's. */
static const double tolerances[STYLE_COUNT] = {0.0003, 0.004, 0.002};

struct test {
    struct vkb_instance instance;
    struct vkb_device_info info;
    struct vkb_device device;
    struct renderer_measure measure;
    struct renderer_params params;
    struct renderer *raster, *compute;
    uint32_t state; /* of the random numbers */
    int failed;
};

static void say(struct test *test, bool ok, const char *name, const char *detail)
{
    (void) printf("%s %s%s%s\n", ok ? "ok" : "not ok", name, detail[0] ? ": " : "", detail);
    test->failed += !ok;
}

/* 0 to 1, without 1. */
static float draw(struct test *test)
{
    test->state = test->state * 1664525U + 1013904223U;
    return (float) (test->state >> 8) / (float) (1U << 24);
}

static bool open_device(struct test *test, struct error *error)
{
    struct vkb_instance_params instance = {
        .application_name = "test_renderers",
        .validation = true,
        .message = messages_from_vulkan,
    };
    struct error no_layer = {0};
    if (!vkb_instance_create(&instance, &test->instance, &no_layer)) {
        (void) printf("# without validation: %s\n", no_layer.text);
        instance.validation = false;
        if (!vkb_instance_create(&instance, &test->instance, error))
            return false;
    }
    return best_device_open(&test->instance, true, &test->info, &test->device, error);
}

static void destroy_grid(struct test *test)
{
    renderer_destroy(test->raster);
    renderer_destroy(test->compute);
    test->raster = test->compute = NULL;
    renderer_measure_destroy(&test->measure);
}

static bool create_grid(struct test *test, uint32_t width, uint32_t height, bool images,
                        struct error *error)
{
    const struct renderer_measure_params measure = {
        .device = &test->device,
        .width = width,
        .height = height,
        .images = images,
    };
    test->params = (struct renderer_params){
        .device = &test->device,
        .ring = &test->measure.ring,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .format = VK_FORMAT_B8G8R8A8_SRGB,
    };
    return renderer_measure_create(&measure, &test->measure, error) &&
           renderer_raster_create(&test->params, &test->raster, error) &&
           renderer_compute_create(&test->params, &test->compute, error);
}

static bool picture(struct test *test, struct renderer *renderer, enum options_style style,
                    const struct camera *camera, VkExtent2D extent, struct image *image,
                    struct error *error)
{
    const struct camera_view view = camera_view(camera, extent.width, extent.height);
    return renderer->ops->set_style(renderer, style, error) &&
           renderer_measure_target(&test->measure, renderer, extent, error) &&
           renderer_measure_draw(&test->measure, renderer, &view, 1, &(double){0.0}, error) &&
           read_picture(&test->measure, image, error);
}

/* The first pixel is background in all of these pictures, or none is. */
static bool is_background(const struct image *image, const uint8_t background[4], int x, int y)
{
    if (x < 0 || y < 0 || x >= (int) image->width || y >= (int) image->height)
        return false;
    return memcmp(image->pixels + 4 * ((size_t) y * image->width + (size_t) x), background, 4) == 0;
}

/* Holes: pixels that are background in `image`, but in `reference` neither they
 * nor a neighbour are, nor have a colour next to it. */
static unsigned count_holes(const struct image *image, const struct image *reference,
                            const uint8_t background[4])
{
    unsigned holes = 0;
    for (int y = 0; y < (int) image->height; y++) {
        for (int x = 0; x < (int) image->width; x++) {
            const size_t at = 4 * ((size_t) y * image->width + (size_t) x);
            bool covered = false;
            bool near_outline = false;
            for (size_t i = 0; i < 3; i++)
                covered |= abs(reference->pixels[at + i] - background[i]) > 2;
            if (!covered || !is_background(image, background, x, y))
                continue;
            for (int i = 0; i < 9 && !near_outline; i++)
                near_outline = is_background(reference, background, x + i % 3 - 1, y + i / 3 - 1);
            holes += !near_outline;
        }
    }
    return holes;
}

/* For a look at what failed. */
static void keep(const struct image *image, const char *name)
{
    struct error quiet = {0};
    if (getenv("TEST_RENDERERS_KEEP"))
        (void) png_file_write(name, image->width, image->height, PIXELS_RGBA, image->pixels,
                              &quiet);
}

/* Both renderers' pictures of one view. */
static bool compare_view(struct test *test, enum options_style style, const struct camera *camera,
                         VkExtent2D extent, const char *name, struct error *error)
{
    static const uint8_t background[4] = {11, 17, 29, 255};
    struct image raster = {0};
    struct image compute = {0};
    char detail[200];
    const bool ok = picture(test, test->raster, style, camera, extent, &raster, error) &&
                    picture(test, test->compute, style, camera, extent, &compute, error);
    if (ok) {
        const struct comparison comparison = compare_images(&compute, &raster, 2);
        const unsigned holes =
            style == STYLE_SURFACE ? count_holes(&compute, &raster, background) : 0;
        const unsigned spurs =
            style == STYLE_SURFACE ? count_holes(&raster, &compute, background) : 0;
        const double tolerance = tolerances[style];
        const bool fine = comparison.ratio <= tolerance && holes + spurs == 0;
        (void) snprintf(detail, sizeof detail,
                        "ratio %.6f of %.4f, worst %u at %u, %u; %u holes, %u spurs",
                        comparison.ratio, tolerance, comparison.worst, comparison.worst_x,
                        comparison.worst_y, holes, spurs);
        say(test, fine, name, detail);
        if (!fine) {
            keep(&raster, "raster.png");
            keep(&compute, "compute.png");
        }
    }
    image_destroy(&raster);
    image_destroy(&compute);
    return ok;
}

static bool test_views(struct test *test, struct error *error)
{
    static const uint32_t grids[][2] = {{256, 256}, {257, 131}, {2, 2}, {4096, 3}, {3, 4096},
                                        {17, 5},    {1, 1},     {1, 9}, {9, 1}};
    static const struct {
        const char *name;
        struct camera camera; /* angles in radians */
    } views[] = {
        {"the default", {0.995F, 0.576F, 4.55F}}, {"from above", {0.3F, 1.55F, 4.0F}},
        {"from below", {2.0F, -0.8F, 4.0F}},      {"along the plane", {4.0F, 0.02F, 3.0F}},
        {"close up", {1.0F, 0.3F, 0.4F}},         {"from within", {5.0F, 0.1F, 0.05F}},
    };
    const VkExtent2D extent = {161, 101};
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        if (!create_grid(test, grids[g][0], grids[g][1], g % 2 == 1, error))
            return false;
        for (int style = 0; style < STYLE_COUNT; style++) {
            for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
                char name[100];
                (void) snprintf(name, sizeof name, "%ux%u %s %s", grids[g][0], grids[g][1],
                                style_names[style], views[v].name);
                if (!compare_view(test, (enum options_style) style, &views[v].camera, extent, name,
                                  error))
                    return false;
            }
        }
        destroy_grid(test);
    }
    return true;
}

/* Many pictures of a kind, taken together, where each pixel counts. */
static const struct crowd {
    const char *name;
    uint32_t side; /* vertices */
    enum options_style style;
    VkExtent2D extent;
    float elevation;   /* at most, either way */
    float least, most; /* distance */
    int views;
    double limit; /* share of pixels off */
} crowds[] = {
    /* A few pixels of what is large. */
    {"parts of triangles", 3, STYLE_SURFACE, {8, 4}, 1.55F, 0.02F, 1.0F, 200, 0.0005},
    {"parts of lines", 3, STYLE_WIREFRAME, {8, 4}, 1.55F, 0.02F, 1.0F, 200, 0.004},
    /* Corners 10,000 pixels away. */
    {"far out", 3, STYLE_SURFACE, {435, 300}, 1.55F, 0.02F, 0.5F, 20, 0.0001},
    {"far out, lines", 3, STYLE_WIREFRAME, {435, 300}, 1.55F, 0.02F, 0.5F, 20, 0.0005},
    /* Triangles that hide others at depths between those of their own corners. */
    {"depths, small", 7, STYLE_SURFACE, {16, 10}, 0.3F, 1.5F, 5.0F, 100, 0.0003},
    {"depths, large", 5, STYLE_SURFACE, {81, 51}, 0.3F, 1.0F, 5.0F, 20, 0.0001},
    {"depths, lines", 9, STYLE_WIREFRAME, {16, 10}, 0.3F, 1.5F, 5.0F, 100, 0.0045},
};

static bool compare_crowd(struct test *test, const struct crowd *crowd, struct error *error)
{
    double off = 0.0;
    bool ok = create_grid(test, crowd->side, crowd->side, false, error);
    for (int i = 0; ok && i < crowd->views; i++) {
        const struct camera camera = {draw(test) * 6.28F,
                                      (2.0F * draw(test) - 1.0F) * crowd->elevation,
                                      crowd->least + draw(test) * (crowd->most - crowd->least)};
        struct image raster = {0};
        struct image compute = {0};
        ok = picture(test, test->raster, crowd->style, &camera, crowd->extent, &raster, error) &&
             picture(test, test->compute, crowd->style, &camera, crowd->extent, &compute, error);
        if (ok)
            off += compare_images(&compute, &raster, 2).ratio / crowd->views;
        image_destroy(&raster);
        image_destroy(&compute);
    }
    if (ok) {
        char detail[100];
        (void) snprintf(detail, sizeof detail, "ratio %.6f of %.4f", off, crowd->limit);
        say(test, off <= crowd->limit, crowd->name, detail);
    }
    destroy_grid(test);
    return ok;
}

static bool test_crowds(struct test *test, struct error *error)
{
    for (size_t i = 0; i < sizeof crowds / sizeof *crowds; i++) {
        if (!compare_crowd(test, &crowds[i], error))
            return false;
    }
    return true;
}

/* No holes, from anywhere. */
static bool test_cracks(struct test *test, struct error *error)
{
    const VkExtent2D extent = {128, 80};
    for (int round = 0; round < 10; round++) {
        const uint32_t width = 2 + (uint32_t) (draw(test) * draw(test) * 400.0F);
        const uint32_t height = 2 + (uint32_t) (draw(test) * draw(test) * 400.0F);
        if (!create_grid(test, width, height, false, error))
            return false;
        for (int i = 0; i < 5; i++) {
            const struct camera camera = {draw(test) * 6.28F, draw(test) * 3.1F - 1.55F,
                                          0.1F + draw(test) * draw(test) * 6.0F};
            char name[100];
            (void) snprintf(name, sizeof name, "cracks %ux%u from %.3f, %.3f, %.3f", width, height,
                            (double) camera.azimuth, (double) camera.elevation,
                            (double) camera.distance);
            if (!compare_view(test, STYLE_SURFACE, &camera, extent, name, error))
                return false;
        }
        destroy_grid(test);
    }
    return true;
}

static bool same_bytes(const struct image *a, const struct image *b)
{
    return memcmp(a->pixels, b->pixels, 4 * (size_t) a->width * a->height) == 0;
}

/* However the work is divided, the picture is the same to the byte. */
static bool test_tunings(struct test *test, struct error *error)
{
    static const struct renderer_compute_tuning tunings[] = {
        {32, 2, 2, 1, 1, 1, 8, 8},      {64, 16, 5, 0, 0, 3, 16, 2}, {128, 32, 9, 16, 1, 7, 1, 64},
        {64, 5, 16, 4096, 1, 2, 32, 4}, {96, 7, 3, 8, 0, 1, 7, 3},
    };
    static const struct camera cameras[] = {{0.995F, 0.576F, 4.55F}, {1.0F, 0.3F, 0.4F}};
    const VkExtent2D extent = {161, 101};
    if (!create_grid(test, 61, 47, false, error))
        return false;
    for (int style = 0; style < STYLE_COUNT; style++) {
        for (size_t c = 0; c < 2; c++) {
            struct image expected = {0};
            bool ok = picture(test, test->compute, (enum options_style) style, &cameras[c], extent,
                              &expected, error);
            for (size_t t = 0; ok && t < sizeof tunings / sizeof *tunings; t++) {
                struct renderer *renderer = NULL;
                struct image image = {0};
                char name[100];
                ok = renderer_compute_create_tuned(&test->params, &tunings[t], &renderer, error) &&
                     picture(test, renderer, (enum options_style) style, &cameras[c], extent,
                             &image, error);
                (void) snprintf(name, sizeof name, "division %zu, %s, view %zu", t,
                                style_names[style], c);
                if (ok)
                    say(test, same_bytes(&image, &expected), name, "");
                image_destroy(&image);
                renderer_destroy(renderer);
            }
            image_destroy(&expected);
            if (!ok)
                return false;
        }
    }
    destroy_grid(test);
    return true;
}

/* A target that is copied to gets the same bytes; frames in a row leave nothing
 * behind. */
static bool test_targets(struct test *test, struct error *error)
{
    const struct camera camera = camera_default();
    const struct camera other = {2.5F, 0.9F, 3.0F};
    const VkExtent2D extent = {161, 101};
    const struct camera_view view = camera_view(&camera, extent.width, extent.height);
    const struct camera_view other_view = camera_view(&other, extent.width, extent.height);
    const VkFormat formats[] = {VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_R8G8B8A8_SRGB};
    struct image expected = {0};
    bool ok = create_grid(test, 64, 64, false, error) &&
              picture(test, test->compute, STYLE_SURFACE, &camera, extent, &expected, error);
    for (int i = 0; ok && i < 2; i++) {
        struct vkb_offscreen *offscreen = &test->measure.offscreen;
        struct image image = {0};
        double us = 0.0;
        const struct vkb_offscreen_params params = {VKB_TARGET_COPY, formats[i], extent, 1};
        vkb_offscreen_destroy(&test->device, offscreen);
        ok = vkb_offscreen_create(&test->device, &params, offscreen, error) &&
             test->compute->ops->set_target(test->compute, &offscreen->target, error) &&
             renderer_measure_draw(&test->measure, test->compute, &other_view, 2, &us, error) &&
             renderer_measure_draw(&test->measure, test->compute, &view, 2, &us, error) &&
             read_picture(&test->measure, &image, error);
        if (ok)
            say(test, same_bytes(&image, &expected),
                i == 0 ? "a copy to B8G8R8A8" : "a copy to R8G8B8A8", "");
        image_destroy(&image);
    }
    image_destroy(&expected);
    destroy_grid(test);
    return ok;
}

/* Where a submission waits for *ready*: at the stage whose shader reads heights
 * (surface.vert, visibility.comp). With a later one the frame drawn may be the one
 * before in the slot, on a device that steps meanwhile. */
static bool test_stages(struct test *test, struct error *error)
{
    for (int images = 0; images < 2; images++) {
        if (!create_grid(test, 17, 5, images, error))
            return false;
        say(test, test->raster->height_stages == VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT,
            images ? "raster waits to read images" : "raster waits to read buffers", "");
        say(test, test->compute->height_stages == VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
            images ? "compute waits to read images" : "compute waits to read buffers", "");
        destroy_grid(test);
    }
    return true;
}

int main(int argc, char **argv)
{
    struct test test = {.state = argc > 1 ? (uint32_t) strtoul(argv[1], NULL, 10) : 1};
    struct error error = {0};
    bool ok = open_device(&test, &error);
    if (ok)
        ok = test_stages(&test, &error) && test_crowds(&test, &error) &&
             test_views(&test, &error) && test_cracks(&test, &error) &&
             test_tunings(&test, &error) && test_targets(&test, &error);
    if (!ok)
        message_error(&error);
    destroy_grid(&test);
    vkb_device_destroy(&test.device);
    vkb_instance_destroy(&test.instance);
    const unsigned messages = messages_validation_count();
    (void) printf("# %d failed, %u validation messages\n", test.failed, messages);
    if (!ok)
        return error.kind == ERROR_UNAVAILABLE ? 77 : (int) error.kind;
    return test.failed || messages ? 1 : 0;
}
