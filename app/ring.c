#include "app/ring.h"

#include <stdlib.h>
#include <string.h>

#include "app/handoff.h"
#include "app/messages.h"
#include "vkbase/pipeline.h"
#include "vkbase/readback.h"

/* In a block, slots begin where an allocation of CUDA's would: its kernels then
 * store 16 bytes at a time, whatever alignment the buffers need. */
enum { SLOT_ALIGNMENT = 256 };

static const VkBufferUsageFlags buffer_usage =
    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;

/* Storage usage serves the stepper that writes and the renderer that reads, and
 * is what CUDA's surface objects ask for; to sample would be one usage more. */
static struct vkb_image_params image_params(const struct ring_params *params)
{
    return (struct vkb_image_params){
        .format = VK_FORMAT_R32_SFLOAT,
        .extent = {params->width, params->height},
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
        .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
        .exportable = params->external,
        .name = "height map",
    };
}

struct vkb_export_support ring_export_support(VkPhysicalDevice physical, bool images)
{
    const struct ring_params any = {.width = 1, .height = 1, .external = true};
    const struct vkb_image_params image = image_params(&any);
    return images ? vkb_image_export_support(physical, &image)
                  : vkb_buffer_export_support(physical, buffer_usage);
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
    const uint32_t side = params->width > params->height ? params->width : params->height;
    if (params->images && side > device->limits.maxImageDimension2D)
        return error_set(error, ERROR_UNAVAILABLE,
                         "--grid %ux%u: an image of this device has at most %u texels a side; take "
                         "a smaller --grid or --heightmap buffer",
                         params->width, params->height, device->limits.maxImageDimension2D);
    if (!params->images && *size > device->limits.maxStorageBufferRange)
        return error_set(error, ERROR_UNAVAILABLE,
                         "--grid %ux%u: a height map has %llu bytes and this device binds at most "
                         "%u; take a smaller --grid",
                         params->width, params->height, (unsigned long long) *size,
                         device->limits.maxStorageBufferRange);
    return true;
}

/* Bytes that a ring may take of `available` ones: one of more than two batches,
 * `deep`, is worth no more than a sixteenth. A block is one allocation. */
static VkDeviceSize ring_room(const struct vkb_device *device, const struct ring_params *params,
                              VkDeviceSize available, bool deep)
{
    const VkDeviceSize room = deep ? available / 16 : available;
    return params->suballocated && room > device->max_allocation ? device->max_allocation : room;
}

/* What keeps a ring from being larger, for messages. */
static const char *room_name(const struct vkb_device *device, VkDeviceSize room)
{
    return room == device->max_allocation ? "the largest allocation of the device"
                                          : "the device's free memory";
}

/* A ring that leaves an eighth of the memory for everything else. */
static bool fit_batch(const struct vkb_device *device, const struct ring_params *params,
                      struct ring *ring, struct error *error)
{
    const struct vkb_image_params image = image_params(params);
    const VkDeviceSize size = params->images ? vkb_image_bytes(device, &image) : ring->size;
    const VkDeviceSize available = vkb_device_local_free(device) / 8 * 7;
    ring->batch = params->batch;
    if (size > device->max_allocation)
        return error_set(error, ERROR_UNAVAILABLE,
                         "--grid %ux%u: a height map has %llu bytes and an allocation of this "
                         "device at most %llu; take a smaller --grid",
                         params->width, params->height, (unsigned long long) size,
                         (unsigned long long) device->max_allocation);
    for (uint32_t slots = params->slots;;) {
        ring->depth = handoff_depth(ring->batch, slots, params->frames);
        ring->count = handoff_ring_size(ring->batch, ring->depth, params->frames);
        const bool deep = ring->depth > 2;
        const VkDeviceSize room = ring_room(device, params, available, deep);
        if (size <= room / ring->count)
            break;
        if (deep) {
            slots /= 2;
            continue;
        }
        if (params->batch_given || ring->batch == 1)
            return error_set(error, ERROR_RUNTIME,
                             "--grid %ux%u: %u height maps of %llu bytes do not fit into %llu "
                             "bytes, %s; take a smaller --grid or --batch%s",
                             params->width, params->height, ring->count, (unsigned long long) size,
                             (unsigned long long) room, room_name(device, room),
                             room == device->max_allocation ? ", or --memory dedicated" : "");
        ring->batch /= 2;
    }
    if (ring->batch != params->batch)
        message_note("batch %u instead of %u: a larger ring of height maps would not fit into %s",
                     ring->batch, params->batch,
                     room_name(device, ring_room(device, params, available, false)));
    ring->batch = ring->count / ring->depth; /* of a short run */
    return true;
}

static bool create_buffers(const struct vkb_device *device, const struct ring_params *params,
                           struct ring *ring, struct error *error)
{
    const struct vkb_buffer_params buffer = {
        .size = ring->size,
        .usage = buffer_usage,
        .kind = VKB_MEMORY_DEVICE,
        .dedicated = !params->suballocated,
        .exportable = params->external,
        .alignment = SLOT_ALIGNMENT,
        .name = "height map",
    };
    bool ok = true;
    if (params->suballocated)
        ok = vkb_buffers_create_in_block(device, &buffer, ring->count, ring->buffers, &ring->block,
                                         error);
    for (uint32_t i = 0; ok && !params->suballocated && i < ring->count; i++)
        ok = vkb_buffer_create(device, &buffer, &ring->buffers[i], error);
    for (uint32_t i = 0; ok && i < ring->count; i++)
        vkb_name(device, VK_OBJECT_TYPE_BUFFER, VKB_HANDLE(ring->buffers[i].handle),
                 "height map %u", i);
    return ok;
}

static VkImageMemoryBarrier2 image_barrier(const struct ring *ring, uint32_t slot)
{
    return (VkImageMemoryBarrier2){
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .oldLayout = VK_IMAGE_LAYOUT_GENERAL,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = ring->images[slot].handle,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
}

/* A fresh image is in no layout that anybody could write it in. */
static bool lay_out_images(const struct vkb_device *device, const struct ring *ring,
                           struct error *error)
{
    struct vkb_commands commands = {0};
    bool ok = vkb_commands_create(device, 1, "height map layout", &commands, error) &&
              vkb_commands_begin(commands.buffers[0], true, error);
    for (uint32_t i = 0; ok && i < ring->count; i++) {
        VkImageMemoryBarrier2 barrier = image_barrier(ring, i);
        barrier.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED;
        barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
        vkb_barrier(commands.buffers[0], NULL, 0, &barrier, 1);
        ring_release(device, ring, commands.buffers[0], i, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
    }
    ok = ok && vkb_commands_end(commands.buffers[0], error) &&
         vkb_submit_and_wait(device, commands.buffers[0], error);
    vkb_commands_destroy(device, &commands);
    return ok;
}

static bool create_images(const struct vkb_device *device, const struct ring_params *params,
                          struct ring *ring, struct error *error)
{
    const struct vkb_image_params image = image_params(params);
    bool ok = true;
    if (params->suballocated)
        ok = vkb_images_create_in_block(device, &image, ring->count, ring->images, &ring->block,
                                        error);
    for (uint32_t i = 0; ok && !params->suballocated && i < ring->count; i++)
        ok = vkb_image_create(device, &image, &ring->images[i], error);
    for (uint32_t i = 0; ok && i < ring->count; i++)
        vkb_name(device, VK_OBJECT_TYPE_IMAGE, VKB_HANDLE(ring->images[i].handle), "height map %u",
                 i);
    return ok && lay_out_images(device, ring, error);
}

bool ring_create(const struct vkb_device *device, const struct ring_params *params,
                 struct ring *ring, struct error *error)
{
    *ring = (struct ring){
        .width = params->width,
        .height = params->height,
        .external = params->external,
    };
    if (!map_size(device, params, &ring->size, error) || !fit_batch(device, params, ring, error))
        return false;
    if (params->images)
        ring->images = calloc(ring->count, sizeof *ring->images);
    else
        ring->buffers = calloc(ring->count, sizeof *ring->buffers);
    if (!ring->images && !ring->buffers)
        return error_set(error, ERROR_RUNTIME,
                         "cannot create the ring of height maps: out of memory; free memory and "
                         "run again");
    if (!(params->images ? create_images : create_buffers)(device, params, ring, error)) {
        ring_destroy(device, ring);
        return false;
    }
    return true;
}

void ring_destroy(const struct vkb_device *device, struct ring *ring)
{
    for (uint32_t i = 0; ring->buffers && i < ring->count; i++)
        vkb_buffer_destroy(device, &ring->buffers[i]);
    for (uint32_t i = 0; ring->images && i < ring->count; i++)
        vkb_image_destroy(device, &ring->images[i]);
    vkb_memory_free(device, &ring->block);
    free(ring->buffers);
    free(ring->images);
    *ring = (struct ring){0};
}

const struct vkb_memory *ring_memory(const struct ring *ring, uint32_t slot)
{
    if (ring->block.handle)
        return &ring->block;
    return ring->images ? &ring->images[slot].memory : &ring->buffers[slot].memory;
}

VkDescriptorType ring_descriptor_type(const struct ring *ring)
{
    return ring->images ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

void ring_bind(const struct vkb_device *device, const struct ring *ring, uint32_t slot,
               VkDescriptorSet set, uint32_t binding)
{
    if (ring->images)
        vkb_set_storage_image(device, set, binding, ring->images[slot].view);
    else
        vkb_set_buffer(device, set, binding, ring->buffers[slot].handle);
}

/* The stages on the far side of a transfer to or from CUDA are not Vulkan's:
 * the semaphore's wait or signal orders them, so the barrier chains with that. */
static void transfer(const struct ring *ring, VkCommandBuffer commands, uint32_t slot,
                     VkPipelineStageFlags2 stages, VkAccessFlags2 access, uint32_t from,
                     uint32_t to)
{
    if (ring->images) {
        VkImageMemoryBarrier2 barrier = image_barrier(ring, slot);
        barrier.srcStageMask = stages;
        barrier.dstStageMask = stages;
        barrier.dstAccessMask = access;
        barrier.srcQueueFamilyIndex = from;
        barrier.dstQueueFamilyIndex = to;
        vkb_barrier(commands, NULL, 0, &barrier, 1);
        return;
    }
    const VkBufferMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
        .srcStageMask = stages,
        .dstStageMask = stages,
        .dstAccessMask = access,
        .srcQueueFamilyIndex = from,
        .dstQueueFamilyIndex = to,
        .buffer = ring->buffers[slot].handle,
        .size = VK_WHOLE_SIZE,
    };
    vkb_barrier(commands, &barrier, 1, NULL, 0);
}

void ring_acquire(const struct vkb_device *device, const struct ring *ring,
                  VkCommandBuffer commands, uint32_t slot, VkPipelineStageFlags2 stages)
{
    VkAccessFlags2 access = 0;
    if (stages & VK_PIPELINE_STAGE_2_COPY_BIT)
        access |= VK_ACCESS_2_TRANSFER_READ_BIT;
    if (stages & ~VK_PIPELINE_STAGE_2_COPY_BIT)
        access |= VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
    if (ring->external)
        transfer(ring, commands, slot, stages, access, VK_QUEUE_FAMILY_EXTERNAL,
                 device->queue_family);
}

void ring_release(const struct vkb_device *device, const struct ring *ring,
                  VkCommandBuffer commands, uint32_t slot, VkPipelineStageFlags2 stages)
{
    if (ring->external)
        transfer(ring, commands, slot, stages, 0, device->queue_family, VK_QUEUE_FAMILY_EXTERNAL);
}

void ring_copy(const struct ring *ring, VkCommandBuffer commands, uint32_t slot,
               const struct vkb_buffer *host)
{
    const VkExtent2D extent = {ring->width, ring->height};
    const VkPipelineStageFlags2 copy = VK_PIPELINE_STAGE_2_COPY_BIT;
    const VkPipelineStageFlags2 all = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    if (!ring->images) {
        vkb_readback_record_buffer(commands, ring->buffers[slot].handle, ring->size, host);
        return;
    }
    const VkImage image = ring->images[slot].handle;
    const VkImageMemoryBarrier2 before = vkb_image_transition(
        image, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_GENERAL, all, 0,
        VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, copy, VK_ACCESS_2_TRANSFER_READ_BIT);
    const VkImageMemoryBarrier2 after = vkb_image_transition(
        image, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, copy, 0,
        VK_IMAGE_LAYOUT_GENERAL, all, VK_ACCESS_2_SHADER_STORAGE_READ_BIT);
    vkb_barrier(commands, NULL, 0, &before, 1);
    vkb_readback_record_image(commands, image, extent, host);
    vkb_barrier(commands, NULL, 0, &after, 1);
}

bool ring_read(const struct vkb_device *device, const struct ring *ring, uint32_t slot,
               float *heights, struct error *error)
{
    const VkPipelineStageFlags2 stage = VK_PIPELINE_STAGE_2_COPY_BIT;
    struct vkb_buffer host = {0};
    struct vkb_commands commands = {0};
    bool ok = false;
    if (!vkb_readback_create(device, ring->size, "height map read-back buffer", &host, error) ||
        !vkb_commands_create(device, 1, "height map read-back", &commands, error) ||
        !vkb_commands_begin(commands.buffers[0], true, error))
        goto done;
    /* The stepper's writes were made visible to the renderer's stages only. */
    const VkMemoryBarrier2 visible = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
        .dstStageMask = stage,
        .dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT,
    };
    const VkDependencyInfo dependency = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = &visible,
    };
    vkCmdPipelineBarrier2(commands.buffers[0], &dependency);
    ring_acquire(device, ring, commands.buffers[0], slot, stage);
    ring_copy(ring, commands.buffers[0], slot, &host);
    ring_release(device, ring, commands.buffers[0], slot, stage);
    if (!vkb_commands_end(commands.buffers[0], error) ||
        !vkb_submit_and_wait(device, commands.buffers[0], error))
        goto done;
    memcpy(heights, host.mapped, (size_t) ring->size);
    ok = true;
done:
    vkb_commands_destroy(device, &commands);
    vkb_buffer_destroy(device, &host);
    return ok;
}
