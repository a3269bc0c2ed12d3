/* When a wait for the device is given up, and what is blamed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/watch.h"

enum { LIMIT_S = 60 };

/* Looks once a second; the first verdict but to go on, or that after `seconds`. */
static enum watch_verdict look(struct watch *watch, uint32_t seconds, uint64_t finished,
                               enum watch_signal signal)
{
    enum watch_verdict verdict = WATCH_GO_ON;
    for (uint32_t i = 0; i < seconds && verdict == WATCH_GO_ON; i++)
        verdict = watch_look(watch, 1, finished, signal);
    return verdict;
}

/* Four frames of 40 s each. */
static void a_slow_device_is_waited_for(void **state)
{
    (void) state;
    struct watch watch = watch_begin(LIMIT_S, 7);
    for (uint64_t frame = 7; frame < 11; frame++)
        assert_int_equal(look(&watch, 40, frame, WATCH_SIGNAL_FINE), WATCH_GO_ON);
}

static void a_device_that_hangs_is_not(void **state)
{
    (void) state;
    struct watch watch = watch_begin(LIMIT_S, 7);
    assert_int_equal(look(&watch, LIMIT_S - 1, 7, WATCH_SIGNAL_FINE), WATCH_GO_ON);
    assert_int_equal(watch_look(&watch, 1, 7, WATCH_SIGNAL_FINE), WATCH_WORK_LATE);
    assert_int_equal(watch.waited_s, LIMIT_S);
    /* Nor after some frames; the second in which one was finished is the next one's. */
    watch = watch_begin(LIMIT_S, 7);
    assert_int_equal(look(&watch, 50, 7, WATCH_SIGNAL_FINE), WATCH_GO_ON);
    assert_int_equal(look(&watch, LIMIT_S, 8, WATCH_SIGNAL_FINE), WATCH_GO_ON);
    assert_int_equal(watch_look(&watch, 1, 8, WATCH_SIGNAL_FINE), WATCH_WORK_LATE);
}

static void a_missing_signal_is_blamed_soon(void **state)
{
    (void) state;
    struct watch watch = watch_begin(LIMIT_S, 0);
    assert_int_equal(look(&watch, 20, 0, WATCH_SIGNAL_FINE), WATCH_GO_ON);
    assert_int_equal(look(&watch, WATCH_SIGNAL_S - 1, 0, WATCH_SIGNAL_MISSING), WATCH_GO_ON);
    assert_int_equal(watch_look(&watch, 1, 0, WATCH_SIGNAL_MISSING), WATCH_SIGNAL_LOST);
}

/* It is missing for a moment between the end of the work and the signal behind. */
static void a_signal_that_comes_late_is_not_blamed(void **state)
{
    (void) state;
    struct watch watch = watch_begin(LIMIT_S, 0);
    assert_int_equal(look(&watch, WATCH_SIGNAL_S - 1, 0, WATCH_SIGNAL_MISSING), WATCH_GO_ON);
    assert_int_equal(watch_look(&watch, 1, 0, WATCH_SIGNAL_FINE), WATCH_GO_ON);
    assert_int_equal(look(&watch, WATCH_SIGNAL_S - 1, 0, WATCH_SIGNAL_MISSING), WATCH_GO_ON);
    /* That of the next batch is another one. */
    assert_int_equal(look(&watch, WATCH_SIGNAL_S, 1, WATCH_SIGNAL_MISSING), WATCH_GO_ON);
    assert_int_equal(watch_look(&watch, 1, 1, WATCH_SIGNAL_MISSING), WATCH_SIGNAL_LOST);
}

/* A binary signal may have come long ago, and a slow frame have begun: each gets its
 * time. */
static void a_signal_that_cannot_be_seen_is_blamed_beside_the_frame(void **state)
{
    (void) state;
    struct watch watch = watch_begin(LIMIT_S, 0);
    assert_int_equal(look(&watch, 30, 0, WATCH_SIGNAL_FINE), WATCH_GO_ON);
    for (uint64_t frame = 0; frame < 4; frame++)
        assert_int_equal(look(&watch, WATCH_UNSEEN_S - 1, frame, WATCH_SIGNAL_UNSEEN), WATCH_GO_ON);
    assert_int_equal(watch_look(&watch, 1, 3, WATCH_SIGNAL_UNSEEN), WATCH_GO_ON);
    assert_int_equal(watch_look(&watch, 1, 3, WATCH_SIGNAL_UNSEEN), WATCH_EITHER_OF_TWO);
    assert_int_equal(watch.waited_s, WATCH_UNSEEN_S);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slow_device_is_waited_for),
        cmocka_unit_test(a_device_that_hangs_is_not),
        cmocka_unit_test(a_missing_signal_is_blamed_soon),
        cmocka_unit_test(a_signal_that_comes_late_is_not_blamed),
        cmocka_unit_test(a_signal_that_cannot_be_seen_is_blamed_beside_the_frame),
    };
    return cmocka_run_group_tests_name("watch", tests, NULL, NULL);
}
