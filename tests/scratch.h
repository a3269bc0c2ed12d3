/* scratch.h: a folder of a test's own, and what it holds. For tests only. */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { SCRATCH_PATH = 512 };

static char scratch_folder[256];

/* Group set-up: makes the folder below $TMPDIR or /tmp. */
static inline int scratch_make(void **state)
{
    const char *base = getenv("TMPDIR");
    (void) state;
    (void) snprintf(scratch_folder, sizeof scratch_folder, "%s/sinewave-test-XXXXXX",
                    base && strlen(base) < 200 ? base : "/tmp");
    return mkdtemp(scratch_folder) ? 0 : -1;
}

/* The path of `name` in the folder, in storage of its own for four calls. */
static inline const char *scratch(const char *name)
{
    static char paths[4][SCRATCH_PATH];
    static unsigned next;
    char *path = paths[next++ % 4];
    (void) snprintf(path, SCRATCH_PATH, "%s/%s", scratch_folder, name);
    return path;
}

/* How many entries the folder has; the hidden ones count. */
static inline int scratch_count(void)
{
    int count = 0;
    DIR *folder = opendir(scratch_folder);
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    (void) closedir(folder);
    return count - 2; /* "." and ".." */
}

/* Empties the folder: test teardown. */
static inline int scratch_clean(void **state)
{
    (void) state;
    DIR *folder = opendir(scratch_folder);
    if (!folder)
        return -1;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        const char *path = scratch(entry->d_name);
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (unlink(path) != 0)
            (void) rmdir(path);
    }
    return closedir(folder);
}

/* Group teardown. */
static inline int scratch_remove(void **state)
{
    (void) scratch_clean(state);
    return rmdir(scratch_folder);
}

/* Reads a whole file; the caller frees it. */
static inline unsigned char *scratch_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long length = ftell(file);
    assert_true(length >= 0);
    rewind(file);
    unsigned char *bytes = malloc((size_t) length + 1);
    assert_non_null(bytes);
    *size = fread(bytes, 1, (size_t) length, file);
    assert_int_equal(*size, length);
    (void) fclose(file);
    return bytes;
}

static inline void scratch_write(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

#endif
