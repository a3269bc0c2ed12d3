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

void stop_install(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    (void) sigemptyset(&action.sa_mask);
    (void) sigaction(SIGINT, &action, NULL);
    (void) sigaction(SIGTERM, &action, NULL);
    action.sa_handler = SIG_IGN;
    /* A closed pipe and a file over the limit are errors of write(). */
    (void) sigaction(SIGPIPE, &action, NULL);
    (void) sigaction(SIGXFSZ, &action, NULL);
}

int stop_signal(void)
{
    return caught;
}
