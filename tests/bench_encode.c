/* How fast a sequence of PNG files is written: worker threads against a plain
 * loop on one thread, and the video stream's conversion.
 *
 * Usage: bench_encode [FRAMES [WIDTH HEIGHT]]; files go to a folder of their own
 * below $TMPDIR or /tmp and are removed.
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/png_file.h"
#include "app/sequence.h"

static double now(void)
{
    struct timespec time = {0};
    (void) clock_gettime(CLOCK_MONOTONIC, &time);
    return (double) time.tv_sec + (double) time.tv_nsec * 1e-9;
}

/* Something like a lit surface on a plain ground: smooth, but no two rows are
 * alike. Alpha 255. */
static void draw(uint8_t *pixels, uint32_t width, uint32_t height, unsigned shift)
{
    for (uint32_t y = 0; y < height; y++) {
        double v = 2.0 * y / height - 1;
        for (uint32_t x = 0; x < width; x++) {
            double u = 2.0 * (x + shift) / width - 1;
            double wave = sin(9 * u + v) * cos(9 * v - 0.5 * u);
            bool surface = fabs(v) + fabs(u) * 0.3 < 0.8;
            uint8_t *pixel = pixels + 4 * ((size_t) y * width + x);
            pixel[0] = surface ? (uint8_t) (120 + 90 * wave) : 30;
            pixel[1] = surface ? (uint8_t) (110 + 60 * wave * wave) : 24;
            pixel[2] = surface ? (uint8_t) (130 - 110 * wave) : 20;
            pixel[3] = 255;
        }
    }
}

enum { PICTURES = 4 };

struct bench {
    uint32_t width, height, frames;
    size_t size; /* bytes of a picture */
    uint8_t *pictures;
    char folder[256], pattern[300];
};

static const uint8_t *picture(const struct bench *bench, uint32_t frame)
{
    return bench->pictures + (frame % PICTURES) * bench->size;
}

static bool plain(const struct bench *bench, struct error *error)
{
    for (uint32_t i = 0; i < bench->frames; i++) {
        char path[320];
        (void) snprintf(path, sizeof path, "%s/f-%05u.png", bench->folder, (unsigned) i);
        if (!png_file_write(path, bench->width, bench->height, PIXELS_BGRA, picture(bench, i),
                            error))
            return false;
    }
    return true;
}

static bool threaded(const struct bench *bench, const char *output, int fd, struct error *error)
{
    struct sequence *sequence = NULL;
    struct sequence_params params = {.output = output,
                                     .fd = fd,
                                     .width = bench->width,
                                     .height = bench->height,
                                     .order = PIXELS_BGRA,
                                     .time_step = 1.0 / 60};
    if (!sequence_create(&sequence, &params, error))
        return false;
    bool good = true;
    for (uint32_t i = 0; good && i < bench->frames; i++) {
        uint8_t *pixels = sequence_acquire(sequence, error);
        if (pixels)
            memcpy(pixels, picture(bench, i), bench->size);
        good = pixels && sequence_push(sequence, i, error);
    }
    good = sequence_finish(sequence, error) && good;
    sequence_destroy(sequence);
    return good;
}

static void print(const struct bench *bench, const char *what, double seconds)
{
    double pixels = (double) bench->width * bench->height * bench->frames;
    (void) printf("%-24s %8.1f frames/s  %8.1f Mpixel/s\n", what, bench->frames / seconds,
                  pixels / seconds / 1e6);
}

static bool measure(const struct bench *bench, struct error *error)
{
    double start = now();
    if (!plain(bench, error))
        return false;
    double one = now() - start;
    print(bench, "PNG, plain loop", one);

    start = now();
    if (!threaded(bench, bench->pattern, -1, error))
        return false;
    double many = now() - start;
    print(bench, "PNG, sequence", many);

    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    start = now();
    if (null < 0 || !threaded(bench, "-", null, error))
        return error_set(error, ERROR_RUNTIME, "cannot write to /dev/null");
    print(bench, "y4m, sequence", now() - start);
    (void) close(null);

    char path[320];
    struct stat status = {0};
    (void) snprintf(path, sizeof path, "%s/f-00000.png", bench->folder);
    (void) stat(path, &status);
    (void) printf("%ld cores, %ux%u, %u frames, %.0f kB a PNG file: %.2f times the plain loop\n",
                  sysconf(_SC_NPROCESSORS_ONLN), (unsigned) bench->width, (unsigned) bench->height,
                  (unsigned) bench->frames, (double) status.st_size / 1e3, one / many);
    return true;
}

static void clean(const struct bench *bench)
{
    for (uint32_t i = 0; i < bench->frames; i++) {
        char path[320];
        (void) snprintf(path, sizeof path, "%s/f-%05u.png", bench->folder, (unsigned) i);
        (void) unlink(path);
    }
    (void) rmdir(bench->folder);
}

/* A whole number from 1 to `most`; `otherwise` where the argument is absent. */
static uint32_t number(int argc, char **argv, int at, uint32_t most, uint32_t otherwise)
{
    if (at >= argc)
        return otherwise;
    unsigned long value = strtoul(argv[at], NULL, 10);
    return value < 1 ? 1 : value > most ? most : (uint32_t) value;
}

int main(int argc, char **argv)
{
    const char *base = getenv("TMPDIR"); // NOLINT(concurrency-mt-unsafe)
    struct error error = {0};
    struct bench bench = {
        .frames = number(argc, argv, 1, 99999, 120),
        .width = number(argc, argv, 2, PNG_FILE_SIDE_MAX, 1280),
        .height = number(argc, argv, 3, PNG_FILE_SIDE_MAX, 800),
    };
    (void) snprintf(bench.folder, sizeof bench.folder, "%s/sinewave-bench-XXXXXX",
                    base && strlen(base) < 200 ? base : "/tmp");
    bool good = image_size(bench.width, bench.height, &bench.size);
    bench.pictures = good ? malloc(bench.size * PICTURES) : NULL;
    if (!bench.pictures || !mkdtemp(bench.folder)) {
        (void) fprintf(stderr, "bench_encode: no memory, or no folder %s\n", bench.folder);
        free(bench.pictures);
        return 4;
    }
    (void) snprintf(bench.pattern, sizeof bench.pattern, "%s/f-%%05d.png", bench.folder);
    for (unsigned i = 0; i < PICTURES; i++)
        draw(bench.pictures + i * bench.size, bench.width, bench.height, i * 7);
    good = measure(&bench, &error);
    if (!good)
        (void) fprintf(stderr, "bench_encode: %s\n", error.text);
    clean(&bench);
    free(bench.pictures);
    return good ? 0 : (int) error.kind;
}
