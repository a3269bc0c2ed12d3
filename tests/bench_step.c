/* bench_step: how fast the Vulkan stepper's shader writes, against
 * vkCmdFillBuffer on the same buffers.
 *
 *     bench_step [--json] [RUNS [WIDTHxHEIGHT...]]
 *     bench_step --tune [RUNS [WIDTHxHEIGHT...]]
 *                          with other workgroups and rows per invocation; the best
 *                          ones and the default's place
 *
 * Times are of the device, by timestamps around a submission's commands: medians
 * of RUNS, stepping and filling in turn, so that a change of the clocks meets
 * both alike. A time is the share of one height map in a submission of up to 16,
 * each in a buffer of its own and without barriers between them, as the stepper
 * does a batch: as many as have 4 GiB (128 MiB on a software device, which also
 * gets fewer runs, and no large maps). `alone` is a submission of one, and holds
 * what a submission costs the device. Exit code 77: no device. */
#include <stdio.h>
#include <stdlib.h>

#include "app/messages.h"
#include "app/stepper_vulkan.h"
#include "tests/bench_row.h"
#include "tests/best_device.h"
#include "tests/median.h"
#include "vkbase/commands.h"
#include "vkbase/result.h"
#include "vkbase/timestamps.h"

enum { RUNS_MAX = 1000, WARM_UP = 2, ROW = 16, BEST = 12, TRIALS_MAX = 256 };

struct size {
    uint32_t width, height;
};

static const struct size sizes[] = {
    {256, 256},   {257, 131},     {1024, 1024},   {1023, 1025},
    {4096, 4096}, {16384, 16384}, {16383, 16385},
};

struct bench {
    struct vkb_instance instance;
    struct vkb_device_info info;
    struct vkb_device device;
    struct vkb_commands commands; /* of fills */
    struct vkb_timestamps stamps;
    struct handoff_semaphores semaphores;
    uint64_t submitted; /* batches, of all steppers */
    uint32_t runs;
    bool json, software;
    struct ring ring; /* with buffers that can be filled too */
    struct vkb_buffer buffers[ROW];
};

/* Medians, in microseconds. */
struct times {
    double step_alone, fill_alone;
    double step, fill; /* in a row, of each */
};

static void bench_destroy(struct bench *bench)
{
    if (bench->device.handle) {
        (void) vkDeviceWaitIdle(bench->device.handle);
        handoff_semaphores_destroy(&bench->device, &bench->semaphores);
        vkb_timestamps_destroy(&bench->device, &bench->stamps);
        vkb_commands_destroy(&bench->device, &bench->commands);
    }
    vkb_device_destroy(&bench->device);
    vkb_instance_destroy(&bench->instance);
}

static bool bench_create(struct bench *bench, struct error *error)
{
    const struct vkb_instance_params instance = {.application_name = "bench_step"};
    if (!vkb_instance_create(&instance, &bench->instance, error) ||
        !best_device_open(&bench->instance, false, &bench->info, &bench->device, error) ||
        !vkb_commands_create(&bench->device, 1, "fill", &bench->commands, error) ||
        !vkb_timestamps_create(&bench->device, 1, &bench->stamps, error) ||
        !handoff_semaphores_create(&bench->device, INTEROP_SEMAPHORE_TIMELINE, 2, false,
                                   &bench->semaphores, error))
        return false;
    bench->software = bench->info.type == VK_PHYSICAL_DEVICE_TYPE_CPU;
    return bench->stamps.pool ||
           error_set(error, ERROR_UNAVAILABLE, "the device's queue has no timestamps");
}

static void destroy_buffers(struct bench *bench)
{
    for (uint32_t i = 0; i < ROW; i++)
        vkb_buffer_destroy(&bench->device, &bench->buffers[i]);
}

/* How many height maps of this size the bench has in a row; 0: it does not fit. */
static uint32_t row_of(const struct bench *bench, VkDeviceSize size)
{
    const VkDeviceSize most = UINT64_C(1) << (bench->software ? 27 : 32);
    const VkDeviceSize free = vkb_device_local_free(&bench->device) / 8 * 7;
    if (size > bench->device.limits.maxStorageBufferRange || size > free)
        return 0;
    uint32_t count = 1;
    while (count < ROW && size * (count + 1) <= (most < free ? most : free))
        count++;
    return count;
}

static bool create_buffers(struct bench *bench, const struct size *size, struct error *error)
{
    bench->ring = (struct ring){
        .width = size->width,
        .height = size->height,
        .size = (VkDeviceSize) size->width * size->height * sizeof(float),
        .buffers = bench->buffers,
    };
    const struct vkb_buffer_params params = {
        .size = bench->ring.size,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
        .kind = VKB_MEMORY_DEVICE,
        .dedicated = true,
        .name = "height map",
    };
    bench->ring.count = row_of(bench, bench->ring.size);
    bench->ring.batch = bench->ring.count;
    for (uint32_t i = 0; i < bench->ring.count; i++) {
        if (!vkb_buffer_create(&bench->device, &params, &bench->buffers[i], error))
            return false;
    }
    return true;
}

/* Steps the first `count` slots. */
static bool run_step(struct bench *bench, struct stepper *stepper, uint32_t count, double *us,
                     struct error *error)
{
    uint32_t slots[ROW];
    struct wave_phase phases[ROW];
    bool done = false;
    for (uint32_t i = 0; i < count; i++) {
        slots[i] = i;
        phases[i] = wave_phase(0.1 * i);
    }
    const struct stepper_batch batch = {
        .handoff = {.count = count, .ready = {.value = ++bench->submitted}},
        .slots = slots,
        .phases = phases,
    };
    if (!stepper->ops->step(stepper, &batch, error) ||
        !stepper->ops->wait(stepper, bench->device.work_timeout_s * 1000, &done, error))
        return false;
    if (!done)
        return error_set(error, ERROR_RUNTIME, "time-out: the stepper did not finish");
    return stepper->ops->time(stepper, us) ||
           error_set(error, ERROR_RUNTIME, "the stepper did not measure its time");
}

/* Fills the first `count` slots. */
static bool run_fill(struct bench *bench, uint32_t count, double *us, struct error *error)
{
    const VkCommandBuffer commands = bench->commands.buffers[0];
    uint64_t begin = 0;
    uint64_t end = 0;
    if (!vkb_commands_begin(commands, true, error))
        return false;
    vkb_timestamps_begin(&bench->stamps, commands, 0);
    for (uint32_t i = 0; i < count; i++)
        vkCmdFillBuffer(commands, bench->buffers[i].handle, 0, VK_WHOLE_SIZE, 0);
    vkb_timestamps_end(&bench->stamps, commands, 0);
    if (!vkb_commands_end(commands, error) || !vkb_submit_and_wait(&bench->device, commands, error))
        return false;
    *us = 0.0;
    if (!vkb_timestamps_read(&bench->device, &bench->stamps, 0, &begin, &end))
        return error_set(error, ERROR_RUNTIME, "the device did not measure its time");
    *us = vkb_timestamps_span(&bench->stamps, begin, end) * 1e-3;
    return true;
}

/* `alone` too, or in a row only. */
static bool measure_stepper(struct bench *bench, struct stepper *stepper, bool alone,
                            struct times *times, struct error *error)
{
    double samples[4][RUNS_MAX];
    const uint32_t count = bench->ring.count;
    for (uint32_t run = 0; run < bench->runs + WARM_UP; run++) {
        const uint32_t at = run < WARM_UP ? 0 : run - WARM_UP;
        if (alone && (!run_step(bench, stepper, 1, &samples[0][at], error) ||
                      !run_fill(bench, 1, &samples[1][at], error)))
            return false;
        if (!run_step(bench, stepper, count, &samples[2][at], error) ||
            !run_fill(bench, count, &samples[3][at], error))
            return false;
    }
    *times = (struct times){
        .step_alone = alone ? median(samples[0], bench->runs) : 0.0,
        .fill_alone = alone ? median(samples[1], bench->runs) : 0.0,
        .step = median(samples[2], bench->runs) / count,
        .fill = median(samples[3], bench->runs) / count,
    };
    return true;
}

static bool measure(struct bench *bench, const struct stepper_vulkan_tuning *tuning, bool alone,
                    struct times *times, struct error *error)
{
    static const struct options no_options;
    const struct stepper_params params = {
        .device = &bench->device,
        .ring = &bench->ring,
        .measure = true,
        .options = &no_options,
    };
    struct stepper *stepper = NULL;
    if (!stepper_vulkan_create_tuned(&params, tuning, &stepper, error))
        return false;
    const bool ok = stepper->ops->attach(stepper, &bench->semaphores, error) &&
                    measure_stepper(bench, stepper, alone, times, error) &&
                    /* The signals do not arrive all at once. */
                    VKB_OK(error, "wait for the queue", vkQueueWaitIdle(bench->device.queue));
    if (!ok)
        (void) vkQueueWaitIdle(bench->device.queue);
    stepper->ops->detach(stepper);
    stepper->ops->destroy(stepper);
    return ok;
}

static bool print_row(struct bench *bench, const char *name, struct error *error)
{
    const struct stepper_vulkan_tuning tuning =
        stepper_vulkan_tuning(&bench->device.limits, &bench->ring);
    struct times times;
    char text[64];
    if (!measure(bench, &tuning, false, &times, error))
        return false;
    (void) snprintf(text, sizeof text, "Vulkan stepper %s", name);
    const struct bench_row row = {
        .name = text,
        .us = times.step,
        .bytes = (double) bench->ring.size,
        .against = {{"fill", times.fill}},
    };
    bench_row_print(bench->json, &row);
    return true;
}

struct trial {
    struct stepper_vulkan_tuning tuning;
    struct times times;
};

static int faster(const void *a, const void *b)
{
    const double x = ((const struct trial *) a)->times.step;
    const double y = ((const struct trial *) b)->times.step;
    return (x > y) - (x < y);
}

static bool same(const struct stepper_vulkan_tuning *a, const struct stepper_vulkan_tuning *b)
{
    return a->width == b->width && a->height == b->height && a->rows == b->rows;
}

/* Workgroups of 32 invocations or more, up to 1024, at most as wide as the map
 * needs. Returns how many. */
static size_t make_trials(const struct bench *bench, struct trial *trials)
{
    const bool narrow = bench->ring.width < 4;
    const uint32_t across = narrow ? 1024 : (bench->ring.width + 3) / 4;
    const uint32_t rows_max = narrow ? 1 : 4;
    size_t count = 0;
    for (uint32_t width = 1; width <= 1024 && (width == 1 || width / 2 < across); width *= 2) {
        for (uint32_t height = 1; height <= (narrow ? 1 : 1024 / width); height *= 2) {
            for (uint32_t rows = 1; rows <= rows_max; rows *= 2) {
                const struct stepper_vulkan_tuning tuning = {width, height, rows};
                uint32_t groups[2];
                struct error beyond = {0};
                if (width * height < 32 || (height > 16 && width >= 32) ||
                    (width < 8 && across >= 64) || count == TRIALS_MAX ||
                    !stepper_vulkan_groups(&bench->device.limits, &bench->ring, &tuning, groups,
                                           &beyond))
                    continue;
                trials[count++].tuning = tuning;
            }
        }
    }
    return count;
}

static bool tune(struct bench *bench, const char *name, struct error *error)
{
    struct trial trials[TRIALS_MAX];
    const size_t count = make_trials(bench, trials);
    const struct stepper_vulkan_tuning chosen =
        stepper_vulkan_tuning(&bench->device.limits, &bench->ring);
    for (size_t i = 0; i < count; i++) {
        if (!measure(bench, &trials[i].tuning, bench->ring.size < 1 << 24, &trials[i].times, error))
            return false;
    }
    qsort(trials, count, sizeof trials[0], faster);
    (void) printf("\n%s, %u in a row\n%4s %6s %6s %5s %9s %9s %8s\n", name, bench->ring.count, "",
                  "width", "height", "rows", "alone", "in a row", "of fill");
    for (size_t i = 0; i < count; i++) {
        const struct trial *trial = &trials[i];
        const bool is_default = same(&trial->tuning, &chosen);
        if (i < BEST || is_default || i + 1 == count)
            (void) printf("%4zu %6u %6u %5u %9.2f %9.2f %8.3f%s\n", i + 1, trial->tuning.width,
                          trial->tuning.height, trial->tuning.rows, trial->times.step_alone,
                          trial->times.step, trial->times.fill / trial->times.step,
                          is_default ? "  default" : "");
    }
    return true;
}

static bool bench_size(struct bench *bench, const struct size *size, bool tuning,
                       struct error *error)
{
    char name[32];
    (void) snprintf(name, sizeof name, "%ux%u", size->width, size->height);
    bool ok = create_buffers(bench, size, error);
    if (ok && bench->ring.count > 0) /* one that does not fit has no row */
        ok = (tuning ? tune : print_row)(bench, name, error);
    destroy_buffers(bench);
    (void) fflush(stdout);
    return ok;
}

static bool run(struct bench *bench, bool tuning, const struct size *given, size_t given_count,
                struct error *error)
{
    const size_t most = given_count > 0 ? given_count : sizeof sizes / sizeof sizes[0];
    if (bench->runs == 0)
        bench->runs = bench->software ? 3 : 21;
    if (!bench->json)
        (void) printf("%s, driver %s %s, microseconds of the device, median of %u; times as fast "
                      "as others\n",
                      bench->info.name, bench->info.driver_name, bench->info.driver_info,
                      bench->runs);
    for (size_t i = 0; i < most; i++) {
        const struct size *size = given_count > 0 ? &given[i] : &sizes[i];
        if (given_count == 0 && bench->software &&
            (uint64_t) size->width * size->height > UINT64_C(1) << 21)
            continue;
        if (!bench_size(bench, size, tuning, error))
            return false;
    }
    return true;
}

static bool read_size(const char *text, struct size *size)
{
    char *end = NULL;
    const unsigned long width = strtoul(text, &end, 10);
    if (*end != 'x')
        return false;
    const unsigned long height = strtoul(end + 1, &end, 10);
    *size = (struct size){(uint32_t) width, (uint32_t) height};
    return *end == '\0' && width >= 1 && width <= 65536 && height >= 1 && height <= 65536;
}

int main(int argc, char **argv)
{
    enum { GIVEN_MAX = 32 };
    struct size given[GIVEN_MAX];
    const bool tuning = bench_option(&argc, &argv, "--tune");
    const bool json = !tuning && bench_option(&argc, &argv, "--json");
    const int given_count = argc > 2 ? argc - 2 : 0;
    struct bench bench = {
        .runs = argc > 1 ? (uint32_t) strtoul(argv[1], NULL, 10) : 0,
        .json = json,
    };
    struct error error = {0};
    bool usable =
        (argc < 2 || bench.runs >= 1) && bench.runs <= RUNS_MAX && given_count <= GIVEN_MAX;
    for (int i = 0; usable && i < given_count; i++)
        usable = read_size(argv[2 + i], &given[i]);
    if (!usable) {
        (void) fprintf(stderr, "usage: bench_step [--tune | --json] [RUNS [WIDTHxHEIGHT...]]\n");
        return ERROR_USAGE;
    }
    const bool ok =
        bench_create(&bench, &error) && run(&bench, tuning, given, (size_t) given_count, &error);
    if (!ok)
        message_error(&error);
    bench_destroy(&bench);
    return ok ? 0 : error.kind == ERROR_UNAVAILABLE ? 77 : (int) error.kind;
}
