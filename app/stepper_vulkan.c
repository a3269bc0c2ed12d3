/* The Vulkan stepper: a compute shader on the device's one queue. */
#include "app/stepper_vulkan.h"

#include <stdlib.h>

#include "kernels/wave_layout.h"
#include "kernels/wave_plan.h"
#include "vkbase/commands.h"
#include "vkbase/pipeline.h"
#include "vkbase/target.h"
#include "vkbase/timestamps.h"
#include "wave.comp.h"
#include "wave_image.comp.h"

enum {
    /* Invocations that the device runs at once. Vulkan does not tell; a small GPU
     * is busy too with as many as a large one needs. */
    RESIDENT = 1 << 18,
    IMAGE_GROUP_WIDTH = 64,
    IMAGE_ROWS = 4,
};

struct push {
    uint32_t width, height;
    uint32_t stride; /* of the column tables */
    struct wave_phase phase;
};

struct stepper_vulkan {
    struct stepper base;
    const struct vkb_device *device;
    const struct ring *ring;
    const struct handoff_semaphores *semaphores;
    struct stepper_vulkan_tuning tuning;
    uint32_t groups[2]; /* along x and y */
    uint32_t stride;    /* of the column tables */
    struct vkb_buffer tables;
    struct vkb_layout layout;
    VkDescriptorSet *sets; /* one per slot */
    VkPipeline pipeline;
    struct vkb_commands commands; /* recordings, taken in turn */
    struct vkb_semaphore done;    /* timeline: batches finished */
    uint64_t submitted;           /* batches */
    uint64_t finished;            /* of these at least */
    struct vkb_timestamps stamps; /* a pair for each recording; null: not measured */
    uint64_t told;                /* batches whose time was asked for */
    uint64_t drop_signal;
};

/* Grids narrower than a chunk have one invocation per vertex. */
static bool is_narrow(const struct ring *ring)
{
    return !ring->images && ring->width < WAVE_CHUNK;
}

struct stepper_vulkan_tuning stepper_vulkan_tuning(const VkPhysicalDeviceLimits *limits,
                                                   const struct ring *ring)
{
    struct wave_tuning tuning =
        wave_tuning_default(ring->width, ring->height, 1, RESIDENT, UINT64_MAX);
    /* Every device takes 128. */
    while (tuning.threads > 128 && (tuning.threads > limits->maxComputeWorkGroupInvocations ||
                                    tuning.threads > limits->maxComputeWorkGroupSize[0] ||
                                    tuning.threads > limits->maxComputeWorkGroupSize[1]))
        tuning.threads /= 2;
    if (ring->images)
        return (struct stepper_vulkan_tuning){IMAGE_GROUP_WIDTH, tuning.threads / IMAGE_GROUP_WIDTH,
                                              IMAGE_ROWS};
    if (is_narrow(ring))
        return (struct stepper_vulkan_tuning){tuning.threads, 1, 1};
    const struct wave_plan plan = wave_plan_make(ring->width, ring->height, false, tuning);
    return (struct stepper_vulkan_tuning){plan.block_x, plan.block_y, tuning.rows};
}

bool stepper_vulkan_groups(const VkPhysicalDeviceLimits *limits, const struct ring *ring,
                           const struct stepper_vulkan_tuning *tuning, uint32_t groups[2],
                           struct error *error)
{
    if (ring->images) {
        groups[0] = wave_divide_up(ring->width, tuning->width);
        groups[1] = wave_divide_up(ring->height, tuning->height * tuning->rows);
    } else if (is_narrow(ring)) {
        groups[0] = wave_divide_up(ring->width * ring->height, tuning->width);
        groups[1] = 1;
    } else {
        groups[0] = wave_divide_up(wave_divide_up(ring->width, WAVE_CHUNK), tuning->width);
        groups[1] = wave_divide_up(wave_lanes(ring->height, tuning->rows), tuning->height);
    }
    if (tuning->width <= limits->maxComputeWorkGroupSize[0] &&
        tuning->height <= limits->maxComputeWorkGroupSize[1] &&
        tuning->width * tuning->height <= limits->maxComputeWorkGroupInvocations &&
        groups[0] <= limits->maxComputeWorkGroupCount[0] &&
        groups[1] <= limits->maxComputeWorkGroupCount[1])
        return true;
    return error_set(error, ERROR_UNAVAILABLE,
                     "cannot step %ux%u vertices in %ux%u workgroups of %ux%u invocations: more "
                     "than this device takes; take a smaller --grid",
                     ring->width, ring->height, groups[0], groups[1], tuning->width,
                     tuning->height);
}

static bool attach(struct stepper *base, const struct handoff_semaphores *semaphores,
                   struct error *error)
{
    struct stepper_vulkan *stepper = (struct stepper_vulkan *) base;
    /* A submission that waits for a binary signal which never comes is invalid;
     * drivers may wait for it without end. */
    if (stepper->drop_signal && semaphores->type == INTEROP_SEMAPHORE_BINARY)
        return error_set(error, ERROR_UNAVAILABLE,
                         "--test-drop-signal: Vulkan must not wait for a binary semaphore that "
                         "Vulkan does not signal; use --semaphore timeline or --compute cuda");
    stepper->semaphores = semaphores;
    return true;
}

static void detach(struct stepper *base)
{
    ((struct stepper_vulkan *) base)->semaphores = NULL;
}

static uint32_t recording_of(const struct stepper_vulkan *stepper, uint64_t batch)
{
    return (uint32_t) (batch % stepper->commands.count);
}

/* Whether the next batch's commands are no longer pending. There are enough of them
 * for what the ring and the frames in flight let be: nothing has to be waited for. */
static bool may_record(struct stepper_vulkan *stepper, struct error *error)
{
    const uint32_t count = stepper->commands.count;
    if (stepper->submitted - stepper->finished < count)
        return true;
    if (!vkb_timeline_value(stepper->device, &stepper->done, &stepper->finished, error))
        return false;
    return stepper->submitted - stepper->finished < count ||
           error_set(error, ERROR_RUNTIME,
                     "cannot step: %u batches are not finished, more than the ring holds; report "
                     "this",
                     count);
}

static void record(const struct stepper_vulkan *stepper, VkCommandBuffer buffer,
                   const struct stepper_batch *batch)
{
    const struct ring *ring = stepper->ring;
    const uint32_t recording = recording_of(stepper, stepper->submitted);
    vkb_timestamps_begin(&stepper->stamps, buffer, recording);
    vkb_label_begin(stepper->device, buffer, "step");
    vkCmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, stepper->pipeline);
    for (uint32_t i = 0; i < batch->handoff.count; i++) {
        const struct push push = {ring->width, ring->height, stepper->stride, batch->phases[i]};
        vkCmdBindDescriptorSets(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, stepper->layout.handle, 0,
                                1, &stepper->sets[batch->slots[i]], 0, NULL);
        vkCmdPushConstants(buffer, stepper->layout.handle, stepper->layout.stages, 0, sizeof push,
                           &push);
        vkCmdDispatch(buffer, stepper->groups[0], stepper->groups[1], 1);
    }
    vkb_label_end(stepper->device, buffer);
    vkb_timestamps_end(&stepper->stamps, buffer, recording);
}

/* The semaphores order all accesses to the slots: no barrier is needed. */
static bool step(struct stepper *base, const struct stepper_batch *batch, struct error *error)
{
    struct stepper_vulkan *stepper = (struct stepper_vulkan *) base;
    const struct handoff_batch *handoff = &batch->handoff;
    const struct handoff_semaphores *semaphores = stepper->semaphores;
    const VkPipelineStageFlags2 stage = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;

    if (!may_record(stepper, error))
        return false;
    const VkCommandBuffer buffer =
        stepper->commands.buffers[recording_of(stepper, stepper->submitted)];
    if (!vkb_commands_begin(buffer, true, error))
        return false;
    record(stepper, buffer, batch);
    if (!vkb_commands_end(buffer, error))
        return false;

    VkSemaphoreSubmitInfo wait = {0};
    if (handoff->waits)
        wait = vkb_point(semaphores->free[handoff->free.index].handle, handoff->free.value, stage);
    const VkSemaphoreSubmitInfo signals[] = {
        /* All of it: the commands are recorded again behind this. */
        vkb_point(stepper->done.handle, stepper->submitted + 1,
                  VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT),
        vkb_point(semaphores->ready[handoff->ready.index].handle, handoff->ready.value, stage),
    };
    const bool drop = stepper->drop_signal && stepper->submitted + 1 >= stepper->drop_signal;
    if (!vkb_submit(stepper->device, buffer, &wait, handoff->waits ? 1 : 0, signals, drop ? 1 : 2,
                    VK_NULL_HANDLE, error))
        return false;
    stepper->submitted++;
    return true;
}

static bool raise_ready(struct stepper *base, const struct interop_point *point,
                        struct error *error)
{
    const struct stepper_vulkan *stepper = (struct stepper_vulkan *) base;
    const struct vkb_semaphore *ready = &stepper->semaphores->ready[point->index];
    if (ready->type == INTEROP_SEMAPHORE_TIMELINE)
        return vkb_timeline_signal(stepper->device, ready, point->value, error);
    /* A host cannot signal a binary semaphore, and a submission would queue up
     * behind the one that waits. */
    return error_set(
        error, ERROR_RUNTIME,
        "cannot signal semaphore \"%s\" from the host: it is binary; use --semaphore timeline",
        ready->name);
}

static bool steps_done(struct stepper *base, uint64_t *count, struct error *error)
{
    const struct stepper_vulkan *stepper = (const struct stepper_vulkan *) base;
    return vkb_timeline_value(stepper->device, &stepper->done, count, error);
}

static bool wait_done(struct stepper *base, uint32_t timeout_ms, bool *done, struct error *error)
{
    const struct stepper_vulkan *stepper = (struct stepper_vulkan *) base;
    return vkb_timeline_wait(stepper->device, &stepper->done, stepper->submitted,
                             UINT64_C(1000000) * timeout_ms, done, error);
}

static bool time_of_step(struct stepper *base, double *microseconds)
{
    struct stepper_vulkan *stepper = (struct stepper_vulkan *) base;
    struct error quiet = {0};
    uint64_t finished = 0;
    uint64_t begin = 0;
    uint64_t end = 0;
    /* Older ones were recorded over. */
    if (stepper->told + stepper->commands.count < stepper->submitted)
        stepper->told = stepper->submitted - stepper->commands.count;
    if (!vkb_timeline_value(stepper->device, &stepper->done, &finished, &quiet) ||
        stepper->told >= finished ||
        !vkb_timestamps_read(stepper->device, &stepper->stamps,
                             recording_of(stepper, stepper->told), &begin, &end))
        return false;
    stepper->told++;
    *microseconds = vkb_timestamps_span(&stepper->stamps, begin, end) * 1e-3;
    return true;
}

static void destroy(struct stepper *base)
{
    struct stepper_vulkan *stepper = (struct stepper_vulkan *) base;
    const struct vkb_device *device = stepper->device;
    vkb_timestamps_destroy(device, &stepper->stamps);
    vkb_commands_destroy(device, &stepper->commands);
    vkb_semaphore_destroy(device, &stepper->done);
    if (stepper->pipeline)
        vkDestroyPipeline(device->handle, stepper->pipeline, NULL);
    vkb_layout_destroy(device, &stepper->layout);
    vkb_buffer_destroy(device, &stepper->tables);
    free(stepper->sets);
    free(stepper);
}

static const struct stepper_ops ops = {
    .name = "vulkan",
    .attach = attach,
    .detach = detach,
    .step = step,
    .raise_ready = raise_ready,
    .steps_done = steps_done,
    .wait = wait_done,
    .time = time_of_step,
    .destroy = destroy,
};

static bool upload_tables(struct stepper_vulkan *stepper, struct error *error)
{
    const struct ring *ring = stepper->ring;
    const struct wave_layout layout = wave_layout_make(ring->width, ring->height);
    struct wave_tables tables;
    const struct vkb_buffer_params params = {
        .size = layout.bytes,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
        .kind = VKB_MEMORY_UPLOAD,
        .name = "wave tables",
    };
    stepper->stride = layout.stride;
    if (!wave_tables_create(ring->width, ring->height, &tables, error))
        return false;
    const bool ok = vkb_buffer_create(stepper->device, &params, &stepper->tables, error);
    if (ok)
        wave_layout_fill(&layout, tables.column_sin, tables.column_cos, tables.row_sin,
                         tables.row_cos, stepper->tables.mapped);
    wave_tables_destroy(&tables);
    return ok;
}

static bool create_pipeline(struct stepper_vulkan *stepper, VkPipelineCache cache,
                            struct error *error)
{
    const struct vkb_shader of_buffers = {wave_comp_spv, sizeof wave_comp_spv};
    const struct vkb_shader of_images = {wave_image_comp_spv, sizeof wave_image_comp_spv};
    const struct stepper_vulkan_tuning *tuning = &stepper->tuning;
    static const VkSpecializationMapEntry entries[] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}, {3, 12, 4}};
    const uint32_t values[] = {tuning->width, tuning->height, tuning->rows,
                               is_narrow(stepper->ring)};
    const VkSpecializationInfo specialization = {4, entries, sizeof values, values};
    return vkb_compute_pipeline_create(stepper->device, &stepper->layout, cache,
                                       stepper->ring->images ? of_images : of_buffers,
                                       &specialization, "wave stepper", &stepper->pipeline, error);
}

static bool create_sets(struct stepper_vulkan *stepper, struct error *error)
{
    const struct ring *ring = stepper->ring;
    stepper->sets = calloc(ring->count, sizeof(VkDescriptorSet));
    if (!stepper->sets)
        return error_set(error, ERROR_RUNTIME,
                         "cannot create the stepper: out of memory; free memory and run again");
    for (uint32_t i = 0; i < ring->count; i++) {
        if (!vkb_set_allocate(stepper->device, &stepper->layout, &stepper->sets[i], error))
            return false;
        ring_bind(stepper->device, ring, i, stepper->sets[i], 0);
        vkb_set_buffer(stepper->device, stepper->sets[i], 1, stepper->tables.handle);
    }
    return true;
}

bool stepper_vulkan_create_tuned(const struct stepper_params *params,
                                 const struct stepper_vulkan_tuning *tuning,
                                 struct stepper **created, struct error *error)
{
    const struct vkb_device *device = params->device;
    *created = NULL;
    struct stepper_vulkan *stepper = calloc(1, sizeof *stepper);
    if (!stepper)
        return error_set(error, ERROR_RUNTIME,
                         "cannot create the stepper: out of memory; free memory and run again");
    if (params->options->test_kernel_delay_ms > 0) {
        free(stepper);
        return error_set(
            error, ERROR_UNAVAILABLE,
            "--test-kernel-delay: the Vulkan stepper has no delay; use --compute cuda");
    }
    stepper->base.ops = &ops;
    stepper->device = device;
    stepper->ring = params->ring;
    stepper->tuning = *tuning;
    stepper->drop_signal = params->options->test_drop_signal;

    /* Of the batches in the ring, and of those that unfinished frames were drawn from. */
    const uint32_t recordings = params->ring->depth + VKB_FRAMES_MAX;
    const struct vkb_layout_params layout = {
        .stages = VK_SHADER_STAGE_COMPUTE_BIT,
        .bindings = {ring_descriptor_type(params->ring), VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
        .binding_count = 2,
        .push_constant_size = sizeof(struct push),
        .set_count = params->ring->count,
        .name = "stepper layout",
    };
    if (!stepper_vulkan_groups(&device->limits, params->ring, tuning, stepper->groups, error) ||
        !upload_tables(stepper, error) ||
        !vkb_layout_create(device, &layout, &stepper->layout, error) ||
        !create_sets(stepper, error) || !create_pipeline(stepper, params->cache, error) ||
        !vkb_commands_create(device, recordings, "step", &stepper->commands, error) ||
        !vkb_semaphore_create(device, INTEROP_SEMAPHORE_TIMELINE, false, "stepped", &stepper->done,
                              error) ||
        (params->measure && !vkb_timestamps_create(device, recordings, &stepper->stamps, error))) {
        destroy(&stepper->base);
        return false;
    }
    *created = &stepper->base;
    return true;
}

bool stepper_vulkan_create(const struct stepper_params *params, struct stepper **stepper,
                           struct error *error)
{
    const struct stepper_vulkan_tuning tuning =
        stepper_vulkan_tuning(&params->device->limits, params->ring);
    return stepper_vulkan_create_tuned(params, &tuning, stepper, error);
}
