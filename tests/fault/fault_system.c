/* fault_system.c: linked into a program of tests, with -Wl,--wrap for each
 * function below: the Nth call that our own objects make of one of them fails.
 * Libraries and drivers are not affected.
 *
 * Failures are planned as fault_count.h says, by errno; a write with errno 0
 * takes one byte alone.
 *
 * A failing close() closes, as it does on Linux. pthread functions return the
 * number. A failing fread() finds that its file is a folder.
 */
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/stat.h>

#include "fault_count.h"

/* One of each wrapped function, with its parameters and arguments. */
#define MEMORY_FUNCTIONS(X)                                                                        \
    X(void *, malloc, (size_t size), (size))                                                       \
    X(void *, calloc, (size_t count, size_t size), (count, size))                                  \
    X(void *, realloc, (void *old, size_t size), (old, size))                                      \
    X(char *, strdup, (const char *text), (text))                                                  \
    X(char *, realpath, (const char *path, char *resolved), (path, resolved))                      \
    X(FILE *, fopen64, (const char *path, const char *mode), (path, mode))
#define NUMBER_FUNCTIONS(X)                                                                        \
    X(ssize_t, read, (int fd, void *data, size_t size), (fd, data, size))                          \
    X(int, mkdir, (const char *path, mode_t mode), (path, mode))                                   \
    X(int, rename, (const char *from, const char *to), (from, to))                                 \
    X(int, renameat2, (int in, const char *from, int at, const char *to, unsigned flags),          \
      (in, from, at, to, flags))                                                                   \
    X(int, link, (const char *from, const char *to), (from, to))                                   \
    X(int, unlink, (const char *path), (path))                                                     \
    X(ssize_t, readlink, (const char *path, char *text, size_t size), (path, text, size))          \
    X(int, access, (const char *path, int mode), (path, mode))                                     \
    X(int, stat64, (const char *path, struct stat *status), (path, status))                        \
    X(int, lstat64, (const char *path, struct stat *status), (path, status))                       \
    X(int, fstat64, (int fd, struct stat *status), (fd, status))                                   \
    X(int, poll, (struct pollfd * fds, nfds_t count, int timeout), (fds, count, timeout))
#define THREAD_FUNCTIONS(X)                                                                        \
    X(int, pthread_create,                                                                         \
      (pthread_t * thread, const pthread_attr_t *attributes, void *(*start)(void *), void *data),  \
      (thread, attributes, start, data))                                                           \
    X(int, pthread_mutex_init, (pthread_mutex_t * mutex, const pthread_mutexattr_t *attributes),   \
      (mutex, attributes))                                                                         \
    X(int, pthread_cond_init, (pthread_cond_t * condition, const pthread_condattr_t *attributes),  \
      (condition, attributes))

#define WRAP_MEMORY(type, name, parameters, arguments)                                             \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        static unsigned calls;                                                                     \
        int number = 0;                                                                            \
        if (!fault_fails(&calls, #name, &number))                                                  \
            return __real_##name arguments;                                                        \
        errno = number;                                                                            \
        return NULL;                                                                               \
    }
#define WRAP_NUMBER(type, name, parameters, arguments)                                             \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        static unsigned calls;                                                                     \
        int number = 0;                                                                            \
        if (!fault_fails(&calls, #name, &number))                                                  \
            return __real_##name arguments;                                                        \
        errno = number;                                                                            \
        return -1;                                                                                 \
    }
#define WRAP_THREAD(type, name, parameters, arguments)                                             \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        static unsigned calls;                                                                     \
        int number = 0;                                                                            \
        return fault_fails(&calls, #name, &number) ? number : __real_##name arguments;             \
    }
MEMORY_FUNCTIONS(WRAP_MEMORY)
NUMBER_FUNCTIONS(WRAP_NUMBER)
THREAD_FUNCTIONS(WRAP_THREAD)

// NOLINTBEGIN(bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp): the linker's names
int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...)
{
    static unsigned calls;
    int number = 0;
    mode_t mode = 0;
    if (flags & O_CREAT) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
    }
    if (!fault_fails(&calls, "open64", &number))
        return __real_open64(path, flags, mode);
    errno = number;
    return -1;
}

ssize_t __real_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size)
{
    static unsigned calls;
    int number = 0;
    if (!fault_fails(&calls, "write", &number))
        return __real_write(fd, data, size);
    if (number == 0)
        return __real_write(fd, data, size < 1 ? size : 1);
    errno = number;
    return -1;
}

size_t __real_fread(void *data, size_t size, size_t count, FILE *file);
size_t __wrap_fread(void *data, size_t size, size_t count, FILE *file);
size_t __wrap_fread(void *data, size_t size, size_t count, FILE *file)
{
    static unsigned calls;
    int number = 0;
    if (fault_fails(&calls, "fread", &number)) {
        const long folder = syscall(SYS_openat, AT_FDCWD, "/", O_RDONLY);
        (void) dup2((int) folder, fileno(file));
        (void) syscall(SYS_close, folder);
    }
    return __real_fread(data, size, count, file);
}

int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
    static unsigned calls;
    int number = 0;
    const bool bad = fault_fails(&calls, "close", &number);
    const int result = __real_close(fd);
    if (!bad)
        return result;
    errno = number;
    return -1;
}
// NOLINTEND(bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp)
