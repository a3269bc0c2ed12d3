#include "app/present_probe.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app/stop.h"
#include "vkbase/device_choice.h"

extern char **environ;

enum { TIMEOUT_MS = 20000, POLL_MS = 5 };

/* Starts the attempt; what it says goes nowhere. Returns 0 or an errno. */
static int start(const uint8_t *uuid, pid_t *child)
{
    char program[] = "/proc/self/exe";
    char test[] = "--test-present";
    char device[] = "--device";
    char text[VKB_UUID_TEXT_SIZE];
    char *const arguments[] = {program, test, device, text, NULL};
    posix_spawn_file_actions_t actions;
    vkb_uuid_text(uuid, text);
    int number = posix_spawn_file_actions_init(&actions);
    if (number != 0)
        return number;
    for (int fd = 0; number == 0 && fd <= 2; fd++)
        number = posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
    if (number == 0)
        number = posix_spawn(child, program, &actions, NULL, arguments, environ);
    (void) posix_spawn_file_actions_destroy(&actions);
    return number;
}

/* Nothing is made yet that would have to be finished. */
static void leave_if_asked_to(void)
{
    if (stop_signal() != 0)
        _exit(128 + stop_signal());
}

bool present_probe(const uint8_t *uuid, struct error *why)
{
    const struct timespec pause = {.tv_nsec = POLL_MS * 1000000L};
    pid_t child = 0;
    int status = 0;
    const int number = start(uuid, &child);
    if (number != 0)
        return error_set(why, ERROR_UNAVAILABLE, "trying it out failed: %s", strerror(number));
    int waited = 0;
    pid_t ended = 0;
    while ((ended = waitpid(child, &status, WNOHANG)) == 0) {
        if (waited >= TIMEOUT_MS || stop_signal() != 0) {
            /* Not waited for: in a driver that hangs it may outlive us. */
            (void) kill(child, SIGKILL);
            leave_if_asked_to();
            return error_set(why, ERROR_UNAVAILABLE, "its driver hangs on this display");
        }
        (void) nanosleep(&pause, NULL);
        waited += POLL_MS;
    }
    leave_if_asked_to();
    if (ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    return error_set(why, ERROR_UNAVAILABLE,
                     ended == child && WIFSIGNALED(status)
                         ? "its driver crashes on this display, which lacks what it needs (GLX)"
                         : "it cannot present to this display");
}
