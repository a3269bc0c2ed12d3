/* cuda_bench: how fast the wave's kernels write, against cudaMemsetAsync on the
 * same memory and against two kernels with sinf and cosf at each vertex (see
 * kernels/wave_baseline.h).
 *
 *     cuda_bench [--json]  sizes, and batches in one launch and in many
 *     cuda_bench --start [--json]
 *                          what CUDA takes to start in this process, nothing else
 *     cuda_bench --tune    several sizes with other block sizes, rows per thread
 *                          and stores; the best ones and the default's place
 *
 * Median of several runs after a warm-up. The launches of a run queue up behind
 * a delay, so that the host's time to launch does not count; what is timed is
 * many launches in a row where one is short. Exit code 77: no GPU. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "kernels/cuda_result.h"
#include "kernels/wave_baseline.h"
#include "kernels/wave_kernel.h"
#include "tests/bench_row.h"
#include "tests/cuda_wave.h"
#include "tests/median.h"

enum { RUNS = 11, LAUNCHES_MAX = 200, BATCH = 8, BEST = 8 };

enum work {
    WORK_MEMSET,
    WORK_VERTEX,
    WORK_STRIDED,
    WORK_WAVE,
    WORK_TUNED,
    WORK_BATCH,  /* BATCH slots in one launch */
    WORK_SINGLES /* the same in as many launches */
};
enum { WORKS_MAX = 4 };

struct bench {
    bool json;
    cudaStream_t stream;
    cudaEvent_t begin, end;
    uint32_t blocks; /* of the strided baseline */
    struct cuda_wave wave;
    float *memory;
    struct wave_job jobs[BATCH]; /* in the memory, all `bytes` long */
    size_t bytes;
    struct wave_tuning tuning; /* WORK_TUNED */
};

static bool launch(const struct bench *bench, enum work work, struct error *error)
{
    const struct wave_grid *grid = &bench->wave.grid;
    const cudaStream_t stream = bench->stream;
    float *const heights = bench->jobs[0].heights;
    switch (work) {
    case WORK_MEMSET:
        return CUDA_OK(error, cudaMemsetAsync(heights, 0, bench->bytes, stream), "clear");
    case WORK_VERTEX:
        return CUDA_OK(error,
                       wave_baseline_vertex(heights, grid->width, grid->height, 1.0f, stream),
                       "run the baseline");
    case WORK_STRIDED:
        return CUDA_OK(
            error,
            wave_baseline_strided(heights, grid->width, grid->height, 1.0f, bench->blocks, stream),
            "run the strided baseline");
    case WORK_WAVE:
        return CUDA_OK(error, wave_fill_buffers(grid, bench->jobs, 1, stream), "fill");
    case WORK_TUNED:
        return CUDA_OK(error, wave_fill_buffers_tuned(grid, bench->jobs, 1, bench->tuning, stream),
                       "fill");
    case WORK_BATCH:
        return CUDA_OK(error, wave_fill_buffers(grid, bench->jobs, BATCH, stream), "fill");
    default:
        for (uint32_t i = 0; i < BATCH; i++) {
            if (!CUDA_OK(error, wave_fill_buffers(grid, &bench->jobs[i], 1, stream), "fill"))
                return false;
        }
        return true;
    }
}

/* Microseconds per launch; of several kinds of work in turn, so that a change
 * of the clocks meets all alike. */
static bool measure(const struct bench *bench, const enum work *works, size_t count, double *us,
                    struct error *error)
{
    double samples[WORKS_MAX][RUNS];
    const int most = works[0] == WORK_BATCH ? LAUNCHES_MAX / BATCH : LAUNCHES_MAX;
    const int launches = bench->bytes > ((size_t) 1 << 27) ? 4 : most;
    for (int run = -2; run < RUNS; run++) {
        for (size_t w = 0; w < count; w++) {
            if (!CUDA_OK(error, wave_delay(2, bench->stream), "delay") ||
                !launch(bench, works[w], error) ||
                !CUDA_OK(error, cudaEventRecord(bench->begin, bench->stream), "record"))
                return false;
            for (int i = 0; i < launches; i++) {
                if (!launch(bench, works[w], error))
                    return false;
            }
            float ms = 0.0f;
            if (!CUDA_OK(error, cudaEventRecord(bench->end, bench->stream), "record") ||
                !CUDA_OK(error, cudaEventSynchronize(bench->end), "wait") ||
                !CUDA_OK(error, cudaEventElapsedTime(&ms, bench->begin, bench->end), "read"))
                return false;
            if (run >= 0)
                samples[w][run] = (double) ms * 1e3 / launches;
        }
    }
    for (size_t w = 0; w < count; w++)
        us[w] = median(samples[w], RUNS);
    return true;
}

static void release(struct bench *bench)
{
    if (bench->memory)
        (void) cudaFree(bench->memory);
    bench->memory = NULL;
    cuda_wave_destroy(&bench->wave);
}

/* `slots` height maps, each at a multiple of 256 bytes plus `shift` floats. */
static bool prepare(struct bench *bench, uint32_t width, uint32_t height, uint32_t slots,
                    uint32_t shift, struct error *error)
{
    bench->bytes = (size_t) width * height * sizeof(float);
    const size_t stride = (bench->bytes / 256 + 1) * 256;
    bench->memory = NULL;
    if (!cuda_wave_create(width, height, bench->stream, &bench->wave, error))
        return false;
    if (!CUDA_OK(error, cudaMalloc((void **) &bench->memory, stride * slots + 256),
                 "allocate %zu bytes", stride * slots + 256)) {
        bench->memory = NULL;
        release(bench);
        return false;
    }
    for (uint32_t i = 0; i < slots; i++)
        bench->jobs[i] =
            (struct wave_job){.heights = bench->memory + i * (stride / sizeof(float)) + shift,
                              .sin_t = 0.6f,
                              .cos_t = 0.8f};
    return true;
}

struct size {
    uint32_t width, height, shift; /* shift: floats off a 16-byte boundary */
};

static const char *size_text(const char *what, const struct size *size, char *text, size_t length)
{
    (void) snprintf(text, length, size->shift ? "%s%ux%u+%u" : "%s%ux%u", what, size->width,
                    size->height, 4 * size->shift);
    return text;
}

static bool compare(struct bench *bench, const struct size *size, struct error *error)
{
    const enum work works[] = {WORK_MEMSET, WORK_VERTEX, WORK_STRIDED, WORK_WAVE};
    double us[4];
    char text[48];
    if (!prepare(bench, size->width, size->height, 1, size->shift, error))
        return false;
    const bool ok = measure(bench, works, 4, us, error);
    release(bench);
    if (!ok)
        return false;
    const struct bench_row row = {
        .name = size_text("kernel ", size, text, sizeof text),
        .us = us[3],
        .bytes = (double) bench->bytes,
        .against = {{"memset", us[0]}, {"vertex", us[1]}, {"strided", us[2]}},
    };
    bench_row_print(bench->json, &row);
    return true;
}

static bool batch(struct bench *bench, uint32_t width, uint32_t height, struct error *error)
{
    const enum work works[] = {WORK_BATCH, WORK_SINGLES};
    const struct size size = {width, height, 0};
    double us[2];
    char text[48];
    if (!prepare(bench, width, height, BATCH, 0, error))
        return false;
    const bool ok = measure(bench, works, 2, us, error);
    release(bench);
    if (!ok)
        return false;
    const struct bench_row row = {
        .name = size_text("kernel, one of 8 in a launch, ", &size, text, sizeof text),
        .us = us[0] / BATCH,
        .bytes = (double) bench->bytes,
        .against = {{"8 launches", us[1] / BATCH}},
    };
    bench_row_print(bench->json, &row);
    return true;
}

struct trial {
    struct wave_tuning tuning;
    double us, memset_us, vertex_us;
};

static int faster(const void *a, const void *b)
{
    const double x = ((const struct trial *) a)->us;
    const double y = ((const struct trial *) b)->us;
    return (x > y) - (x < y);
}

static bool same(const struct wave_tuning *a, const struct wave_tuning *b)
{
    return a->threads == b->threads && a->rows == b->rows && a->streaming == b->streaming;
}

static bool tune(struct bench *bench, const struct size *size, struct error *error)
{
    enum { THREADS = 5, ROWS = 3, TRIALS = THREADS * ROWS * 2 };
    static const enum work works[] = {WORK_MEMSET, WORK_VERTEX, WORK_TUNED};
    struct trial trials[TRIALS];
    size_t count = 0;
    char text[48];
    if (!prepare(bench, size->width, size->height, 1, size->shift, error))
        return false;

    const struct wave_grid *grid = &bench->wave.grid;
    const struct wave_tuning chosen =
        wave_tuning_default(size->width, size->height, 1, grid->resident, grid->cache);
    bool ok = true;
    for (uint32_t i = 0; ok && i < TRIALS; i++) {
        const struct wave_tuning tuning = {64u << i / (2 * ROWS), 1u << i / 2 % ROWS, i % 2 != 0};
        /* One vertex a thread there, and no choice of stores. */
        if (size->width < WAVE_CHUNK && (tuning.rows != chosen.rows || tuning.streaming))
            continue;
        double us[3];
        bench->tuning = tuning;
        ok = measure(bench, works, 3, us, error);
        if (ok)
            trials[count++] = (struct trial){tuning, us[2], us[0], us[1]};
    }
    release(bench);
    if (!ok)
        return false;
    qsort(trials, count, sizeof trials[0], faster);
    (void) printf("\n%s\n%4s %8s %8s %10s %10s %10s %10s\n", size_text("", size, text, sizeof text),
                  "", "threads", "rows", "streaming", "us", "of memset", "of vertex");
    for (size_t i = 0; i < count; i++) {
        const struct trial *trial = &trials[i];
        const bool is_default = same(&trial->tuning, &chosen);
        if (i < BEST || is_default || i + 1 == count)
            (void) printf("%4zu %8u %8u %10s %10.2f %10.3f %10.3f%s\n", i + 1,
                          trial->tuning.threads, trial->tuning.rows,
                          trial->tuning.streaming ? "yes" : "no", trial->us,
                          trial->memset_us / trial->us, trial->vertex_us / trial->us,
                          is_default ? "  default" : "");
    }
    (void) fflush(stdout);
    return true;
}

static bool run_sizes(struct bench *bench, size_t device_bytes, struct error *error)
{
    static const struct size sizes[] = {
        {256, 256, 0},     {256, 256, 1},     {257, 131, 0},     {257, 131, 3},   {512, 512, 0},
        {1024, 1024, 0},   {1024, 1024, 1},   {1023, 1025, 0},   {4096, 4096, 0}, {4095, 4097, 0},
        {16384, 16384, 0}, {16384, 16384, 1}, {16383, 16385, 0}, {4096, 3, 0},    {3, 4096, 0},
        {1, 4096, 0},      {5, 7, 0},         {65536, 2, 0},     {2, 65536, 0},   {65536, 65536, 0},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        /* One that does not fit has no row. */
        if ((size_t) sizes[i].width * sizes[i].height * sizeof(float) <= device_bytes / 10 * 9 &&
            !compare(bench, &sizes[i], error))
            return false;
    }
    return batch(bench, 256, 256, error) && batch(bench, 257, 131, error) &&
           batch(bench, 1024, 1024, error);
}

static bool run_tune(struct bench *bench, struct error *error)
{
    static const struct size sizes[] = {
        {256, 256, 0},   {256, 256, 1},     {257, 131, 0},     {4096, 3, 0},
        {3, 4096, 0},    {512, 512, 0},     {1024, 1024, 0},   {2048, 2048, 0},
        {4096, 4096, 0}, {16384, 16384, 0}, {16383, 16385, 0},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (!tune(bench, &sizes[i], error))
            return false;
    }
    return true;
}

/* The first call that needs a context makes it, after the driver has started. */
static int run_start(bool json)
{
    struct timespec begin = {0};
    struct timespec end = {0};
    (void) clock_gettime(CLOCK_MONOTONIC, &begin);
    const cudaError_t result = cudaFree(NULL);
    (void) clock_gettime(CLOCK_MONOTONIC, &end);
    if (result != cudaSuccess) {
        (void) printf("no CUDA device: %s\n", cudaGetErrorString(result));
        return 77;
    }
    const struct bench_row row = {
        .name = "CUDA alone",
        .us = (double) (end.tv_sec - begin.tv_sec) * 1e6 +
              (double) (end.tv_nsec - begin.tv_nsec) * 1e-3,
    };
    bench_row_print(json, &row);
    return 0;
}

int main(int argc, char **argv)
{
    const bool start = bench_option(&argc, &argv, "--start");
    const bool tuning = !start && bench_option(&argc, &argv, "--tune");
    const bool json = !tuning && bench_option(&argc, &argv, "--json");
    if (argc > 1) {
        (void) fprintf(stderr, "usage: cuda_bench [--start] [--json], or --tune\n");
        return 2;
    }
    if (start)
        return run_start(json);

    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        (void) printf("no CUDA device: %s\n", cudaGetErrorString(cudaGetLastError()));
        return 77;
    }

    struct error error = {0};
    struct bench bench = {.json = json};
    struct cudaDeviceProp properties;
    int driver = 0;
    const bool ok =
        CUDA_OK(&error, cudaGetDeviceProperties(&properties, 0), "read properties") &&
        CUDA_OK(&error, cudaDriverGetVersion(&driver), "read the driver's version") &&
        CUDA_OK(&error, cudaStreamCreateWithFlags(&bench.stream, cudaStreamNonBlocking),
                "make a stream") &&
        CUDA_OK(&error, cudaEventCreate(&bench.begin), "make an event") &&
        CUDA_OK(&error, cudaEventCreate(&bench.end), "make an event") &&
        CUDA_OK(&error, wave_baseline_blocks(&bench.blocks), "read the device's size") &&
        CUDA_OK(&error, wave_kernel_load(), "load the kernels") &&
        (json || printf("%s, %d MiB of L2, CUDA %d.%d, median of %d; times as fast as others\n",
                        properties.name, properties.l2CacheSize >> 20, driver / 1000,
                        driver % 1000 / 10, RUNS) > 0) &&
        (tuning ? run_tune(&bench, &error) : run_sizes(&bench, properties.totalGlobalMem, &error));
    if (!ok)
        (void) fprintf(stderr, "cuda_bench: error: %s\n", error.text);
    if (bench.end)
        (void) cudaEventDestroy(bench.end);
    if (bench.begin)
        (void) cudaEventDestroy(bench.begin);
    if (bench.stream)
        (void) cudaStreamDestroy(bench.stream);
    return ok ? 0 : 1;
}
