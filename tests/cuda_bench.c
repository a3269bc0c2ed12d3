/* cuda_bench: how fast the wave's kernels write, against cudaMemsetAsync on the
 * same memory and against one thread per vertex with sinf and cosf.
 *
 *     cuda_bench           a table of sizes
 *     cuda_bench --tune    16384x16384, 4096x4096 and 1024x1024 with other block
 *                          sizes, rows per thread and orders, best first
 *
 * Median of several runs after a warm-up. The launches of a run queue up behind
 * a delay, so that the host's time to launch does not count; what is timed is
 * many launches in a row where one is short. Exit code 77: no GPU. */
#include <stdio.h>
#include <string.h>

#include "kernels/cuda_result.h"
#include "kernels/wave_baseline.h"
#include "kernels/wave_kernel.h"
#include "tests/cuda_wave.h"

enum { RUNS = 11, LAUNCHES_MAX = 200 };

enum work { WORK_MEMSET, WORK_BASELINE, WORK_WAVE, WORK_TUNED };

struct bench {
    cudaStream_t stream;
    cudaEvent_t begin, end;
    struct cuda_wave wave;
    float *heights;
    struct wave_tuning tuning; /* WORK_TUNED */
    bool streaming;
};

static bool launch(const struct bench *bench, enum work work, struct error *error)
{
    const struct wave_grid *grid = &bench->wave.grid;
    const size_t bytes = (size_t) grid->width * grid->height * sizeof(float);
    const struct wave_job job = {.heights = bench->heights, .sin_t = 0.6f, .cos_t = 0.8f};
    switch (work) {
    case WORK_MEMSET:
        return CUDA_OK(error, cudaMemsetAsync(bench->heights, 0, bytes, bench->stream), "clear");
    case WORK_BASELINE:
        return CUDA_OK(
            error,
            wave_baseline_fill(bench->heights, grid->width, grid->height, 1.0f, bench->stream),
            "run the baseline");
    case WORK_WAVE:
        return CUDA_OK(error, wave_fill_buffers(grid, &job, 1, bench->stream), "fill");
    default:
        return CUDA_OK(
            error,
            wave_fill_buffers_tuned(grid, &job, 1, bench->tuning, bench->streaming, bench->stream),
            "fill");
    }
}

static int ascending(const void *a, const void *b)
{
    const float x = *(const float *) a;
    const float y = *(const float *) b;
    return (x > y) - (x < y);
}

/* Microseconds per launch; of several kinds of work in turn, so that a change
 * of the clocks meets all alike. */
static bool measure(const struct bench *bench, const enum work *works, size_t count, double *us,
                    struct error *error)
{
    float samples[4][RUNS];
    const size_t bytes = (size_t) bench->wave.grid.width * bench->wave.grid.height * sizeof(float);
    const int launches = bytes > ((size_t) 1 << 27) ? 4 : LAUNCHES_MAX;
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
                samples[w][run] = ms * 1e3f / (float) launches;
        }
    }
    for (size_t w = 0; w < count; w++) {
        qsort(samples[w], RUNS, sizeof samples[w][0], ascending);
        us[w] = (double) samples[w][RUNS / 2];
    }
    return true;
}

static void release(struct bench *bench)
{
    if (bench->heights)
        (void) cudaFree(bench->heights);
    bench->heights = NULL;
    cuda_wave_destroy(&bench->wave);
}

static bool prepare(struct bench *bench, uint32_t width, uint32_t height, struct error *error)
{
    const size_t bytes = (size_t) width * height * sizeof(float);
    if (cuda_wave_create(width, height, bench->stream, &bench->wave, error) &&
        CUDA_OK(error, cudaMalloc((void **) &bench->heights, bytes), "allocate %zu bytes", bytes))
        return true;
    bench->heights = NULL;
    release(bench);
    return false;
}

static bool compare(struct bench *bench, uint32_t width, uint32_t height, struct error *error)
{
    const enum work works[] = {WORK_MEMSET, WORK_BASELINE, WORK_WAVE};
    double us[3];
    if (!prepare(bench, width, height, error))
        return false;
    const bool ok = measure(bench, works, 3, us, error);
    release(bench);
    if (!ok)
        return false;
    const double kilobytes = (double) width * height * sizeof(float) / 1e3;
    (void) printf("%6u x %-6u %10.2f %8.1f %8.1f %8.1f %12.3f %14.3f\n", width, height, us[2],
                  kilobytes / us[2], kilobytes / us[0], kilobytes / us[1], us[0] / us[2],
                  us[1] / us[2]);
    (void) fflush(stdout);
    return true;
}

struct trial {
    struct wave_tuning tuning;
    bool streaming;
    double us;
};

static int faster(const void *a, const void *b)
{
    const double x = ((const struct trial *) a)->us;
    const double y = ((const struct trial *) b)->us;
    return (x > y) - (x < y);
}

static bool tune(struct bench *bench, uint32_t width, uint32_t height, struct error *error)
{
    static const uint32_t threads[] = {128, 256, 512, 1024};
    static const uint32_t rows[] = {4, 8, 16, 32, 64, 1u << 20};
    struct trial trials[4 * 6 * 2 * 2];
    size_t count = 0;
    if (!prepare(bench, width, height, error))
        return false;

    double memset_us = 0.0;
    bool ok = true;
    for (int i = 0; ok && i < 4 * 6 * 2 * 2; i++) {
        const struct wave_tuning tuning = {threads[i / 24], rows[i / 4 % 6], i % 2 != 0};
        const enum work works[] = {WORK_MEMSET, WORK_TUNED};
        double us[2];
        bench->tuning = tuning;
        bench->streaming = i / 2 % 2 != 0;
        ok = measure(bench, works, 2, us, error);
        if (ok)
            trials[count++] = (struct trial){tuning, bench->streaming, us[1]};
        memset_us = us[0];
    }
    release(bench);
    if (!ok)
        return false;
    qsort(trials, count, sizeof trials[0], faster);
    (void) printf("\n%u x %u, cudaMemsetAsync %.2f us\n", width, height, memset_us);
    (void) printf("%8s %8s %8s %10s %10s %10s\n", "threads", "rows", "banded", "streaming", "us",
                  "of memset");
    for (size_t i = 0; i < count; i++)
        (void) printf("%8u %8u %8s %10s %10.2f %10.3f\n", trials[i].tuning.threads,
                      trials[i].tuning.rows, trials[i].tuning.banded ? "yes" : "no",
                      trials[i].streaming ? "yes" : "no", trials[i].us, memset_us / trials[i].us);
    return true;
}

int main(int argc, char **argv)
{
    static const struct {
        uint32_t width, height;
    } sizes[] = {{256, 256}, {257, 131}, {1024, 1024}, {4096, 4096}, {16384, 16384}, {16383, 16385},
                 {4096, 3},  {3, 4096},  {1, 4096},    {65536, 2},   {65536, 65536}};
    const bool tuning = argc == 2 && strcmp(argv[1], "--tune") == 0;
    if (argc > 1 && !tuning) {
        (void) fprintf(stderr, "usage: cuda_bench [--tune]\n");
        return 2;
    }

    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        (void) printf("no CUDA device: %s\n", cudaGetErrorString(cudaGetLastError()));
        return 77;
    }

    struct error error = {0};
    struct bench bench = {0};
    struct cudaDeviceProp properties;
    bool ok = CUDA_OK(&error, cudaGetDeviceProperties(&properties, 0), "read properties") &&
              CUDA_OK(&error, cudaStreamCreateWithFlags(&bench.stream, cudaStreamNonBlocking),
                      "make a stream") &&
              CUDA_OK(&error, cudaEventCreate(&bench.begin), "make an event") &&
              CUDA_OK(&error, cudaEventCreate(&bench.end), "make an event") &&
              CUDA_OK(&error, wave_kernel_load(), "load the kernels");
    if (!ok)
        goto end;
    (void) printf("%s, median of %d\n", properties.name, RUNS);
    if (tuning) {
        ok = tune(&bench, 16384, 16384, &error) && tune(&bench, 4096, 4096, &error) &&
             tune(&bench, 1024, 1024, &error);
        goto end;
    }

    (void) printf("%15s %10s %8s %8s %8s %12s %14s\n", "grid", "us", "GB/s", "memset", "baseline",
                  "wave/memset", "wave/baseline");
    for (size_t i = 0; ok && i < sizeof sizes / sizeof sizes[0]; i++) {
        const uint32_t width = sizes[i].width;
        const uint32_t height = sizes[i].height;
        if ((size_t) width * height * sizeof(float) > properties.totalGlobalMem / 10 * 9)
            (void) printf("%6u x %-6u does not fit\n", width, height);
        else
            ok = compare(&bench, width, height, &error);
    }

end:
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
