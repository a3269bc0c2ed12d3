/* The spread of a grid over threads, CUDA's and Vulkan's, walked through on the
 * CPU: each vertex is written exactly once, none outside, wide stores are
 * aligned. And the tables that threads read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "app/stepper_vulkan.h"
#include "kernels/wave_layout.h"
#include "kernels/wave_plan.h"

struct walk {
    uint32_t width, height;
    uint64_t base; /* address of the height map, in floats */
    unsigned char *written;
    uint64_t bad; /* stores outside, twice, to another row's vertex or not aligned */
};

/* `count` vertices from `place` on, place counted through the map. */
static void store(struct walk *walk, uint64_t place, uint32_t count, bool wide)
{
    if (wide && (walk->base + place) % WAVE_CHUNK != 0)
        walk->bad++;
    for (uint64_t i = place; i < place + count; i++) {
        if (i >= (uint64_t) walk->width * walk->height || walk->written[i]++)
            walk->bad++;
    }
}

/* What the kernel for buffers does for one thread. */
static void run_buffer_thread(struct walk *walk, uint32_t rows, uint32_t thread_x, uint32_t lane)
{
    const uint32_t width = walk->width;
    const uint32_t height = walk->height;
    const uint32_t y = wave_first_row(lane, rows);
    const uint32_t shift = wave_first_column((uint32_t) walk->base + y * width);
    const uint32_t x = thread_x * WAVE_CHUNK + shift;
    if (x >= width || y >= height)
        return;
    for (uint32_t row = y; row < y + rows * WAVE_CHUNK && row < height; row += WAVE_CHUNK) {
        const uint64_t place = (uint64_t) row * width + x;
        if (x + WAVE_CHUNK <= width || row + 1 < height)
            store(walk, place, WAVE_CHUNK, true);
        else
            store(walk, place, width - x, false);
    }
    if (y == 0 && x == shift)
        store(walk, 0, shift, false);
}

static void run_image_thread(struct walk *walk, uint32_t rows, uint32_t thread_x, uint32_t lane)
{
    const uint32_t y = wave_first_row(lane, rows);
    const uint32_t x = thread_x * WAVE_CHUNK;
    if (x >= walk->width)
        return;
    const uint32_t count = walk->width - x < WAVE_CHUNK ? walk->width - x : WAVE_CHUNK;
    for (uint32_t row = y; row < y + rows * WAVE_CHUNK && row < walk->height; row += WAVE_CHUNK)
        store(walk, (uint64_t) row * walk->width + x, count, false);
}

static void check_plan(uint32_t width, uint32_t height, uint64_t base, bool image,
                       const struct wave_plan plan, uint32_t rows)
{
    const bool narrow = !image && width < WAVE_CHUNK;
    struct walk walk = {.width = width, .height = height, .base = base};
    const size_t count = (size_t) width * height;
    walk.written = calloc(count, 1);
    assert_non_null(walk.written);

    assert_in_range(plan.grid_y, 1, WAVE_GRID_Y_MAX);
    for (uint32_t lane = 0; lane < plan.grid_y * plan.block_y; lane++) {
        for (uint32_t x = 0; x < plan.grid_x * plan.block_x; x++) {
            if (image)
                run_image_thread(&walk, rows, x, lane);
            else if (!narrow)
                run_buffer_thread(&walk, rows, x, lane);
            else if (x < count)
                store(&walk, x, 1, false);
        }
    }
    uint64_t missing = 0;
    for (size_t i = 0; i < count; i++)
        missing += walk.written[i] == 0;
    free(walk.written);
    assert_int_equal(walk.bad, 0);
    assert_int_equal(missing, 0);
}

static void check_grid(uint32_t width, uint32_t height, uint64_t base, bool image,
                       struct wave_tuning tuning)
{
    const bool narrow = !image && width < WAVE_CHUNK;
    const struct wave_plan plan = narrow ? wave_plan_narrow(width, height, tuning)
                                         : wave_plan_make(width, height, image, tuning);
    assert_int_equal(plan.block_x * plan.block_y, tuning.threads);
    check_plan(width, height, base, image, plan, tuning.rows);
}

static const struct {
    uint32_t width, height;
} sizes[] = {{256, 256}, {257, 131}, {1, 1},     {4096, 3},   {3, 4096},   {1, 4096},  {4097, 5},
             {2, 9},     {5, 7},     {1000, 77}, {65536, 2},  {1, 65536},  {7, 65536}, {1023, 1025},
             {6, 1},     {3, 3},     {4, 4},     {2048, 333}, {16383, 37}, {33, 2000}};

enum { H200 = 132 * 2048 };
#define MIB (UINT64_C(1) << 20)

/* From a tiny device to the largest. */
static const uint32_t residents[] = {1, 2048, 32 * 1536, H200};

static void covers_buffers(void **state)
{
    (void) state;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        for (size_t r = 0; r < sizeof residents / sizeof residents[0]; r++) {
            for (uint64_t base = 0; base < 4; base++)
                check_grid(sizes[s].width, sizes[s].height, 1024 + base, false,
                           wave_tuning_default(sizes[s].width, sizes[s].height, 1, residents[r],
                                               50 * MIB));
        }
    }
}

static void covers_images(void **state)
{
    (void) state;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        for (size_t r = 0; r < sizeof residents / sizeof residents[0]; r++)
            check_grid(
                sizes[s].width, sizes[s].height, 0, true,
                wave_tuning_default(sizes[s].width, sizes[s].height, 1, residents[r], 50 * MIB));
    }
}

static void covers_with_every_tuning(void **state)
{
    (void) state;
    for (uint32_t threads = 32; threads <= 1024; threads *= 2) {
        for (uint32_t rows = 1; rows <= WAVE_ROWS_MAX; rows *= 2) {
            const struct wave_tuning tuning = {threads, rows, false};
            for (uint64_t base = 0; base < 4; base++) {
                check_grid(1024, 517, base, false, tuning);
                check_grid(1021, 517, base, false, tuning);
                check_grid(5, 2000, base, false, tuning);
                check_grid(3, 2000, base, false, tuning);
                check_grid(4, 65536, base, false, tuning);
                check_grid(65535, 3, base, false, tuning);
            }
        }
    }
}

/* Rows as wide as a block may not make more blocks than CUDA takes. */
static void has_no_more_blocks_than_allowed(void **state)
{
    (void) state;
    for (uint32_t threads = 32; threads <= 1024; threads *= 2) {
        for (uint32_t rows = 1; rows <= WAVE_ROWS_MAX; rows *= 2) {
            const struct wave_tuning tuning = {threads, rows, false};
            const struct wave_plan plan = wave_plan_make(65536, 65536, false, tuning);
            assert_in_range(plan.grid_y, 1, WAVE_GRID_Y_MAX);
            assert_int_equal(plan.block_x * plan.block_y, threads);
            assert_true((uint64_t) plan.grid_x * plan.block_x * WAVE_CHUNK >= 65536);
            assert_true((uint64_t) plan.grid_y * plan.block_y * rows >= 65536);
        }
    }
}

static void spreads_a_small_grid_over_the_device(void **state)
{
    (void) state;
    const struct wave_tuning tuning = wave_tuning_default(256, 256, 1, H200, 60 * MIB);
    assert_int_equal(tuning.rows, 1);
    assert_false(tuning.streaming);
    const struct wave_plan plan = wave_plan_make(256, 256, false, tuning);
    assert_int_equal(plan.block_x, 64);
    assert_int_equal((plan.grid_x * plan.grid_y) * tuning.threads, 256 * 64);
}

static void streams_what_the_cache_does_not_hold(void **state)
{
    (void) state;
    assert_false(wave_tuning_default(1024, 1024, 1, H200, 60 * MIB).streaming);
    assert_false(wave_tuning_default(1024, 1024, 7, H200, 60 * MIB).streaming);
    assert_true(wave_tuning_default(1024, 1024, 8, H200, 60 * MIB).streaming);
    assert_true(wave_tuning_default(4096, 4096, 1, H200, 60 * MIB).streaming);
    /* More bytes than 32 bits count. */
    assert_true(wave_tuning_default(65536, 65536, 8, H200, 60 * MIB).streaming);
}

/* The least that every Vulkan device takes, and a large one's limits. */
static const VkPhysicalDeviceLimits limits[] = {
    {
        .maxComputeWorkGroupCount = {65535, 65535, 65535},
        .maxComputeWorkGroupInvocations = 128,
        .maxComputeWorkGroupSize = {128, 128, 64},
    },
    {
        .maxComputeWorkGroupCount = {0x7fffffff, 65535, 65535},
        .maxComputeWorkGroupInvocations = 1024,
        .maxComputeWorkGroupSize = {1024, 1024, 64},
    },
};

static void covers_buffers_in_vulkan(void **state)
{
    (void) state;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        for (size_t l = 0; l < sizeof limits / sizeof limits[0]; l++) {
            const struct ring ring = {.width = sizes[s].width, .height = sizes[s].height};
            const struct stepper_vulkan_tuning tuning = stepper_vulkan_tuning(&limits[l], &ring);
            uint32_t groups[2] = {0};
            struct error error = {0};
            assert_true(stepper_vulkan_groups(&limits[l], &ring, &tuning, groups, &error));
            const struct wave_plan plan = {groups[0], groups[1], tuning.width, tuning.height};
            check_plan(ring.width, ring.height, 0, false, plan, tuning.rows);
        }
    }
}

/* There an invocation fills rows that lie together. */
static void covers_images_in_vulkan(void **state)
{
    (void) state;
    struct vkb_image image = {0};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        for (size_t l = 0; l < sizeof limits / sizeof limits[0]; l++) {
            const struct ring ring = {
                .width = sizes[s].width, .height = sizes[s].height, .images = &image};
            const struct stepper_vulkan_tuning tuning = stepper_vulkan_tuning(&limits[l], &ring);
            uint32_t groups[2] = {0};
            struct error error = {0};
            assert_true(stepper_vulkan_groups(&limits[l], &ring, &tuning, groups, &error));
            assert_in_range(ring.width, (groups[0] - 1) * tuning.width + 1,
                            groups[0] * tuning.width);
            const uint32_t rows = tuning.height * tuning.rows;
            assert_in_range(ring.height, (groups[1] - 1) * rows + 1, groups[1] * rows);
        }
    }
}

static void vulkan_keeps_within_limits(void **state)
{
    (void) state;
    const struct ring ring = {.width = 16, .height = 65536};
    const struct stepper_vulkan_tuning fits = {4, 2, 1};
    const struct stepper_vulkan_tuning too_many_groups = {128, 1, 1};
    const struct stepper_vulkan_tuning too_wide = {256, 1, 4};
    const struct stepper_vulkan_tuning too_high = {1, 256, 4};
    const struct stepper_vulkan_tuning too_large = {64, 4, 4};
    uint32_t groups[2] = {0};
    struct error error = {0};
    assert_true(stepper_vulkan_groups(&limits[0], &ring, &fits, groups, &error));
    assert_int_equal(groups[0], 1);
    assert_int_equal(groups[1], 32768);
    assert_false(stepper_vulkan_groups(&limits[0], &ring, &too_many_groups, groups, &error));
    assert_int_equal(error.kind, ERROR_UNAVAILABLE);
    assert_false(stepper_vulkan_groups(&limits[0], &ring, &too_wide, groups, &error));
    assert_false(stepper_vulkan_groups(&limits[0], &ring, &too_high, groups, &error));
    assert_false(stepper_vulkan_groups(&limits[0], &ring, &too_large, groups, &error));
    assert_true(stepper_vulkan_groups(&limits[1], &ring, &too_large, groups, &error));
}

/* To the bit. */
static bool same_float(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void lays_out_tables(void **state)
{
    (void) state;
    for (uint32_t width = 1; width < 70; width++) {
        const uint32_t height = 71 - width;
        float values[4][71];
        for (uint32_t i = 0; i < 71; i++) {
            for (uint32_t table = 0; table < 4; table++)
                values[table][i] = (float) (100 * (table + 1) + i);
        }
        const struct wave_layout layout = wave_layout_make(width, height);
        const size_t floats = layout.bytes / sizeof(float);
        float *block = malloc(layout.bytes);
        assert_non_null(block);
        for (size_t i = 0; i < floats; i++)
            block[i] = -1.0F;
        wave_layout_fill(&layout, values[0], values[1], values[2], values[3], block);

        assert_int_equal(layout.stride % 64, 0);
        assert_true(layout.stride >= width + WAVE_CHUNK - 1);
        assert_true(floats >= 8 * (size_t) layout.stride + 2 * ((size_t) height + 16));
        for (uint32_t x = 0; x < width + WAVE_CHUNK - 1; x++) {
            for (uint32_t shift = 0; shift <= x && shift < WAVE_CHUNK; shift++) {
                const float *pair = block + 2 * (size_t) shift * layout.stride + (x - shift);
                assert_true(same_float(pair[0], values[0][x % width]));
                assert_true(same_float(pair[layout.stride], values[1][x % width]));
            }
        }
        const float *rows = block + 8 * (size_t) layout.stride;
        for (size_t y = 0; y < height; y++) {
            assert_true(same_float(rows[2 * y], values[2][y]));
            assert_true(same_float(rows[2 * y + 1], values[3][y]));
        }
        for (size_t i = 0; i < floats; i++)
            assert_true(block[i] >= 0.0F);
        free(block);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covers_buffers),
        cmocka_unit_test(covers_images),
        cmocka_unit_test(covers_with_every_tuning),
        cmocka_unit_test(covers_buffers_in_vulkan),
        cmocka_unit_test(covers_images_in_vulkan),
        cmocka_unit_test(vulkan_keeps_within_limits),
        cmocka_unit_test(has_no_more_blocks_than_allowed),
        cmocka_unit_test(spreads_a_small_grid_over_the_device),
        cmocka_unit_test(streams_what_the_cache_does_not_hold),
        cmocka_unit_test(lays_out_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
