/* The spread of a grid over CUDA threads, walked through on the CPU: each
 * vertex is written exactly once, none outside, wide stores are aligned. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wave_plan.h"

struct walk {
    uint32_t width, height;
    uint64_t base; /* address of the height map, in floats */
    bool tiled;    /* an image: only columns have an alignment */
    unsigned char *written;
    uint64_t bad; /* stores outside, twice or not aligned */
};

static void store(struct walk *walk, int64_t x, uint32_t y, bool wide)
{
    const uint64_t row = (uint64_t) y * walk->width;
    const uint64_t address = (walk->tiled ? 0 : walk->base + row) + (uint64_t) x;
    if (wide && address % WAVE_CHUNK != 0)
        walk->bad++;
    for (int64_t i = x; i < x + WAVE_CHUNK; i++) {
        const bool inside = i >= 0 && i < walk->width;
        if (!inside && wide)
            walk->bad++;
        if (inside && walk->written[row + (uint64_t) i]++)
            walk->bad++;
    }
}

/* What the kernel does for one thread. */
static void run_thread(struct walk *walk, const struct wave_plan *plan, uint32_t thread_x,
                       uint32_t lane)
{
    uint32_t y = wave_first_row(plan, lane);
    const int32_t shift =
        walk->tiled ? 0 : wave_chunk_shift(walk->base + (uint64_t) y * walk->width);
    const int64_t x = (int64_t) thread_x * WAVE_CHUNK + shift;
    if (x >= walk->width)
        return;
    const bool wide = x >= 0 && x + WAVE_CHUNK <= walk->width;
    for (; y < walk->height; y += plan->round) {
        for (uint32_t i = 0; i < WAVE_UNROLL; i++) {
            if (y + i * plan->step < walk->height)
                store(walk, x, y + i * plan->step, wide);
        }
    }
}

static void check_grid(uint32_t width, uint32_t height, uint64_t base, uint32_t slots,
                       uint32_t resident, bool tiled, struct wave_tuning tuning)
{
    const bool aligned = tiled || (width % WAVE_CHUNK == 0 && base % WAVE_CHUNK == 0);
    const struct wave_plan plan =
        wave_plan_make(width, height, slots, resident, aligned, tiled, tuning);
    struct walk walk = {.width = width, .height = height, .base = base, .tiled = tiled};
    const size_t count = (size_t) width * height;
    walk.written = calloc(count, 1);
    assert_non_null(walk.written);

    assert_int_equal(plan.block_x * plan.block_y, tuning.threads);
    assert_true(plan.grid_y >= 1 && plan.grid_y <= 65535);
    for (uint32_t lane = 0; lane < plan.grid_y * plan.block_y; lane++) {
        for (uint32_t x = 0; x < plan.grid_x * plan.block_x; x++)
            run_thread(&walk, &plan, x, lane);
    }
    uint64_t missing = 0;
    for (size_t i = 0; i < count; i++)
        missing += walk.written[i] == 0;
    free(walk.written);
    assert_int_equal(walk.bad, 0);
    assert_int_equal(missing, 0);
}

static const struct {
    uint32_t width, height;
} sizes[] = {{256, 256}, {257, 131}, {1, 1},     {4096, 3},   {3, 4096},   {1, 4096},  {4097, 5},
             {2, 9},     {5, 7},     {1000, 77}, {65536, 2},  {1, 65536},  {7, 65536}, {1023, 1025},
             {6, 1},     {3, 3},     {4, 4},     {2048, 333}, {16383, 37}, {33, 2000}};

/* From a tiny device to the largest. */
static const uint32_t residents[] = {1, 2048, 32 * 1536, 132 * 2048};

static void covers_buffers(void **state)
{
    (void) state;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        for (size_t r = 0; r < sizeof residents / sizeof residents[0]; r++) {
            for (uint64_t base = 0; base < 4; base++)
                check_grid(sizes[s].width, sizes[s].height, 1024 + base, 1, residents[r], false,
                           wave_tuning_default());
        }
    }
}

static void covers_images(void **state)
{
    (void) state;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        check_grid(sizes[s].width, sizes[s].height, 0, 1, 132 * 2048, true, wave_tuning_default());
}

static void covers_batches(void **state)
{
    (void) state;
    for (uint32_t slots = 2; slots <= 32; slots += 5) {
        check_grid(256, 256, 0, slots, 132 * 2048, false, wave_tuning_default());
        check_grid(257, 131, 3, slots, 132 * 2048, false, wave_tuning_default());
        check_grid(1024, 1024, 0, slots, 132 * 2048, false, wave_tuning_default());
    }
}

static void covers_with_every_tuning(void **state)
{
    (void) state;
    for (uint32_t threads = 32; threads <= 1024; threads *= 2) {
        for (uint32_t rows = 1; rows <= 64; rows *= 4) {
            for (int banded = 0; banded < 2; banded++) {
                const struct wave_tuning tuning = {threads, rows, banded != 0};
                check_grid(1024, 517, 0, 1, 2048, false, tuning);
                check_grid(1021, 517, 1, 1, 2048, false, tuning);
                check_grid(5, 2000, 2, 1, 2048, false, tuning);
            }
        }
    }
}

static void spreads_a_small_grid_over_the_device(void **state)
{
    (void) state;
    const struct wave_plan plan =
        wave_plan_make(256, 256, 1, 132 * 2048, true, false, wave_tuning_default());
    assert_int_equal(plan.block_x, 64);
    assert_int_equal(plan.grid_x * plan.grid_y, 64);
    assert_true(plan.step >= 256); /* one row a thread */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covers_buffers),
        cmocka_unit_test(covers_images),
        cmocka_unit_test(covers_batches),
        cmocka_unit_test(covers_with_every_tuning),
        cmocka_unit_test(spreads_a_small_grid_over_the_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
