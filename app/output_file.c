#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier, cert-*): renameat2
#include "app/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *output_file_advice(int number)
{
    switch (number) {
    case ENOENT:
    case ENOTDIR:
        return "create the folder first or give another path";
    case EACCES:
    case EPERM:
    case EROFS:
        return "give a path that you may write to";
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        return "free some space or give another path";
    case EISDIR:
        return "give the name of a file";
    case ENAMETOOLONG:
        return "give a shorter path";
    case EPIPE:
        return "keep the reader open until the end";
    case EMFILE:
        return "raise the limit of open files (ulimit -n)";
    case ENFILE:
        return "end programs that have many files open";
    case ENOMEM:
        return "free some memory";
    default:
        return "give another path";
    }
}

/* strerror() is thread-safe in glibc and musl for every errno there is. */
static bool fails(struct output_file *file, struct error *error, int number)
{
    return error_set(error, ERROR_RUNTIME, "cannot write %s: %s; %s", file->shown,
                     strerror(number), // NOLINT(concurrency-mt-unsafe)
                     output_file_advice(number));
}

int output_file_write_all(int fd, const void *data, size_t size)
{
    const char *bytes = data;
    while (size > 0) {
        ssize_t written = write(fd, bytes, size);
        if (written >= 0) {
            bytes += written;
            size -= (size_t) written;
        } else if (errno == EAGAIN) {
            struct pollfd ready = {.fd = fd, .events = POLLOUT};
            if (poll(&ready, 1, -1) < 0 && errno != EINTR)
                return errno;
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

/* Opens a new file in the target's folder. Its name holds the process and a
 * counter; O_EXCL settles the rest, even between hosts that share the folder. */
static bool open_beside(struct output_file *file, struct error *error)
{
    static atomic_uint counter;
    enum { TRIES = 1000 };
    const char *slash = strrchr(file->target, '/');
    int folder = slash ? (int) (slash + 1 - file->target) : 0;
    for (int i = 0; i < TRIES; i++) {
        int length =
            snprintf(file->temporary, sizeof file->temporary, "%.*s.sinewave-%ld-%u.tmp", folder,
                     file->target, (long) getpid(), atomic_fetch_add(&counter, 1U));
        if (length < 0 || (size_t) length >= sizeof file->temporary) {
            file->temporary[0] = '\0';
            return fails(file, error, ENAMETOOLONG);
        }
        file->fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
        if (file->fd >= 0)
            return true;
        if (errno != EEXIST && errno != EINTR)
            break;
    }
    int number = errno;
    file->temporary[0] = '\0';
    return fails(file, error, number);
}

static void init(struct output_file *file, const char *path)
{
    file->fd = -1;
    file->used = 0;
    file->temporary[0] = '\0';
    file->target[0] = '\0';
    (void) text_shown(path, file->shown);
}

/* Follows file->target, a link to what is not there yet, to the place that it
 * names; realpath() wants something to be there. Returns 0 or an errno. */
static int follow(struct output_file *file)
{
    enum { LINKS_MAX = 40 }; /* as many as Linux follows */
    char link[PATH_MAX];
    for (int links = 0; links < LINKS_MAX; links++) {
        const ssize_t length = readlink(file->target, link, sizeof link);
        if (length < 0) /* nothing there, or no link */
            return errno == ENOENT || errno == EINVAL ? 0 : errno;
        const char *slash = link[0] == '/' ? NULL : strrchr(file->target, '/');
        const size_t folder = slash ? (size_t) (slash + 1 - file->target) : 0;
        if (folder + (size_t) length >= sizeof file->target)
            return ENAMETOOLONG;
        memcpy(file->target + folder, link, (size_t) length);
        file->target[folder + (size_t) length] = '\0';
    }
    return ELOOP;
}

/* Fills file->target, links followed, and *direct: the target is neither absent
 * nor a regular file. */
static bool find_target(struct output_file *file, const char *path, bool *direct,
                        struct error *error)
{
    struct stat status;
    size_t length = strlen(path);
    init(file, path);
    *direct = false;
    if (length == 0)
        return fails(file, error, ENOENT);
    if (length >= sizeof file->target)
        return fails(file, error, ENAMETOOLONG);
    memcpy(file->target, path, length + 1);
    if (stat(path, &status) != 0) {
        const int number = errno == ENOENT ? follow(file) : errno;
        if (number != 0)
            return fails(file, error, number);
        /* A rename to "a/" would fail only at commit. */
        length = strlen(file->target);
        return file->target[length - 1] == '/' ? fails(file, error, EISDIR) : true;
    }
    if (S_ISDIR(status.st_mode))
        return fails(file, error, EISDIR);
    if (access(path, W_OK) != 0)
        return fails(file, error, errno);
    *direct = !S_ISREG(status.st_mode);
    struct stat link;
    if (*direct)
        return true;
    if (lstat(path, &link) != 0 || (S_ISLNK(link.st_mode) && !realpath(path, file->target)))
        return fails(file, error, errno);
    return true;
}

bool output_file_open(struct output_file *file, const char *path, struct error *error)
{
    bool direct = false;
    if (!find_target(file, path, &direct, error))
        return false;
    if (!direct)
        return open_beside(file, error);
    do
        file->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    while (file->fd < 0 && errno == EINTR);
    return file->fd >= 0 || fails(file, error, errno);
}

bool output_file_open_unnamed(struct output_file *file, const char *path, struct error *error)
{
    const size_t length = strlen(path);
    init(file, path);
    if (length >= sizeof file->target)
        return fails(file, error, ENAMETOOLONG);
    memcpy(file->target, path, length + 1);
    return open_beside(file, error);
}

bool output_file_probe(const char *path, struct error *error)
{
    struct output_file file;
    bool direct = false;
    if (!find_target(&file, path, &direct, error))
        return false;
    if (direct)
        return true;
    /* Trying is the one sure way: permissions tell root nothing. */
    if (!open_beside(&file, error))
        return false;
    (void) close(file.fd);
    /* Where nothing can be removed nothing can be renamed either. */
    return unlink(file.temporary) == 0 || fails(&file, error, errno);
}

static bool flush(struct output_file *file, struct error *error)
{
    int number = output_file_write_all(file->fd, file->buffer, file->used);
    file->used = 0;
    return number == 0 || fails(file, error, number);
}

bool output_file_write(struct output_file *file, const void *data, size_t size, struct error *error)
{
    if (size > sizeof file->buffer - file->used && !flush(file, error))
        return false;
    if (size > sizeof file->buffer) {
        int number = output_file_write_all(file->fd, data, size);
        return number == 0 || fails(file, error, number);
    }
    memcpy(file->buffer + file->used, data, size);
    file->used += size;
    return true;
}

/* Writes what is left and closes. */
static bool finish(struct output_file *file, struct error *error)
{
    if (!flush(file, error))
        return false;
    /* Network file systems tell of a full disk here. After EINTR the descriptor
     * is closed on Linux. */
    const int number = close(file->fd) != 0 && errno != EINTR ? errno : 0;
    file->fd = -1;
    return number == 0 || fails(file, error, number);
}

bool output_file_commit(struct output_file *file, struct error *error)
{
    bool ok = finish(file, error);
    if (ok && file->temporary[0] && rename(file->temporary, file->target) != 0)
        ok = fails(file, error, errno);
    if (ok)
        file->temporary[0] = '\0';
    else
        output_file_abort(file);
    return ok;
}

/* Gives a file a name that nobody has, or returns the errno: EEXIST. */
static int take_name(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return errno;
    /* Some file systems have no such rename (NFS). */
    if (link(from, to) != 0)
        return errno;
    (void) unlink(from);
    return 0;
}

bool output_file_commit_new(struct output_file *file, const char *path, bool *taken,
                            struct error *error)
{
    *taken = false;
    (void) text_shown(path, file->shown);
    bool ok = file->fd < 0 || finish(file, error);
    const int number = ok ? take_name(file->temporary, path) : 0;
    *taken = number == EEXIST;
    if (*taken)
        return false;
    if (number != 0)
        ok = fails(file, error, number);
    if (ok)
        file->temporary[0] = '\0';
    else
        output_file_abort(file);
    return ok;
}

void output_file_abort(struct output_file *file)
{
    if (file->fd >= 0)
        (void) close(file->fd);
    file->fd = -1;
    if (file->temporary[0])
        (void) unlink(file->temporary);
    file->temporary[0] = '\0';
}

bool output_file_same(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}
