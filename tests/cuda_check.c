/* cuda_check: runs the wave's kernels on a GPU, without Vulkan, and compares
 * every byte with the host's evaluation of the same expression, and every
 * height with the formula in double precision.
 *
 * Prints a line per case and "N passed, N failed, N skipped". Exit code 0: all
 * passed; 1: some failed; 77: no GPU. */
#include <stdio.h>
#include <string.h>

#include "kernels/cuda_result.h"
#include "kernels/cuda_times.h"
#include "kernels/wave_kernel.h"
#include "tests/cuda_wave.h"

enum {
    POISON = 0xa5,
    GUARD = 64,    /* floats before and after each map that must stay poisoned */
    SLOTS_MAX = 70 /* more than two launches' worth */
};

static unsigned passed, failed, skipped;

static void report(bool ok, const struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void report(bool ok, const struct error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void) fputs(ok ? "ok - " : "not ok - ", stdout);
    (void) vprintf(format, arguments);
    va_end(arguments);
    if (!ok)
        (void) printf(" # %s", error->text);
    (void) putchar('\n');
    if (ok)
        passed++;
    else
        failed++;
}

/* Each step through a volatile, so that the compiler contracts nothing. */
static float expected(const struct cuda_wave *wave, uint32_t x, uint32_t y, float sin_t,
                      float cos_t)
{
    volatile float a = wave->column_sin[x] * cos_t;
    volatile float b = wave->column_cos[x] * sin_t;
    volatile float c = wave->row_cos[y] * cos_t;
    volatile float d = wave->row_sin[y] * sin_t;
    volatile float column = a + b;
    volatile float row = c - d;
    volatile float product = column * row;
    return 0.5f * product;
}

/* `got` holds width * height heights. */
static bool check_heights(const struct cuda_wave *wave, const float *got, double t,
                          struct error *error)
{
    const uint32_t width = wave->grid.width;
    const uint32_t height = wave->grid.height;
    const float sin_t = (float) sin(t);
    const float cos_t = (float) cos(t);
    for (uint32_t y = 0; y < height; y++) {
        const double row = cos(cuda_wave_phase(y, height) + t);
        for (uint32_t x = 0; x < width; x++) {
            const float *place = &got[(size_t) y * width + x];
            const float want = expected(wave, x, y, sin_t, cos_t);
            if (memcmp(place, &want, sizeof want) != 0)
                return error_set(error, ERROR_CHECK, "(%u, %u) is %.9g, not %.9g", x, y,
                                 (double) *place, (double) want);
            const double exact = 0.5 * sin(cuda_wave_phase(x, width) + t) * row;
            if (!(fabs((double) *place - exact) <= 1e-6))
                return error_set(error, ERROR_CHECK, "(%u, %u) is %.9g, far from %.17g", x, y,
                                 (double) *place, exact);
        }
    }
    return true;
}

static bool is_poisoned(const float *floats, size_t count)
{
    const unsigned char *bytes = (const unsigned char *) floats;
    for (size_t i = 0; i < count * sizeof(float); i++) {
        if (bytes[i] != POISON)
            return false;
    }
    return true;
}

/* `count` slots one after the other with guards between them, the first one
 * `shift` floats off a 16-byte boundary. `tuning` may be NULL. Slot i shows time t + i / 60. */
static bool try_buffers(uint32_t width, uint32_t height, double t, uint32_t count, uint32_t shift,
                        const struct wave_tuning *tuning, cudaStream_t stream, struct error *error)
{
    const size_t size = (size_t) width * height;
    const size_t stride = size + GUARD;
    const size_t total = GUARD + shift + count * stride;
    struct cuda_wave wave = {0};
    float *device = NULL;
    float *host = malloc(total * sizeof(float));
    bool ok = false;

    if (!host) {
        error_set(error, ERROR_RUNTIME, "out of memory");
        goto end;
    }
    if (!cuda_wave_create(width, height, stream, &wave, error) ||
        !CUDA_OK(error, cudaMalloc((void **) &device, total * sizeof(float)), "allocate slots") ||
        !CUDA_OK(error, cudaMemsetAsync(device, POISON, total * sizeof(float), stream), "poison"))
        goto end;

    struct wave_job jobs[SLOTS_MAX];
    for (uint32_t i = 0; i < count; i++) {
        const double time = t + i / 60.0;
        jobs[i] = (struct wave_job){.heights = device + GUARD + shift + i * stride,
                                    .sin_t = (float) sin(time),
                                    .cos_t = (float) cos(time)};
    }
    const cudaError_t result =
        tuning ? wave_fill_buffers_tuned(&wave.grid, jobs, count, *tuning, stream)
               : wave_fill_buffers(&wave.grid, jobs, count, stream);
    if (!CUDA_OK(error, result, "fill") ||
        !CUDA_OK(
            error,
            cudaMemcpyAsync(host, device, total * sizeof(float), cudaMemcpyDeviceToHost, stream),
            "read back") ||
        !CUDA_OK(error, cudaStreamSynchronize(stream), "wait"))
        goto end;

    if (!is_poisoned(host, GUARD + shift)) {
        error_set(error, ERROR_CHECK, "bytes before the first slot were overwritten");
        goto end;
    }
    for (uint32_t i = 0; i < count; i++) {
        const float *slot = host + GUARD + shift + i * stride;
        if (!check_heights(&wave, slot, t + i / 60.0, error))
            goto end;
        if (!is_poisoned(slot + size, GUARD)) {
            error_set(error, ERROR_CHECK, "bytes after slot %u were overwritten", i);
            goto end;
        }
    }
    ok = true;
end:
    if (device)
        (void) cudaFree(device);
    cuda_wave_destroy(&wave);
    free(host);
    return ok;
}

static bool try_images(uint32_t width, uint32_t height, double t, uint32_t count,
                       cudaStream_t stream, struct error *error)
{
    const size_t size = (size_t) width * height;
    struct cuda_wave wave = {0};
    cudaArray_t arrays[SLOTS_MAX] = {0};
    struct wave_job jobs[SLOTS_MAX] = {0};
    uint32_t surfaces = 0;
    float *host = malloc(size * sizeof(float));
    bool ok = false;

    if (!host) {
        error_set(error, ERROR_RUNTIME, "out of memory");
        goto end;
    }
    if (!cuda_wave_create(width, height, stream, &wave, error))
        goto end;
    const struct cudaChannelFormatDesc format = {.x = 32, .f = cudaChannelFormatKindFloat};
    for (uint32_t i = 0; i < count; i++, surfaces++) {
        memset(host, POISON, size * sizeof(float));
        if (!CUDA_OK(error,
                     cudaMallocArray(&arrays[i], &format, width, height, cudaArraySurfaceLoadStore),
                     "allocate an array") ||
            !CUDA_OK(error,
                     cudaMemcpy2DToArrayAsync(arrays[i], 0, 0, host, width * sizeof(float),
                                              width * sizeof(float), height, cudaMemcpyHostToDevice,
                                              stream),
                     "poison") ||
            !CUDA_OK(error, cudaStreamSynchronize(stream), "poison"))
            goto end;
        const struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray,
                                                  .res.array.array = arrays[i]};
        if (!CUDA_OK(error, cudaCreateSurfaceObject(&jobs[i].surface, &resource), "make a surface"))
            goto end;
        jobs[i].sin_t = (float) sin(t + i / 60.0);
        jobs[i].cos_t = (float) cos(t + i / 60.0);
    }
    if (!CUDA_OK(error, wave_fill_images(&wave.grid, jobs, count, stream), "fill"))
        goto end;
    for (uint32_t i = 0; i < count; i++) {
        memset(host, POISON, size * sizeof(float));
        if (!CUDA_OK(error,
                     cudaMemcpy2DFromArrayAsync(host, width * sizeof(float), arrays[i], 0, 0,
                                                width * sizeof(float), height,
                                                cudaMemcpyDeviceToHost, stream),
                     "read back") ||
            !CUDA_OK(error, cudaStreamSynchronize(stream), "wait") ||
            !check_heights(&wave, host, t + i / 60.0, error))
            goto end;
    }
    ok = true;
end:
    for (uint32_t i = 0; i < surfaces; i++)
        (void) cudaDestroySurfaceObject(jobs[i].surface);
    for (uint32_t i = 0; i < count; i++) {
        if (arrays[i])
            (void) cudaFreeArray(arrays[i]);
    }
    cuda_wave_destroy(&wave);
    free(host);
    return ok;
}

/* Enqueues the delay and asks at once: it must still be running. */
static bool try_delay(cudaStream_t stream, struct error *error)
{
    cudaEvent_t begin = NULL, end = NULL;
    float elapsed = 0.0f;
    bool ok = CUDA_OK(error, cudaEventCreate(&begin), "make an event") &&
              CUDA_OK(error, cudaEventCreate(&end), "make an event") &&
              CUDA_OK(error, cudaEventRecord(begin, stream), "record") &&
              CUDA_OK(error, wave_delay(50, stream), "delay") &&
              CUDA_OK(error, cudaEventRecord(end, stream), "record");
    const bool running = cudaStreamQuery(stream) == cudaErrorNotReady;
    (void) cudaGetLastError();
    ok = ok && CUDA_OK(error, cudaStreamSynchronize(stream), "wait") &&
         CUDA_OK(error, cudaEventElapsedTime(&elapsed, begin, end), "read the time");
    if (ok && (!running || elapsed < 49.0f || elapsed > 100.0f))
        ok = error_set(error, ERROR_CHECK, "50 ms took %.3f ms", (double) elapsed);
    if (begin)
        (void) cudaEventDestroy(begin);
    if (end)
        (void) cudaEventDestroy(end);
    return ok;
}

/* Steps of known lengths, read while they run and when they are over. */
static bool try_times(cudaStream_t stream, struct error *error)
{
    enum { KEPT = 32, STEPS = KEPT + 8 };
    static const uint32_t ms[] = {20, 5};
    struct cuda_times times = {0};
    uint64_t step = 0;
    float us = 0.0f;
    bool ok = cuda_times_create(&times, KEPT, error);
    if (ok && cuda_times_read(&times, &step, &us))
        ok = error_set(error, ERROR_CHECK, "a time without a step");
    for (size_t i = 0; ok && i < 2; i++) {
        ok = cuda_times_begin(&times, stream, error) &&
             CUDA_OK(error, wave_delay(ms[i], stream), "delay") &&
             cuda_times_end(&times, i, stream, error);
    }
    if (ok && cuda_times_read(&times, &step, &us))
        ok = error_set(error, ERROR_CHECK, "a time of a step that runs");
    ok = ok && CUDA_OK(error, cudaStreamSynchronize(stream), "wait");
    for (size_t i = 0; ok && i < 2; i++) {
        if (!cuda_times_read(&times, &step, &us) || step != i || us < 990.0f * (float) ms[i] ||
            us > 1500.0f * (float) ms[i])
            ok = error_set(error, ERROR_CHECK, "step %zu of %u ms is given as %.1f us", i, ms[i],
                           (double) us);
    }

    /* More than the ring holds: the last ones are kept. */
    for (uint64_t i = 0; ok && i < STEPS; i++)
        ok = cuda_times_begin(&times, stream, error) && cuda_times_end(&times, i, stream, error);
    ok = ok && CUDA_OK(error, cudaStreamSynchronize(stream), "wait");
    for (uint64_t i = STEPS - KEPT; ok && i < STEPS; i++) {
        if (!cuda_times_read(&times, &step, &us) || step != i)
            ok = error_set(error, ERROR_CHECK, "the ring holds %u instead of %u", (unsigned) step,
                           (unsigned) i);
    }
    if (ok && cuda_times_read(&times, &step, &us))
        ok = error_set(error, ERROR_CHECK, "a step is given twice");
    cuda_times_destroy(&times);
    return ok;
}

int main(void)
{
    static const struct {
        uint32_t width, height;
    } sizes[] = {
        {256, 256},  {257, 131}, {1, 1},      {4096, 3},    {3, 4096}, {1, 4096},
        {65536, 2},  {2, 65536}, {1000, 777}, {5, 7},       {4, 4},    {1023, 1025},
        {4099, 517}, {6, 1},     {33, 2000},  {2048, 1024},
    };
    static const double times[] = {0.0, 1.0, 1e6};
    enum { SIZES = sizeof sizes / sizeof sizes[0], TIMES = sizeof times / sizeof times[0] };

    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
        skipped++;
        (void) printf("no CUDA device: %s\n0 passed, 0 failed, 1 skipped\n",
                      cudaGetErrorString(cudaGetLastError()));
        return 77;
    }

    struct error error = {0};
    cudaStream_t stream = NULL;
    bool ok = CUDA_OK(&error, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                      "make a stream") &&
              CUDA_OK(&error, wave_kernel_load(), "load the kernels");
    report(ok, &error, "kernels load");
    if (!ok)
        goto end;

    for (size_t s = 0; s < SIZES; s++) {
        const uint32_t width = sizes[s].width;
        const uint32_t height = sizes[s].height;
        for (size_t i = 0; i < TIMES; i++) {
            error = (struct error){0};
            ok = try_buffers(width, height, times[i], 1, 0, NULL, stream, &error);
            report(ok, &error, "buffer %ux%u at t = %g", width, height, times[i]);
        }
        for (uint32_t shift = 1; shift < 4; shift++) {
            error = (struct error){0};
            ok = try_buffers(width, height, 1.0, 1, shift, NULL, stream, &error);
            report(ok, &error, "buffer %ux%u, %u bytes off", width, height, 4 * shift);
        }
        error = (struct error){0};
        ok = try_images(width, height, 1e6, 1, stream, &error);
        report(ok, &error, "image %ux%u", width, height);
    }
    static const uint32_t batches[] = {2, 8, 31, 32, 33, SLOTS_MAX};
    for (size_t i = 0; i < sizeof batches / sizeof batches[0]; i++) {
        error = (struct error){0};
        ok = try_buffers(256, 256, 1.0, batches[i], 0, NULL, stream, &error);
        report(ok, &error, "batch of %u buffers 256x256", batches[i]);
        error = (struct error){0};
        ok = try_buffers(257, 131, 1.0, batches[i], 1, NULL, stream, &error);
        report(ok, &error, "batch of %u buffers 257x131", batches[i]);
        error = (struct error){0};
        ok = try_images(257, 131, 1.0, batches[i], stream, &error);
        report(ok, &error, "batch of %u images 257x131", batches[i]);
    }
    /* Each kernel there is, on aligned and on unaligned rows, alone and in a
     * batch. */
    for (uint32_t rows = 1; rows <= WAVE_ROWS_MAX; rows *= 2) {
        for (int streaming = 0; streaming < 2; streaming++) {
            for (uint32_t slots = 1; slots <= 3; slots += 2) {
                for (uint32_t odd = 0; odd < 2; odd++) {
                    const struct wave_tuning tuning = {256, rows, streaming != 0};
                    error = (struct error){0};
                    ok = try_buffers(512 + odd, 277, 1.0, slots, odd, &tuning, stream, &error);
                    report(ok, &error, "%u rows a thread%s, batch of %u, width %u", rows,
                           streaming ? ", streaming" : "", slots, 512 + odd);
                }
            }
        }
    }
    error = (struct error){0};
    ok = try_delay(stream, &error);
    report(ok, &error, "a delay of 50 ms");
    error = (struct error){0};
    ok = try_times(stream, &error);
    report(ok, &error, "times of steps");

end:
    if (stream)
        (void) cudaStreamDestroy(stream);
    (void) printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed > 0 ? 1 : 0;
}
