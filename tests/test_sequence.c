/* Frames to files and to a stream on worker threads; progress. */
#define _XOPEN_SOURCE 700 /* pseudo-terminals */ // NOLINT(bugprone-reserved-identifier,cert-*)

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>

#include <cmocka.h>

#include "app/output_file.h"
#include "app/png_file.h"
#include "app/progress.h"
#include "app/sequence.h"
#include "tests/scratch.h"

enum { WIDTH = 33, HEIGHT = 21, SIZE = WIDTH * HEIGHT * 4 };

static void draw(uint8_t *pixels, uint64_t index)
{
    for (size_t i = 0; i < SIZE; i++)
        pixels[i] = i % 4 == 3 ? 255 : (uint8_t) (i * 7 + index * 13);
}

static struct sequence_params params_for(const char *output, uint32_t workers)
{
    return (struct sequence_params){.output = output,
                                    .fd = -1,
                                    .width = WIDTH,
                                    .height = HEIGHT,
                                    .order = PIXELS_BGRA,
                                    .time_step = 0.04,
                                    .workers = workers};
}

static void check_frame(const char *path, uint64_t index)
{
    uint8_t pixels[SIZE];
    struct error error = {0};
    size_t size = 0, expected_size = 0;
    draw(pixels, index);
    assert_true(
        png_file_write(scratch("expected.png"), WIDTH, HEIGHT, PIXELS_BGRA, pixels, &error));
    unsigned char *bytes = scratch_read(path, &size);
    unsigned char *expected = scratch_read(scratch("expected.png"), &expected_size);
    assert_int_equal(size, expected_size);
    assert_memory_equal(bytes, expected, size);
    free(bytes);
    free(expected);
    assert_int_equal(unlink(scratch("expected.png")), 0);
}

static void files_of_every_frame(void **state)
{
    (void) state;
    enum { FRAMES = 60, FIRST = 99980 };
    static const uint32_t workers[] = {1, 3, SEQUENCE_WORKERS_MAX, 0};
    for (size_t w = 0; w < sizeof workers / sizeof workers[0]; w++) {
        struct sequence *sequence = NULL;
        struct error error = {0};
        uint8_t *seen[2 * SEQUENCE_WORKERS_MAX] = {0};
        size_t buffers = 0;
        char pattern[SCRATCH_PATH];
        memcpy(pattern, scratch("f-%05d.png"), sizeof pattern);
        struct sequence_params params = params_for(pattern, workers[w]);
        params.first_frame = FIRST;
        assert_true(sequence_create(&sequence, &params, &error));
        memset(pattern, 'x', 10); /* the sequence has a copy */
        for (uint64_t i = FIRST; i < FIRST + FRAMES; i++) {
            uint8_t *pixels = sequence_acquire(sequence, &error);
            assert_non_null(pixels);
            assert_ptr_equal(pixels, sequence_acquire(sequence, &error));
            size_t known = 0;
            while (known < buffers && seen[known] != pixels)
                known++;
            assert_true(known < sizeof seen / sizeof seen[0]); /* memory is constant */
            if (known == buffers)
                seen[buffers++] = pixels;
            draw(pixels, i);
            assert_true(sequence_push(sequence, i, &error));
        }
        assert_true(sequence_finish(sequence, &error));
        assert_int_equal(sequence_written(sequence), FRAMES);
        sequence_destroy(sequence);
        assert_int_equal(scratch_count(), FRAMES);
        for (uint64_t i = FIRST; i < FIRST + FRAMES; i++) {
            char name[32];
            (void) snprintf(name, sizeof name, "f-%05u.png", (unsigned) i);
            check_frame(scratch(name), i);
        }
        assert_int_equal(scratch_clean(state), 0);
    }
}

/* One frame's name leads to a full disk. */
static void error_is_kept_and_returned(void **state)
{
    (void) state;
    struct sequence *sequence = NULL;
    struct error error = {0}, later = {0};
    struct sequence_params params = params_for(scratch("f-%d.png"), 2);
    assert_int_equal(symlink("/dev/full", scratch("f-3.png")), 0);
    assert_true(sequence_create(&sequence, &params, &error));
    uint64_t pushed = 0;
    bool good = true;
    while (good && pushed < 10000) {
        uint8_t *pixels = sequence_acquire(sequence, &error);
        good = pixels != NULL;
        if (pixels) {
            draw(pixels, pushed);
            good = sequence_push(sequence, pushed, &error);
        }
        if (good)
            pushed++;
    }
    assert_true(pushed >= 4 && pushed < 10000);
    assert_int_equal(error.kind, ERROR_RUNTIME);
    assert_non_null(strstr(error.text, "f-3.png: No space left on device; free some space"));
    assert_false(sequence_finish(sequence, &later));
    assert_string_equal(later.text, error.text);
    later = (struct error){0};
    assert_null(sequence_acquire(sequence, &later));
    assert_int_equal(later.kind, ERROR_RUNTIME);
    assert_true(sequence_written(sequence) < 10000);
    int files = scratch_count();
    /* No file but whole ones and the link. */
    assert_int_equal(files, (int) sequence_written(sequence) + 1);
    sequence_destroy(sequence);
    check_frame(scratch("f-0.png"), 0);
}

static void error_of_the_last_frame_comes_at_the_end(void **state)
{
    (void) state;
    struct sequence *sequence = NULL;
    struct error error = {0};
    struct sequence_params params = params_for(scratch("f-%d.png"), 2);
    assert_int_equal(symlink("/dev/full", scratch("f-1.png")), 0);
    assert_true(sequence_create(&sequence, &params, &error));
    for (uint64_t i = 0; i < 2; i++) {
        assert_non_null(sequence_acquire(sequence, &error));
        assert_true(sequence_push(sequence, i, &error));
    }
    assert_false(sequence_finish(sequence, &error));
    assert_int_equal(error.kind, ERROR_RUNTIME);
    sequence_destroy(sequence);
}

static void refused_at_creation(void **state)
{
    (void) state;
    struct sequence *sequence = NULL;
    struct error error = {0};
    struct sequence_params params = params_for(scratch("none/f-%d.png"), 0);
    assert_false(sequence_create(&sequence, &params, &error));
    assert_null(sequence);
    assert_int_equal(error.kind, ERROR_RUNTIME);
    assert_non_null(strstr(error.text, "create the folder first"));

    error = (struct error){0};
    params = params_for("frame.png", 0);
    assert_false(sequence_create(&sequence, &params, &error));
    assert_int_equal(error.kind, ERROR_USAGE);

    error = (struct error){0};
    params = params_for(scratch("f-%d.png"), 0);
    params.width = UINT32_MAX;
    params.height = UINT32_MAX;
    assert_false(sequence_create(&sequence, &params, &error));
    assert_int_equal(error.kind, ERROR_RUNTIME);

    error = (struct error){0};
    params = params_for("-", 0); /* the descriptor -1 */
    assert_false(sequence_create(&sequence, &params, &error));
    assert_int_equal(error.kind, ERROR_RUNTIME);
    sequence_destroy(NULL);
    assert_int_equal(scratch_count(), 0);
}

static void misuse(void **state)
{
    (void) state;
    struct sequence *sequence = NULL;
    struct error error = {0};
    struct sequence_params params = params_for(scratch("f-%d.png"), 1);
    assert_true(sequence_create(&sequence, &params, &error));
    assert_false(sequence_push(sequence, 0, &error)); /* nothing acquired */
    error = (struct error){0};
    assert_non_null(sequence_acquire(sequence, &error));
    assert_true(sequence_finish(sequence, &error)); /* acquired, never pushed */
    assert_false(sequence_push(sequence, 0, &error));
    sequence_destroy(sequence);
    assert_int_equal(scratch_count(), 0);
}

/* Abandoned with frames in the queue. */
static void destroyed_half_way(void **state)
{
    (void) state;
    for (int round = 0; round < 20; round++) {
        struct sequence *sequence = NULL;
        struct error error = {0};
        struct sequence_params params = params_for(scratch("f-%d.png"), 2);
        assert_true(sequence_create(&sequence, &params, &error));
        for (uint64_t i = 0; i < 4; i++) {
            uint8_t *pixels = sequence_acquire(sequence, &error);
            assert_non_null(pixels);
            draw(pixels, i);
            assert_true(sequence_push(sequence, i, &error));
        }
        sequence_destroy(sequence);
        for (unsigned i = 0; i < 4; i++) {
            char name[16];
            (void) snprintf(name, sizeof name, "f-%u.png", i);
            if (access(scratch(name), F_OK) == 0)
                check_frame(scratch(name), i);
        }
        assert_int_equal(scratch_clean(state), 0);
    }
}

struct reading {
    int fd;
    uint8_t *bytes;
    size_t size, most;
};

static void *read_stream(void *argument)
{
    struct reading *reading = argument;
    ssize_t got = 1;
    while (got > 0 && reading->size < reading->most) {
        got = read(reading->fd, reading->bytes + reading->size, reading->most - reading->size);
        reading->size += got > 0 ? (size_t) got : 0;
    }
    return NULL;
}

static void stream_keeps_the_order(void **state)
{
    (void) state;
    enum { FRAMES = 80, PLANES = WIDTH * HEIGHT * 3, FRAME = 6 + PLANES };
    static const char header[] = "YUV4MPEG2 W33 H21 F25:1 Ip A1:1 C444 XCOLORRANGE=LIMITED\n";
    enum { TOTAL = sizeof header - 1 + (size_t) FRAMES * FRAME };
    struct sequence *sequence = NULL;
    struct error error = {0};
    int ends[2];
    pthread_t thread;
    assert_int_equal(pipe(ends), 0);
    struct reading reading = {.fd = ends[0], .bytes = malloc(TOTAL + 1), .most = TOTAL + 1};
    assert_non_null(reading.bytes);
    assert_int_equal(pthread_create(&thread, NULL, read_stream, &reading), 0);
    struct sequence_params params = params_for("-", 8);
    params.fd = ends[1];
    assert_true(sequence_create(&sequence, &params, &error));
    for (uint64_t i = 0; i < FRAMES; i++) {
        uint8_t *pixels = sequence_acquire(sequence, &error);
        assert_non_null(pixels);
        memset(pixels, (int) i, SIZE); /* grey: Y tells the frame */
        assert_true(sequence_push(sequence, i, &error));
    }
    assert_true(sequence_finish(sequence, &error));
    assert_int_equal(sequence_written(sequence), FRAMES);
    sequence_destroy(sequence);
    assert_int_equal(close(ends[1]), 0); /* was left open */
    assert_int_equal(pthread_join(thread, NULL), 0);
    (void) close(ends[0]);
    assert_int_equal(reading.size, TOTAL);
    assert_memory_equal(reading.bytes, header, sizeof header - 1);
    for (unsigned i = 0; i < FRAMES; i++) {
        const uint8_t *frame = reading.bytes + sizeof header - 1 + (size_t) i * FRAME;
        assert_memory_equal(frame, "FRAME\n", 6);
        unsigned luma = (16829U * i + 33039U * i + 6416U * i + (16U << 16) + (1U << 15)) >> 16;
        assert_int_equal(frame[6], luma);
        assert_int_equal(frame[FRAME - 1], 128);
    }
    free(reading.bytes);
}

static void reader_goes_away(void **state)
{
    (void) state;
    struct sequence *sequence = NULL;
    struct error error = {0};
    int ends[2];
    (void) signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe(ends), 0);
    struct sequence_params params = params_for("-", 0);
    params.fd = ends[1];
    assert_true(sequence_create(&sequence, &params, &error));
    (void) close(ends[0]);
    unsigned pushed = 0;
    while (sequence_acquire(sequence, &error) && sequence_push(sequence, pushed, &error))
        assert_true(++pushed < 1000);
    assert_int_equal(error.kind, ERROR_RUNTIME);
    assert_non_null(strstr(error.text, "Broken pipe; keep the reader open"));
    assert_int_equal(sequence_written(sequence), 0);
    sequence_destroy(sequence);
    (void) close(ends[1]);
}

static void progress_line(void **state)
{
    (void) state;
    char text[80];
    progress_text(text, sizeof text, 12, 600, 0.5);
    assert_string_equal(text, "frame 12/600  24.0 fps  0:25 left");
    progress_text(text, sizeof text, 1, 7201, 1);
    assert_string_equal(text, "frame 1/7201  1.0 fps  2:00:00 left");
    progress_text(text, sizeof text, 5, 0, 1);
    assert_string_equal(text, "frame 5  5.0 fps");
    progress_text(text, sizeof text, 0, 9, 0);
    assert_string_equal(text, "frame 0/9  0.0 fps");
    progress_text(text, sizeof text, 9, 9, 1);
    assert_string_equal(text, "frame 9/9  9.0 fps  0:00 left");
    progress_text(text, sizeof text, UINT64_C(1000000000000000), UINT64_C(1000000000000000), 1e-9);
    assert_true(strlen(text) < 80);
    progress_text(text, sizeof text, 1, UINT64_C(1000000000000000), 1);
    assert_null(strstr(text, "left"));
}

static void no_progress_without_a_terminal(void **state)
{
    (void) state;
    struct progress progress;
    FILE *file = tmpfile();
    assert_non_null(file);
    progress_start(&progress, file, 10, false);
    progress_update(&progress, 5);
    progress_clear(&progress);
    assert_int_equal(ftell(file), 0);
    assert_int_equal(fclose(file), 0);
}

static void progress_on_a_terminal(void **state)
{
    (void) state;
    char got[256];
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0)
        skip();
    FILE *stream = fopen(ptsname(terminal), "w"); // NOLINT(concurrency-mt-unsafe)
    assert_non_null(stream);
    struct progress progress;
    progress_start(&progress, stream, 10, true);
    progress_update(&progress, 5);
    progress_start(&progress, stream, 10, false);
    progress_update(&progress, 6);
    assert_true(progress.next > progress.start);
    progress.next += 3600;
    progress_update(&progress, 7); /* too soon */
    progress_clear(&progress);
    progress_clear(&progress);
    assert_true(fputs("end", stream) >= 0 && fflush(stream) == 0);
    /* A terminal hands over what was written in pieces of its choice. */
    size_t length = 0;
    got[0] = '\0';
    while (!strstr(got, "end") && length < sizeof got - 1) {
        ssize_t count = read(terminal, got + length, sizeof got - 1 - length);
        assert_true(count > 0);
        length += (size_t) count;
        got[length] = '\0';
    }
    assert_int_equal(strncmp(got, "\rframe 6/10  ", 13), 0);
    assert_null(strstr(got, "frame 7"));
    const char *clear = strstr(got, "\r\033[K");
    assert_non_null(clear);
    assert_string_equal(clear, "\r\033[Kend"); /* once */
    (void) fclose(stream);
    (void) close(terminal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(files_of_every_frame, scratch_clean),
        cmocka_unit_test_teardown(error_is_kept_and_returned, scratch_clean),
        cmocka_unit_test_teardown(error_of_the_last_frame_comes_at_the_end, scratch_clean),
        cmocka_unit_test_teardown(refused_at_creation, scratch_clean),
        cmocka_unit_test_teardown(misuse, scratch_clean),
        cmocka_unit_test_teardown(destroyed_half_way, scratch_clean),
        cmocka_unit_test_teardown(stream_keeps_the_order, scratch_clean),
        cmocka_unit_test_teardown(reader_goes_away, scratch_clean),
        cmocka_unit_test(progress_line),
        cmocka_unit_test(no_progress_without_a_terminal),
        cmocka_unit_test(progress_on_a_terminal),
    };
    return cmocka_run_group_tests_name("sequence", tests, scratch_make, scratch_remove);
}
