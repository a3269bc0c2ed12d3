#include "vkbase/commands.h"

#include "vkbase/result.h"

bool vkb_commands_create(const struct vkb_device *device, uint32_t count, const char *name,
                         struct vkb_commands *commands, struct error *error)
{
    *commands = (struct vkb_commands){.count = count};
    if (count > VKB_COMMANDS_MAX)
        return error_set(error, ERROR_RUNTIME,
                         "cannot create the %s commands: %u buffers asked for, %d possible; "
                         "report this",
                         name, count, VKB_COMMANDS_MAX);
    const VkCommandPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = device->queue_family,
    };
    if (!VKB_OK(error, "create a command pool",
                vkCreateCommandPool(device->handle, &pool_info, NULL, &commands->pool))) {
        *commands = (struct vkb_commands){0};
        return false;
    }
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = commands->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = count,
    };
    if (!VKB_OK(error, "allocate command buffers",
                vkAllocateCommandBuffers(device->handle, &info, commands->buffers))) {
        vkb_commands_destroy(device, commands);
        return false;
    }
    for (uint32_t i = 0; i < count; i++)
        vkb_name(device, VK_OBJECT_TYPE_COMMAND_BUFFER, VKB_HANDLE(commands->buffers[i]),
                 "%s commands %u", name, i);
    return true;
}

void vkb_commands_destroy(const struct vkb_device *device, struct vkb_commands *commands)
{
    if (commands->pool) /* frees its buffers too */
        vkDestroyCommandPool(device->handle, commands->pool, NULL);
    *commands = (struct vkb_commands){0};
}

bool vkb_commands_begin(VkCommandBuffer buffer, bool once, struct error *error)
{
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = once ? VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT : 0U,
    };
    return VKB_OK(error, "record commands", vkBeginCommandBuffer(buffer, &info));
}

bool vkb_commands_end(VkCommandBuffer buffer, struct error *error)
{
    return VKB_OK(error, "record commands", vkEndCommandBuffer(buffer));
}

VkSemaphoreSubmitInfo vkb_point(VkSemaphore semaphore, uint64_t value, VkPipelineStageFlags2 stages)
{
    return (VkSemaphoreSubmitInfo){
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = semaphore,
        .value = value,
        .stageMask = stages,
    };
}

bool vkb_submit(const struct vkb_device *device, VkCommandBuffer buffer,
                const VkSemaphoreSubmitInfo *waits, uint32_t wait_count,
                const VkSemaphoreSubmitInfo *signals, uint32_t signal_count, VkFence fence,
                struct error *error)
{
    const VkCommandBufferSubmitInfo buffer_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
        .commandBuffer = buffer,
    };
    const VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = wait_count,
        .pWaitSemaphoreInfos = waits,
        .commandBufferInfoCount = buffer ? 1 : 0,
        .pCommandBufferInfos = &buffer_info,
        .signalSemaphoreInfoCount = signal_count,
        .pSignalSemaphoreInfos = signals,
    };
    return VKB_OK(error, "submit work to the device",
                  vkQueueSubmit2(device->queue, 1, &info, fence));
}

/* Whether nothing is in flight any more, which a lost device tells too. */
static bool wait_again(const struct vkb_device *device, VkFence fence)
{
    const uint64_t timeout_ns = UINT64_C(2000000000);
    const VkResult result = vkWaitForFences(device->handle, 1, &fence, VK_TRUE, timeout_ns);
    return result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST;
}

bool vkb_submit_and_wait(const struct vkb_device *device, VkCommandBuffer buffer,
                         struct error *error)
{
    const uint64_t timeout_ns = UINT64_C(1000000000) * device->work_timeout_s;
    VkFence fence = VK_NULL_HANDLE;
    const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    if (!VKB_OK(error, "create a fence", vkCreateFence(device->handle, &info, NULL, &fence)))
        return false;
    bool ok = vkb_submit(device, buffer, NULL, 0, NULL, 0, fence, error);
    bool finished = true;
    if (ok) {
        const VkResult result = vkWaitForFences(device->handle, 1, &fence, VK_TRUE, timeout_ns);
        ok = result == VK_TIMEOUT
                 ? error_set(error, ERROR_RUNTIME,
                             "cannot wait for the device: vkWaitForFences did not return within "
                             "%u s; look for a hung GPU in the kernel log, or give it less work at "
                             "a time",
                             device->work_timeout_s)
                 : vkb_check(result, error, "wait for the device", "vkWaitForFences");
        /* A failed wait says nothing of the work, and what it uses is about to
         * be destroyed. */
        finished = ok || wait_again(device, fence);
    }
    if (finished)
        vkDestroyFence(device->handle, fence, NULL);
    else
        vkb_device_stuck(device, error);
    return ok;
}

VkImageMemoryBarrier2 vkb_image_transition(VkImage image, VkImageAspectFlags aspect,
                                           VkImageLayout from_layout,
                                           VkPipelineStageFlags2 from_stages,
                                           VkAccessFlags2 from_access, VkImageLayout to_layout,
                                           VkPipelineStageFlags2 to_stages,
                                           VkAccessFlags2 to_access)
{
    return (VkImageMemoryBarrier2){
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = from_stages,
        .srcAccessMask = from_access,
        .dstStageMask = to_stages,
        .dstAccessMask = to_access,
        .oldLayout = from_layout,
        .newLayout = to_layout,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {aspect, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS},
    };
}

void vkb_barrier(VkCommandBuffer buffer, const VkBufferMemoryBarrier2 *buffers,
                 uint32_t buffer_count, const VkImageMemoryBarrier2 *images, uint32_t image_count)
{
    if (buffer_count + image_count == 0)
        return;
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .bufferMemoryBarrierCount = buffer_count,
        .pBufferMemoryBarriers = buffers,
        .imageMemoryBarrierCount = image_count,
        .pImageMemoryBarriers = images,
    };
    vkCmdPipelineBarrier2(buffer, &info);
}
