/* Files that appear whole or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "app/output_file.h"
#include "tests/scratch.h"

static void has(const char *path, const char *text)
{
    size_t size = 0;
    unsigned char *bytes = scratch_read(path, &size);
    assert_int_equal(size, strlen(text));
    assert_memory_equal(bytes, text, size);
    free(bytes);
}

static void says(const struct error *error, const char *part)
{
    assert_int_equal(error->kind, ERROR_RUNTIME);
    if (!strstr(error->text, part))
        fail_msg("\"%s\" lacks \"%s\"", error->text, part);
    assert_non_null(strstr(error->text, "; "));
}

static void new_file_appears_at_commit(void **state)
{
    (void) state;
    struct output_file file;
    struct error error = {0};
    mode_t before = umask(027);
    assert_true(output_file_open(&file, scratch("a"), &error));
    assert_true(output_file_write(&file, "one ", 4, &error));
    assert_true(output_file_write(&file, "two", 3, &error));
    assert_int_equal(access(scratch("a"), F_OK), -1);
    assert_int_equal(scratch_count(), 1);
    assert_true(output_file_commit(&file, &error));
    (void) umask(before);
    has(scratch("a"), "one two");
    assert_int_equal(scratch_count(), 1);
    struct stat status;
    assert_int_equal(stat(scratch("a"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    output_file_abort(&file);
    assert_int_equal(access(scratch("a"), F_OK), 0);
}

static void old_file_stays_until_commit(void **state)
{
    (void) state;
    struct output_file file;
    struct error error = {0};
    scratch_write(scratch("a"), "old", 3);
    assert_true(output_file_open(&file, scratch("a"), &error));
    assert_true(output_file_write(&file, "new", 3, &error));
    has(scratch("a"), "old");
    output_file_abort(&file);
    has(scratch("a"), "old");
    assert_int_equal(scratch_count(), 1);
    output_file_abort(&file);

    assert_true(output_file_open(&file, scratch("a"), &error));
    assert_true(output_file_write(&file, "newer", 5, &error));
    assert_true(output_file_commit(&file, &error));
    has(scratch("a"), "newer");
    assert_int_equal(scratch_count(), 1);
}

static void large_and_odd_sizes(void **state)
{
    (void) state;
    enum { SIZE = 3 * OUTPUT_FILE_BUFFER + 17 };
    struct output_file file;
    struct error error = {0};
    unsigned char *bytes = malloc(SIZE);
    assert_non_null(bytes);
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (unsigned char) (i * 31 >> 3);
    assert_true(output_file_open(&file, scratch("a"), &error));
    static const size_t pieces[] = {1, OUTPUT_FILE_BUFFER - 1, 1, OUTPUT_FILE_BUFFER,
                                    0, OUTPUT_FILE_BUFFER + 1, 15};
    size_t at = 0;
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; at += pieces[i++])
        assert_true(output_file_write(&file, bytes + at, pieces[i], &error));
    assert_int_equal(at, SIZE);
    assert_true(output_file_commit(&file, &error));
    size_t size = 0;
    unsigned char *back = scratch_read(scratch("a"), &size);
    assert_int_equal(size, SIZE);
    assert_memory_equal(back, bytes, SIZE);
    free(back);
    free(bytes);
}

static void links_stay_links(void **state)
{
    (void) state;
    struct output_file file;
    struct error error = {0};
    struct stat status;
    scratch_write(scratch("real"), "old", 3);
    assert_int_equal(symlink("real", scratch("link")), 0);
    assert_true(output_file_open(&file, scratch("link"), &error));
    assert_true(output_file_write(&file, "new", 3, &error));
    assert_true(output_file_commit(&file, &error));
    assert_int_equal(lstat(scratch("link"), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    has(scratch("real"), "new");
}

/* Also through a chain of links, relative and absolute, in other folders. */
static void links_to_nothing_stay_links(void **state)
{
    (void) state;
    struct output_file file;
    struct error error = {0};
    struct stat status;
    char absolute[SCRATCH_PATH];
    (void) snprintf(absolute, sizeof absolute, "%s", scratch("folder/second"));
    assert_int_equal(mkdir(scratch("folder"), 0777), 0);
    assert_int_equal(symlink(absolute, scratch("first")), 0);
    assert_int_equal(symlink("../real", absolute), 0);
    assert_true(output_file_probe(scratch("first"), &error));
    assert_true(output_file_open(&file, scratch("first"), &error));
    assert_true(output_file_write(&file, "new", 3, &error));
    assert_true(output_file_commit(&file, &error));
    has(scratch("real"), "new");
    assert_int_equal(lstat(scratch("first"), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(lstat(absolute, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(scratch_count(), 3);
    assert_int_equal(unlink(absolute), 0);
}

static void takes_no_name_twice(void **state)
{
    (void) state;
    struct output_file file;
    struct error error = {0};
    bool taken = false;
    scratch_write(scratch("a"), "old", 3);
    assert_int_equal(symlink("nothing", scratch("b")), 0);
    assert_true(output_file_open_unnamed(&file, scratch("a"), &error));
    assert_true(output_file_write(&file, "new", 3, &error));
    assert_false(output_file_commit_new(&file, scratch("a"), &taken, &error));
    assert_true(taken);
    assert_false(output_file_commit_new(&file, scratch("b"), &taken, &error));
    assert_true(taken);
    assert_int_equal(error.kind, ERROR_NONE);
    assert_true(output_file_commit_new(&file, scratch("c"), &taken, &error));
    assert_false(taken);
    has(scratch("a"), "old");
    has(scratch("c"), "new");
    assert_int_equal(scratch_count(), 3);

    assert_true(output_file_open_unnamed(&file, scratch("d"), &error));
    assert_false(output_file_commit_new(&file, scratch("none/d"), &taken, &error));
    assert_false(taken);
    says(&error, "create the folder first");
    assert_int_equal(scratch_count(), 3);
}

static void too_many_open_files(void **state)
{
    (void) state;
    struct output_file file;
    struct error error = {0};
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    const struct rlimit none = {0, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    const bool opened = output_file_open(&file, scratch("a"), &error);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_false(opened);
    says(&error, "Too many open files; raise the limit of open files (ulimit -n)");
}

static void full_disk(void **state)
{
    (void) state;
    struct output_file file;
    struct error error = {0};
    assert_true(output_file_open(&file, "/dev/full", &error));
    assert_true(output_file_write(&file, "x", 1, &error));
    assert_false(output_file_commit(&file, &error));
    says(&error, "cannot write /dev/full: No space left on device; free some space");
    struct stat status;
    assert_int_equal(stat("/dev/full", &status), 0);
    assert_true(S_ISCHR(status.st_mode));

    char block[OUTPUT_FILE_BUFFER + 1] = {0};
    error = (struct error){0};
    assert_true(output_file_open(&file, "/dev/full", &error));
    assert_false(output_file_write(&file, block, sizeof block, &error));
    says(&error, "No space left");
    output_file_abort(&file);
    assert_int_equal(access("/dev/full", F_OK), 0);
}

static void device_is_written_directly(void **state)
{
    (void) state;
    struct output_file file;
    struct error error = {0};
    assert_true(output_file_probe("/dev/null", &error));
    assert_true(output_file_open(&file, "/dev/null", &error));
    assert_true(output_file_write(&file, "x", 1, &error));
    assert_true(output_file_commit(&file, &error));
    struct stat status;
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
}

static void *read_all(void *path)
{
    static char text[16];
    FILE *file = fopen(path, "rb");
    text[file ? fread(text, 1, sizeof text - 1, file) : 0] = '\0';
    if (file)
        (void) fclose(file);
    return text;
}

static void fifo_is_written_directly(void **state)
{
    (void) state;
    struct output_file file;
    struct error error = {0};
    pthread_t reader;
    void *got = NULL;
    static char path[SCRATCH_PATH];
    memcpy(path, scratch("fifo"), SCRATCH_PATH);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_true(output_file_probe(path, &error)); /* must not block */
    assert_int_equal(pthread_create(&reader, NULL, read_all, path), 0);
    assert_true(output_file_open(&file, path, &error));
    assert_true(output_file_write(&file, "through", 7, &error));
    assert_true(output_file_commit(&file, &error));
    assert_int_equal(pthread_join(reader, &got), 0);
    assert_string_equal(got, "through");
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
}

/* Open and probe must refuse for the same reason. */
static void refused(const char *path, const char *part)
{
    struct output_file file;
    struct error error = {0};
    int before = scratch_count();
    assert_false(output_file_probe(path, &error));
    says(&error, part);
    error = (struct error){0};
    assert_false(output_file_open(&file, path, &error));
    says(&error, part);
    assert_int_equal(file.fd, -1);
    output_file_abort(&file);
    assert_int_equal(scratch_count(), before);
}

static void bad_targets(void **state)
{
    (void) state;
    char longest[PATH_MAX + 10];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    refused("", "No such file or directory");
    refused(scratch("none/a.png"), "No such file or directory; create the folder first");
    assert_int_equal(symlink("none/a.png", scratch("lost")), 0);
    refused(scratch("lost"), "No such file or directory; create the folder first");
    assert_int_equal(symlink("none/", scratch("slash")), 0);
    refused(scratch("slash"), "Is a directory");
    refused(scratch_folder, "Is a directory; give the name of a file");
    refused(scratch("a/"), "Is a directory");
    refused(longest, "File name too long; give a shorter path");
    scratch_write(scratch("file"), "x", 1);
    refused(scratch("file/a.png"), "Not a directory");
    refused("/proc/sinewave.png", "No such file or directory");
}

/* Open and probe must be refused for want of permission. */
static bool not_permitted(const char *path)
{
    struct output_file file;
    struct error probe = {0}, open = {0};
    return !output_file_probe(path, &probe) && !output_file_open(&file, path, &open) &&
           strstr(probe.text, "Permission denied; give a path that you may write to") &&
           strcmp(probe.text, open.text) == 0 && open.kind == ERROR_RUNTIME;
}

/* To root every folder is writable: a child that is somebody else tries. */
static void without_permission(void **state)
{
    (void) state;
    int status = 0;
    assert_int_equal(mkdir(scratch("closed"), 0555), 0);
    scratch_write(scratch("protected"), "x", 1);
    assert_int_equal(chmod(scratch("protected"), 0444), 0);
    assert_int_equal(chmod(scratch_folder, 0777), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(77);
        _exit(not_permitted(scratch("closed/a.png")) && not_permitted(scratch("protected")) ? 0
                                                                                            : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
    has(scratch("protected"), "x");
    assert_int_equal(scratch_count(), 2);
}

static void probe_leaves_nothing(void **state)
{
    (void) state;
    struct error error = {0};
    assert_true(output_file_probe(scratch("a"), &error));
    assert_int_equal(scratch_count(), 0);
    scratch_write(scratch("a"), "old", 3);
    assert_true(output_file_probe(scratch("a"), &error));
    has(scratch("a"), "old");
    assert_int_equal(scratch_count(), 1);
}

static void folder_gone_before_commit(void **state)
{
    (void) state;
    struct output_file file;
    struct error error = {0};
    scratch_write(scratch("x"), "x", 1);
    assert_true(output_file_open(&file, scratch("a"), &error));
    assert_true(output_file_write(&file, "new", 3, &error));
    assert_int_equal(mkdir(scratch("a"), 0777), 0); /* the name is taken meanwhile */
    assert_false(output_file_commit(&file, &error));
    says(&error, "Is a directory");
    assert_int_equal(scratch_count(), 2);
}

static void closed_pipe(void **state)
{
    (void) state;
    int ends[2];
    char block[1 << 17] = {0};
    assert_int_equal(pipe(ends), 0);
    (void) signal(SIGPIPE, SIG_IGN);
    (void) close(ends[0]);
    assert_int_equal(output_file_write_all(ends[1], block, sizeof block), EPIPE);
    (void) close(ends[1]);
}

static void *drain(void *descriptor)
{
    static size_t count;
    char block[4096];
    count = 0;
    for (ssize_t n = 1; n > 0; count += (size_t) n)
        n = read(*(int *) descriptor, block, sizeof block);
    return &count;
}

static void non_blocking_pipe(void **state)
{
    (void) state;
    int ends[2];
    static char block[1 << 20];
    pthread_t reader;
    void *count = NULL;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
    assert_int_equal(pthread_create(&reader, NULL, drain, &ends[0]), 0);
    assert_int_equal(output_file_write_all(ends[1], block, sizeof block), 0);
    (void) close(ends[1]);
    assert_int_equal(pthread_join(reader, &count), 0);
    assert_int_equal(*(size_t *) count, sizeof block);
    (void) close(ends[0]);
}

static void same_file(void **state)
{
    (void) state;
    scratch_write(scratch("a"), "x", 1);
    scratch_write(scratch("b"), "x", 1);
    assert_int_equal(link(scratch("a"), scratch("c")), 0);
    assert_true(output_file_same(scratch("a"), scratch("./a")));
    assert_true(output_file_same(scratch("a"), scratch("c")));
    assert_false(output_file_same(scratch("a"), scratch("b")));
    assert_false(output_file_same(scratch("a"), scratch("none")));
    assert_false(output_file_same(scratch("none"), scratch("none")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(new_file_appears_at_commit, scratch_clean),
        cmocka_unit_test_teardown(old_file_stays_until_commit, scratch_clean),
        cmocka_unit_test_teardown(large_and_odd_sizes, scratch_clean),
        cmocka_unit_test_teardown(links_stay_links, scratch_clean),
        cmocka_unit_test_teardown(links_to_nothing_stay_links, scratch_clean),
        cmocka_unit_test_teardown(takes_no_name_twice, scratch_clean),
        cmocka_unit_test_teardown(too_many_open_files, scratch_clean),
        cmocka_unit_test_teardown(full_disk, scratch_clean),
        cmocka_unit_test_teardown(device_is_written_directly, scratch_clean),
        cmocka_unit_test_teardown(fifo_is_written_directly, scratch_clean),
        cmocka_unit_test_teardown(bad_targets, scratch_clean),
        cmocka_unit_test_teardown(without_permission, scratch_clean),
        cmocka_unit_test_teardown(probe_leaves_nothing, scratch_clean),
        cmocka_unit_test_teardown(folder_gone_before_commit, scratch_clean),
        cmocka_unit_test_teardown(closed_pipe, scratch_clean),
        cmocka_unit_test_teardown(non_blocking_pipe, scratch_clean),
        cmocka_unit_test_teardown(same_file, scratch_clean),
    };
    return cmocka_run_group_tests_name("output_file", tests, scratch_make, scratch_remove);
}
