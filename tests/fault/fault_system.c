/* fault_system.c: linked into a program of tests, with -Wl,--wrap for each
 * function below: the Nth call that our own objects make of one of them fails.
 * Libraries and drivers are not affected.
 *
 *   FAULT_LOG=FILE      append "FUNCTION NUMBER call" for each call
 *   FAULT_CALL=FUNCTION:NUMBER:ERRNO   that call fails so; a write with ERRNO 0
 *                       takes one byte alone
 *
 * A failing close() closes, as it does on Linux. pthread functions return the
 * number. The environment is read when the program starts.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    X(int, rename, (const char *from, const char *to), (from, to))
#define THREAD_FUNCTIONS(X)                                                                        \
    X(int, pthread_create,                                                                         \
      (pthread_t * thread, const pthread_attr_t *attributes, void *(*start)(void *), void *data),  \
      (thread, attributes, start, data))                                                           \
    X(int, pthread_mutex_init, (pthread_mutex_t * mutex, const pthread_mutexattr_t *attributes),   \
      (mutex, attributes))                                                                         \
    X(int, pthread_cond_init, (pthread_cond_t * condition, const pthread_condattr_t *attributes),  \
      (condition, attributes))

enum {
#define INDEX(type, name, parameters, arguments) INDEX_##name,
    MEMORY_FUNCTIONS(INDEX) NUMBER_FUNCTIONS(INDEX) THREAD_FUNCTIONS(INDEX) INDEX_open64,
    INDEX_write,
    INDEX_close,
    INDEX_COUNT
};

static unsigned calls[INDEX_COUNT];
static const char *log_path, *wanted;

__attribute__((constructor)) static void read_environment(void)
{
    log_path = getenv("FAULT_LOG");
    wanted = getenv("FAULT_CALL");
}

FILE *__real_fopen64(const char *path, const char *mode);

static void tell(const char *name, unsigned number)
{
    char line[128];
    const int length = snprintf(line, sizeof line, "%s %u call\n", name, number);
    FILE *file = __real_fopen64(log_path, "ae"); /* a plain fopen() would be counted */
    if (!file)
        return;
    (void) fwrite(line, 1, (size_t) length, file);
    (void) fclose(file);
}

/* True where this call is to fail with *number. */
static bool fails(int index, const char *name, int *number)
{
    const unsigned call = __atomic_add_fetch(&calls[index], 1U, __ATOMIC_RELAXED);
    const int saved = errno;
    const size_t length = strlen(name);
    if (log_path)
        tell(name, call);
    errno = saved;
    if (!wanted || strncmp(wanted, name, length) != 0 || wanted[length] != ':')
        return false;
    char *end = NULL;
    if (strtoul(wanted + length + 1, &end, 10) != call || *end != ':')
        return false;
    *number = (int) strtol(end + 1, NULL, 10);
    (void) fprintf(stderr, "fault_layer: %s, call %u, fails with %d\n", name, call, *number);
    errno = saved;
    return true;
}

#define WRAP_MEMORY(type, name, parameters, arguments)                                             \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        int number = 0;                                                                            \
        if (!fails(INDEX_##name, #name, &number))                                                  \
            return __real_##name arguments;                                                        \
        errno = number;                                                                            \
        return NULL;                                                                               \
    }
#define WRAP_NUMBER(type, name, parameters, arguments)                                             \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        int number = 0;                                                                            \
        if (!fails(INDEX_##name, #name, &number))                                                  \
            return __real_##name arguments;                                                        \
        errno = number;                                                                            \
        return -1;                                                                                 \
    }
#define WRAP_THREAD(type, name, parameters, arguments)                                             \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        int number = 0;                                                                            \
        return fails(INDEX_##name, #name, &number) ? number : __real_##name arguments;             \
    }
MEMORY_FUNCTIONS(WRAP_MEMORY)
NUMBER_FUNCTIONS(WRAP_NUMBER)
THREAD_FUNCTIONS(WRAP_THREAD)

int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...)
{
    int number = 0;
    mode_t mode = 0;
    if (flags & O_CREAT) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
    }
    if (!fails(INDEX_open64, "open64", &number))
        return __real_open64(path, flags, mode);
    errno = number;
    return -1;
}

ssize_t __real_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size)
{
    int number = 0;
    if (!fails(INDEX_write, "write", &number))
        return __real_write(fd, data, size);
    if (number == 0)
        return __real_write(fd, data, size < 1 ? size : 1);
    errno = number;
    return -1;
}

int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
    int number = 0;
    const bool bad = fails(INDEX_close, "close", &number);
    const int result = __real_close(fd);
    if (!bad)
        return result;
    errno = number;
    return -1;
}
