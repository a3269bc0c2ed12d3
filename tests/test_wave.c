/* The wave's tables, phase and heights. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "app/wave.h"

static const double amplitude = 0.5;
static const double frequency = 4.0;

static struct wave_tables make(uint32_t width, uint32_t height)
{
    struct wave_tables tables;
    struct error error = {0};
    assert_true(wave_tables_create(width, height, &tables, &error));
    return tables;
}

static void within(double value, double expected, double bound)
{
    if (!(fabs(value - expected) <= bound))
        fail_msg("%.17g is more than %g from %.17g", value, bound, expected);
}

static void tables_hold_sines(void **state)
{
    struct wave_tables tables = make(5, 3);
    (void) state;
    assert_int_equal(tables.width, 5);
    assert_int_equal(tables.height, 3);
    for (uint32_t x = 0; x < 5; x++) {
        const double u = 2.0 * x / 5.0 - 1.0;
        within((double) tables.column_sin[x], sin(frequency * u), 1e-7);
        within((double) tables.column_cos[x], cos(frequency * u), 1e-7);
    }
    for (uint32_t y = 0; y < 3; y++) {
        const double v = 2.0 * y / 3.0 - 1.0;
        within((double) tables.row_sin[y], sin(frequency * v), 1e-7);
        within((double) tables.row_cos[y], cos(frequency * v), 1e-7);
    }
    wave_tables_destroy(&tables);
    assert_null(tables.column_sin);
    wave_tables_destroy(&tables);
}

static void phases(void **state)
{
    (void) state;
    within((double) wave_phase(0.0).sin_t, 0.0, 0.0);
    within((double) wave_phase(0.0).cos_t, 1.0, 0.0);
    /* sin and cos of 10^6, from a table. */
    within((double) wave_phase(1e6).sin_t, -0.34999350217129294, 6e-8);
    within((double) wave_phase(1e6).cos_t, 0.93675212753314474, 6e-8);
    /* As smooth at 10^6 as at 0: steps of a microsecond are seen. */
    const double step = (double) wave_phase(1e6 + 1e-6).sin_t - (double) wave_phase(1e6).sin_t;
    within(step, 1e-6 * 0.93675212753314474, 7e-8);
}

/* By hand, from the formula. */
static void known_heights(void **state)
{
    (void) state;
    within(wave_height_exact(256, 256, 128, 128, 0.0), 0.0, 1e-15);
    within(wave_height_exact(256, 256, 128, 128, 1.0), amplitude * sin(1.0) * cos(1.0), 1e-15);
    within(wave_height_exact(256, 256, 192, 128, 0.0), amplitude * sin(2.0), 1e-15);
    within(wave_height_exact(256, 256, 128, 192, 1.0), amplitude * sin(1.0) * cos(3.0), 1e-15);
    within(wave_height_exact(1, 1, 0, 0, 0.0), amplitude * sin(-4.0) * cos(-4.0), 1e-15);
    within(wave_height_exact(4, 8, 1, 6, 1e6), amplitude * sin(1e6 - 2.0) * cos(1e6 + 2.0), 1e-15);
}

/* The order of roundings, worked out by another program: contraction, another
 * order or tables in another precision change these. */
static void heights_to_the_bit(void **state)
{
    static const struct {
        uint32_t width, height, column, row;
        double time;
        uint32_t bits;
    } known[] = {
        {256, 256, 0, 0, 0.0, 0xbe7d4695},    {256, 256, 255, 17, 1.0, 0x3ec1a9a7},
        {257, 131, 100, 99, 1e6, 0x3d635285}, {1, 1, 0, 0, 2.5, 0xbd1081c0},
        {4096, 3, 4095, 2, 0.1, 0xbd655312},  {3, 4096, 1, 1234, -7.25, 0x3e9f2458},
    };
    (void) state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct wave_tables tables = make(known[i].width, known[i].height);
        const float height =
            wave_height(&tables, wave_phase(known[i].time), known[i].column, known[i].row);
        uint32_t bits = 0;
        memcpy(&bits, &height, sizeof bits);
        assert_int_equal(bits, known[i].bits);
        wave_tables_destroy(&tables);
    }
}

static void heights_are_near_the_formula(void **state)
{
    static const uint32_t sizes[][2] = {{256, 256}, {257, 131}, {1, 1}, {4096, 3}, {3, 4096}};
    static const double times[] = {0.0, 1.0, 1e6, -3.5};
    (void) state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const uint32_t width = sizes[s][0];
        const uint32_t height = sizes[s][1];
        struct wave_tables tables = make(width, height);
        for (size_t t = 0; t < sizeof times / sizeof *times; t++) {
            const struct wave_phase phase = wave_phase(times[t]);
            for (uint32_t y = 0; y < height; y++) {
                for (uint32_t x = 0; x < width; x++)
                    within((double) wave_height(&tables, phase, x, y),
                           wave_height_exact(width, height, x, y, times[t]), 1e-6);
            }
        }
        wave_tables_destroy(&tables);
    }
}

static void the_largest_grid_has_tables(void **state)
{
    struct wave_tables tables = make(65536, 65536);
    (void) state;
    within((double) tables.column_sin[65535], sin(frequency * (1.0 - 2.0 / 65536.0)), 1e-7);
    within((double) tables.row_cos[65535], cos(frequency * (1.0 - 2.0 / 65536.0)), 1e-7);
    wave_tables_destroy(&tables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_hold_sines),
        cmocka_unit_test(phases),
        cmocka_unit_test(known_heights),
        cmocka_unit_test(heights_to_the_bit),
        cmocka_unit_test(heights_are_near_the_formula),
        cmocka_unit_test(the_largest_grid_has_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
