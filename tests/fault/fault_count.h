/* fault_count.h: counts calls of wrapped functions and makes the Nth fail. What
 * it does, it does by system calls: the usual functions may be wrapped too.
 *
 *   FAULT_LOG=FILE      append "FUNCTION NUMBER call" for each call
 *   FAULT_CALL=FUNCTION:NUMBER:CODE   that call fails with CODE
 *   FAULT_ALWAYS=FUNCTION:CODE        all its calls do, what FAULT_CALL says aside
 */
#ifndef TESTS_FAULT_COUNT_H
#define TESTS_FAULT_COUNT_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline void fault_tell(int fd, const char *line, int length)
{
    (void) syscall(SYS_write, fd, line, (size_t) length);
}

/* True where this call, one more of `calls`, is to fail with *code. Keeps errno. */
static inline bool fault_fails(unsigned *calls, const char *name, int *code)
{
    char line[128];
    const int saved = errno;
    const char *log = getenv("FAULT_LOG");
    const char *plan = getenv("FAULT_CALL");
    const unsigned call = __atomic_add_fetch(calls, 1U, __ATOMIC_RELAXED);
    const size_t length = strlen(name);
    if (log) {
        const int fd =
            (int) syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0666);
        fault_tell(fd, line, snprintf(line, sizeof line, "%s %u call\n", name, call));
        (void) syscall(SYS_close, fd);
    }
    errno = saved;
    const char *always = getenv("FAULT_ALWAYS");
    if (always && strncmp(always, name, length) == 0 && always[length] == ':') {
        *code = (int) strtol(always + length + 1, NULL, 10);
        errno = saved;
        return true;
    }
    if (!plan || strncmp(plan, name, length) != 0 || plan[length] != ':')
        return false;
    char *end = NULL;
    const bool hit = strtoul(plan + length + 1, &end, 10) == call && *end == ':';
    if (hit) {
        *code = (int) strtol(end + 1, NULL, 10);
        fault_tell(STDERR_FILENO, line,
                   snprintf(line, sizeof line, "fault_layer: %s, call %u, fails with %d\n", name,
                            call, *code));
    }
    errno = saved;
    return hit;
}

#endif
