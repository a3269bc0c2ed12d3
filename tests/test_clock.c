/* The time that frames show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/clock.h"

#define TIME(clock, now) clock_next_frame(&(clock), (now))
#define SAME(a, b) assert_float_equal((a), (b), 1e-9)

static void a_stepped_clock_counts_frames(void **state)
{
    (void) state;
    const struct clock params = {.stepped = true, .start = 10.0, .step = 0.25, .first = 4};
    struct clock clock = clock_started(&params, 1000.0);
    SAME(TIME(clock, 1000.0), 11.0);
    SAME(TIME(clock, 5000.0), 11.25);
    clock_pause(&clock, true, 5001.0);
    SAME(TIME(clock, 5002.0), 11.25);
    SAME(TIME(clock, 5003.0), 11.25);
    clock_single_step(&clock, 5004.0);
    SAME(TIME(clock, 5004.0), 11.5);
    SAME(TIME(clock, 5004.0), 11.5);
    clock_pause(&clock, false, 9000.0);
    SAME(TIME(clock, 9000.0), 11.75);
}

static void a_stepped_clock_paused_at_once_shows_the_start(void **state)
{
    (void) state;
    const struct clock params = {.stepped = true, .start = 1.0, .step = 0.5};
    struct clock clock = clock_started(&params, 0.0);
    clock_pause(&clock, true, 0.0);
    SAME(TIME(clock, 1.0), 1.0);
    SAME(TIME(clock, 2.0), 1.0);
    clock_pause(&clock, false, 3.0);
    SAME(TIME(clock, 3.0), 1.5);
}

static void a_wall_clock_does_not_jump_after_a_pause(void **state)
{
    (void) state;
    const struct clock params = {.start = 100.0, .step = 1.0 / 60.0};
    struct clock clock = clock_started(&params, 50.0);
    SAME(TIME(clock, 50.0), 100.0);
    SAME(TIME(clock, 52.5), 102.5);
    clock_pause(&clock, true, 53.0);
    clock_pause(&clock, true, 60.0); /* already */
    SAME(TIME(clock, 70.0), 103.0);
    SAME(TIME(clock, 80.0), 103.0);
    clock_pause(&clock, false, 90.0);
    SAME(TIME(clock, 90.0), 103.0);
    SAME(TIME(clock, 91.0), 104.0);
}

static void a_single_step_pauses(void **state)
{
    (void) state;
    const struct clock params = {.step = 0.5};
    struct clock clock = clock_started(&params, 0.0);
    clock_single_step(&clock, 2.0);
    assert_true(clock.paused);
    SAME(TIME(clock, 10.0), 2.5);
    clock_single_step(&clock, 11.0);
    SAME(TIME(clock, 12.0), 3.0);
    clock_pause(&clock, false, 20.0);
    SAME(TIME(clock, 21.0), 4.0);
}

static void now_goes_on(void **state)
{
    (void) state;
    const double a = clock_now();
    assert_true(a > 0.0);
    assert_true(clock_now() >= a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stepped_clock_counts_frames),
        cmocka_unit_test(a_stepped_clock_paused_at_once_shows_the_start),
        cmocka_unit_test(a_wall_clock_does_not_jump_after_a_pause),
        cmocka_unit_test(a_single_step_pauses),
        cmocka_unit_test(now_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
