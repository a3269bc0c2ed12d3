#include "app/ring.h"

#include <stdlib.h>
#include <string.h>

#include "app/handoff.h"
#include "app/messages.h"
#include "vkbase/readback.h"

static const uint64_t read_timeout_ns = UINT64_C(10000000000);

VkBufferUsageFlags ring_usage(void)
{
    return VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
}

static bool map_size(const struct vkb_device *device, const struct ring_params *params,
                     VkDeviceSize *size, struct error *error)
{
    if (__builtin_mul_overflow((VkDeviceSize) params->width, (VkDeviceSize) params->height, size) ||
        __builtin_mul_overflow(*size, (VkDeviceSize) sizeof(float), size))
        return error_set(error, ERROR_USAGE,
                         "--grid %ux%u: the size of a height map does not fit into 64 bits; take "
                         "a smaller one",
                         params->width, params->height);
    if (*size > device->limits.maxStorageBufferRange)
        return error_set(error, ERROR_UNAVAILABLE,
                         "--grid %ux%u: a height map has %llu bytes and this device binds at most "
                         "%u; take a smaller --grid",
                         params->width, params->height, (unsigned long long) *size,
                         device->limits.maxStorageBufferRange);
    return true;
}

static VkDeviceSize device_local_free(const struct vkb_device *device)
{
    VkDeviceSize most = 0;
    for (uint32_t i = 0; i < device->memory.memoryHeapCount; i++) {
        const VkDeviceSize heap = vkb_device_heap_free(device, i);
        if ((device->memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) && heap > most)
            most = heap;
    }
    return most;
}

/* A ring of 2 * batch maps that leaves an eighth for everything else. */
static bool fit_batch(const struct vkb_device *device, const struct ring_params *params,
                      struct ring *ring, struct error *error)
{
    const VkDeviceSize available = device_local_free(device) / 8 * 7;
    for (ring->batch = params->batch;; ring->batch /= 2) {
        ring->count = handoff_ring_size(ring->batch, params->frames);
        if (ring->size <= available / ring->count)
            break;
        if (params->batch_given || ring->batch == 1)
            return error_set(error, ERROR_RUNTIME,
                             "--grid %ux%u: %u height maps of %llu bytes do not fit into %llu free "
                             "bytes on the device; take a smaller --grid or --batch",
                             params->width, params->height, ring->count,
                             (unsigned long long) ring->size, (unsigned long long) available);
    }
    if (ring->batch != params->batch)
        message_note("batch %u instead of %u: a larger ring of height maps would not fit into the "
                     "device's memory",
                     ring->batch, params->batch);
    return true;
}

bool ring_create(const struct vkb_device *device, const struct ring_params *params,
                 struct ring *ring, struct error *error)
{
    *ring = (struct ring){.width = params->width, .height = params->height};
    if (!map_size(device, params, &ring->size, error) || !fit_batch(device, params, ring, error))
        return false;
    ring->slots = calloc(ring->count, sizeof *ring->slots);
    if (!ring->slots)
        return error_set(error, ERROR_RUNTIME,
                         "cannot create the ring of height maps: out of memory; free memory and "
                         "run again");
    const struct vkb_buffer_params buffer = {
        .size = ring->size,
        .usage = ring_usage(),
        .kind = VKB_MEMORY_DEVICE,
        .dedicated = !params->suballocated,
        .exportable = params->exportable,
        .name = "height map",
    };
    if (params->suballocated) {
        if (!vkb_buffers_create_in_block(device, &buffer, ring->count, ring->slots, &ring->block,
                                         error))
            goto fail;
    } else {
        for (uint32_t i = 0; i < ring->count; i++) {
            if (!vkb_buffer_create(device, &buffer, &ring->slots[i], error))
                goto fail;
        }
    }
    for (uint32_t i = 0; i < ring->count; i++)
        vkb_name(device, VK_OBJECT_TYPE_BUFFER, VKB_HANDLE(ring->slots[i].handle), "height map %u",
                 i);
    return true;
fail:
    ring_destroy(device, ring);
    return false;
}

void ring_destroy(const struct vkb_device *device, struct ring *ring)
{
    for (uint32_t i = 0; ring->slots && i < ring->count; i++)
        vkb_buffer_destroy(device, &ring->slots[i]);
    vkb_memory_free(device, &ring->block);
    free(ring->slots);
    *ring = (struct ring){0};
}

/* The stages on the far side of a transfer to or from CUDA are not Vulkan's:
 * the semaphore's wait or signal orders them, so the barrier chains with that. */
VkBufferMemoryBarrier2 ring_acquire(const struct vkb_device *device, const struct ring *ring,
                                    uint32_t slot, VkPipelineStageFlags2 stages,
                                    VkAccessFlags2 access)
{
    return (VkBufferMemoryBarrier2){
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
        .srcStageMask = stages,
        .dstStageMask = stages,
        .dstAccessMask = access,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_EXTERNAL,
        .dstQueueFamilyIndex = device->queue_family,
        .buffer = ring->slots[slot].handle,
        .size = VK_WHOLE_SIZE,
    };
}

VkBufferMemoryBarrier2 ring_release(const struct vkb_device *device, const struct ring *ring,
                                    uint32_t slot, VkPipelineStageFlags2 stages)
{
    return (VkBufferMemoryBarrier2){
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
        .srcStageMask = stages,
        .dstStageMask = stages,
        .srcQueueFamilyIndex = device->queue_family,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_EXTERNAL,
        .buffer = ring->slots[slot].handle,
        .size = VK_WHOLE_SIZE,
    };
}

bool ring_read(const struct vkb_device *device, const struct ring *ring, uint32_t slot,
               bool external, float *heights, struct error *error)
{
    struct vkb_buffer host = {0};
    struct vkb_commands commands = {0};
    bool ok = false;
    if (!vkb_readback_create(device, ring->size, "height map read-back buffer", &host, error) ||
        !vkb_commands_create(device, 1, "height map read-back", &commands, error))
        goto done;
    const VkCommandBuffer buffer = commands.buffers[0];
    if (!vkb_commands_begin(buffer, true, error))
        goto done;
    if (external) {
        const VkBufferMemoryBarrier2 take = ring_acquire(
            device, ring, slot, VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT);
        vkb_barrier(buffer, &take, 1, NULL, 0);
    }
    vkb_readback_record_buffer(buffer, ring->slots[slot].handle, ring->size, &host);
    if (external) {
        const VkBufferMemoryBarrier2 give =
            ring_release(device, ring, slot, VK_PIPELINE_STAGE_2_COPY_BIT);
        vkb_barrier(buffer, &give, 1, NULL, 0);
    }
    if (!vkb_commands_end(buffer, error) ||
        !vkb_submit_and_wait(device, buffer, read_timeout_ns, error))
        goto done;
    memcpy(heights, host.mapped, (size_t) ring->size);
    ok = true;
done:
    vkb_commands_destroy(device, &commands);
    vkb_buffer_destroy(device, &host);
    return ok;
}
