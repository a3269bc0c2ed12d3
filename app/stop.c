#include "app/stop.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    if (caught)
        _exit(128 + number);
    caught = number;
}

/* A program that was started with the signal ignored (nohup, or a shell's job in
 * the background) is not meant to hear it. */
static void catch (int number, const struct sigaction *action)
{
    struct sigaction before;
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN)
        return;
    (void) sigaction(number, action, NULL);
}

void stop_install(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    (void) sigemptyset(&action.sa_mask);
    catch (SIGINT, &action);
    catch (SIGTERM, &action);
    action.sa_handler = SIG_IGN;
    /* A closed pipe and a file over the limit are errors of write(). */
    (void) sigaction(SIGPIPE, &action, NULL);
    (void) sigaction(SIGXFSZ, &action, NULL);
}

int stop_signal(void)
{
    return caught;
}
