/* output_file.h: a file that appears whole under its name, or not at all.
 *
 * Where the target is absent or a regular file, bytes go to a new file in the
 * same folder, which takes the target's name at commit; it has a new file's
 * permissions (0666 less the umask). A symbolic link is followed, so that it
 * stays one, also to what is not there yet. Devices, FIFOs and pipes are written directly.
 *
 * The file is not synced: after a power cut it may be missing.
 *
 * Errors are ERROR_RUNTIME and name the path, the reason and a way out.
 * Thread rule: each file belongs to one thread at a time; several threads may
 * write several files, even beside each other.
 */
#ifndef APP_OUTPUT_FILE_H
#define APP_OUTPUT_FILE_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "app/text.h"
#include "vkbase/error.h"

enum { OUTPUT_FILE_BUFFER = 32768 }; /* bytes */

/* About 45 KiB: mind where it is put. */
struct output_file {
    int fd;                      /* -1: not open */
    char shown[TEXT_SHOWN_SIZE]; /* the path as messages show it */
    char target[PATH_MAX];       /* where it goes at commit */
    char temporary[PATH_MAX];    /* "": written directly */
    size_t used;                 /* bytes in the buffer */
    uint8_t buffer[OUTPUT_FILE_BUFFER];
};

/* Tells whether `path` could be written now: the folder is there, takes files,
 * and the target is no folder and not write-protected. Neither creates nor
 * changes the target. What opening would disturb (FIFOs) is not opened. */
bool output_file_probe(const char *path, struct error *error);

/* After success commit or abort must follow; after failure neither need. */
bool output_file_open(struct output_file *file, const char *path, struct error *error);

/* On failure the caller aborts. */
bool output_file_write(struct output_file *file, const void *data, size_t size,
                       struct error *error);

/* Writes what is left, closes, and moves the file to its name. Closed and
 * cleaned up after failure too. */
bool output_file_commit(struct output_file *file, struct error *error);

/* The same for a file that gets its name at the end: open_unnamed opens one in
 * the folder of `path`, and commit_new gives it the name `path` in the same
 * folder where nobody has it. Else *taken is true, no error is set, and the
 * caller tries another name or aborts. */
bool output_file_open_unnamed(struct output_file *file, const char *path, struct error *error);
bool output_file_commit_new(struct output_file *file, const char *path, bool *taken,
                            struct error *error);

/* Closes and removes what was written; nothing to do after a commit. What a
 * device got already stays there. */
void output_file_abort(struct output_file *file);

/* Whether both paths lead to one file that exists. */
bool output_file_same(const char *a, const char *b);

/* Writes all of `data` to a descriptor, waiting where it is non-blocking.
 * Returns 0, or the errno of the failure (EPIPE only where SIGPIPE is ignored). */
int output_file_write_all(int fd, const void *data, size_t size);

/* What to do about an errno of writing: "free some space", ... */
const char *output_file_advice(int number);

#endif
