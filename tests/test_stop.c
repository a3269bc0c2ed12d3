/* Signals: the first asks to stop, the second ends the process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/stop.h"

enum { STILL_THERE = 77, WRONG = 78 };

static bool ignored; /* whether the next process ignores both from the start */

/* What a process ends with that installs the handlers and then runs `act`. */
static int ends_with(void (*act)(void))
{
    int status = 0;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        /* As a shell leaves them in the foreground. */
        (void) signal(SIGINT, ignored ? SIG_IGN : SIG_DFL);
        (void) signal(SIGTERM, ignored ? SIG_IGN : SIG_DFL);
        stop_install();
        act();
        _exit(STILL_THERE);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void raise_and_see(int number)
{
    if (stop_signal() != 0)
        _exit(WRONG);
    (void) raise(number);
    if (stop_signal() != number)
        _exit(WRONG);
}

static void interrupt_once(void)
{
    raise_and_see(SIGINT);
}

static void terminate_once(void)
{
    raise_and_see(SIGTERM);
}

static void terminate_then_interrupt(void)
{
    raise_and_see(SIGTERM);
    (void) raise(SIGINT);
}

static void interrupt_twice(void)
{
    raise_and_see(SIGINT);
    (void) raise(SIGINT);
}

static void both_and_nothing(void)
{
    (void) raise(SIGINT);
    (void) raise(SIGTERM);
    if (stop_signal() != 0)
        _exit(WRONG);
}

static void write_to_a_closed_pipe(void)
{
    int ends[2];
    if (pipe(ends) != 0 || close(ends[0]) != 0)
        _exit(WRONG);
    if (write(ends[1], "x", 1) >= 0 || errno != EPIPE || stop_signal() != 0)
        _exit(WRONG);
}

static void the_first_signal_is_kept(void **state)
{
    (void) state;
    assert_int_equal(ends_with(interrupt_once), STILL_THERE);
    assert_int_equal(ends_with(terminate_once), STILL_THERE);
}

static void the_second_ends_at_once(void **state)
{
    (void) state;
    assert_int_equal(ends_with(interrupt_twice), 128 + SIGINT);
    assert_int_equal(ends_with(terminate_then_interrupt), 128 + SIGINT);
}

static void an_ignored_one_stays_ignored(void **state)
{
    (void) state;
    ignored = true;
    assert_int_equal(ends_with(both_and_nothing), STILL_THERE);
    ignored = false;
}

static void a_closed_pipe_is_an_error_of_write(void **state)
{
    (void) state;
    assert_int_equal(ends_with(write_to_a_closed_pipe), STILL_THERE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_signal_is_kept),
        cmocka_unit_test(the_second_ends_at_once),
        cmocka_unit_test(an_ignored_one_stays_ignored),
        cmocka_unit_test(a_closed_pipe_is_an_error_of_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
