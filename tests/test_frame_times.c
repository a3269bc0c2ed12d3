/* What counts as a frame's time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "app/frame_times.h"

static const struct vkb_timestamps stamps = {.mask = UINT64_MAX, .period_ns = 1.0};

/* Every frame counts: a run of 1 has no warm-up. */
static struct stats *new_stats(void)
{
    struct stats *stats = test_calloc(1, sizeof *stats);
    stats_init(stats, true, 1);
    return stats;
}

static void check(const struct stats *stats, enum stats_stage stage, uint64_t count, double least,
                  double greatest)
{
    const struct histogram *histogram = &stats->stages[stage];
    assert_int_equal(histogram->count, count);
    assert_true(fabs(histogram->least - least) < 1e-3);
    assert_true(fabs(histogram->greatest - greatest) < 1e-3);
}

static void a_frame_is_work_and_waits(void **state)
{
    (void) state;
    struct stats *stats = new_stats();
    struct frame_times times = {0};
    frame_times_wait(&times, 7.0);
    frame_times_submit(&times, stats, 0, 1000.0);
    check(stats, STATS_FRAME, 0, 0.0, 0.0);
    frame_times_wait(&times, 0.25);
    frame_times_wait(&times, 0.125);
    frame_times_submit(&times, stats, 1, 1000.5);
    check(stats, STATS_FRAME, 1, 5e5, 5e5);
    check(stats, STATS_PACING, 1, 3.75e5, 3.75e5);
    check(stats, STATS_HOST, 1, 1.25e5, 1.25e5);
    frame_times_submit(&times, stats, 2, 1000.75);
    check(stats, STATS_FRAME, 2, 2.5e5, 5e5);
    check(stats, STATS_PACING, 2, 0.0, 3.75e5);
    assert_int_equal(stats->frames, 3);
    test_free(stats);
}

static void an_interruption_is_no_frame(void **state)
{
    (void) state;
    struct stats *stats = new_stats();
    struct frame_times times = {0};
    frame_times_submit(&times, stats, 0, 1.0);
    frame_times_submit(&times, stats, 1, 1.5);
    frame_times_wait(&times, 1.0);
    frame_times_interrupt(&times);
    frame_times_wait(&times, 1.0);
    frame_times_submit(&times, stats, 2, 61.5);
    frame_times_submit(&times, stats, 3, 62.0);
    check(stats, STATS_FRAME, 2, 5e5, 5e5);
    check(stats, STATS_HOST, 2, 5e5, 5e5);
    check(stats, STATS_PACING, 2, 0.0, 0.0);
    assert_int_equal(stats->frames, 4);
    test_free(stats);
}

/* Frames are submitted ahead of what is known of the device. */
static void the_device_rests_in_an_interruption(void **state)
{
    (void) state;
    struct stats *stats = new_stats();
    struct frame_times times = {0};
    frame_times_submit(&times, stats, 0, 1.0);
    frame_times_submit(&times, stats, 1, 1.5);
    frame_times_draw(&times, stats, &stamps, 0, 10000, 30000, true);
    frame_times_interrupt(&times);
    frame_times_submit(&times, stats, 2, 61.5);
    frame_times_draw(&times, stats, &stamps, 1, 32000, 50000, true);
    frame_times_submit(&times, stats, 3, 62.0);
    frame_times_draw(&times, stats, &stamps, 2, 60000000000, 60000010000, true);
    frame_times_draw(&times, stats, &stamps, 3, 60000014000, 60000030000, true);
    check(stats, STATS_DRAW, 4, 10.0, 20.0);
    check(stats, STATS_HANDOFF_WAIT, 2, 2.0, 4.0);
    test_free(stats);
}

static void a_frame_that_does_not_wait_has_no_wait(void **state)
{
    (void) state;
    struct stats *stats = new_stats();
    struct frame_times times = {0};
    for (uint64_t frame = 0; frame < 6; frame++) {
        frame_times_submit(&times, stats, frame, 1.0 + (double) frame);
        frame_times_draw(&times, stats, &stamps, frame, 10000 * frame, 10000 * frame + 4000,
                         frame % 3 == 0);
    }
    check(stats, STATS_DRAW, 6, 4.0, 4.0);
    check(stats, STATS_HANDOFF_WAIT, 1, 6.0, 6.0);
    test_free(stats);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_is_work_and_waits),
        cmocka_unit_test(an_interruption_is_no_frame),
        cmocka_unit_test(the_device_rests_in_an_interruption),
        cmocka_unit_test(a_frame_that_does_not_wait_has_no_wait),
    };
    return cmocka_run_group_tests_name("frame_times", tests, NULL, NULL);
}
