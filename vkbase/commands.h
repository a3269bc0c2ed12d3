/* commands.h: command buffers, their submission, and barriers.
 *
 * Thread rule: a pool and its buffers by one thread at a time; vkb_submit by
 * one thread at a time per device (it uses the device's one queue).
 * Source: Vulkan 1.3 specification, "Command Buffers", "Synchronization and
 * Cache Control".
 */
#ifndef VKBASE_COMMANDS_H
#define VKBASE_COMMANDS_H

#include "vkbase/device.h"

enum { VKB_COMMANDS_MAX = 160 };

/* A pool whose buffers are recorded again one by one. */
struct vkb_commands {
    VkCommandPool pool;
    VkCommandBuffer buffers[VKB_COMMANDS_MAX];
    uint32_t count;
};

bool vkb_commands_create(const struct vkb_device *device, uint32_t count, const char *name,
                         struct vkb_commands *commands, struct error *error);
void vkb_commands_destroy(const struct vkb_device *device, struct vkb_commands *commands);

/* Starts recording anew; the buffer must not be pending. `once`: it will be
 * submitted once only. */
bool vkb_commands_begin(VkCommandBuffer buffer, bool once, struct error *error);
bool vkb_commands_end(VkCommandBuffer buffer, struct error *error);

/* Submits one command buffer (null: none) to the device's queue. `fence` may
 * be null. */
bool vkb_submit(const struct vkb_device *device, VkCommandBuffer buffer,
                const VkSemaphoreSubmitInfo *waits, uint32_t wait_count,
                const VkSemaphoreSubmitInfo *signals, uint32_t signal_count, VkFence fence,
                struct error *error);

/* An entry for vkb_submit; `value` counts for timelines only. */
VkSemaphoreSubmitInfo vkb_point(VkSemaphore semaphore, uint64_t value,
                                VkPipelineStageFlags2 stages);

/* Submits, then waits on the host with a fence for at most work_timeout_s. A
 * time-out is ERROR_RUNTIME. After a failed wait it waits for 2 s more, so that
 * what the work uses can be destroyed; where that is in vain too and the device is
 * not lost, it calls vkb_device_stuck. For set-up and read-back, not for the frame
 * loop. */
bool vkb_submit_and_wait(const struct vkb_device *device, VkCommandBuffer buffer,
                         struct error *error);

/* An entry without transfer of ownership for vkCmdPipelineBarrier2. */
VkImageMemoryBarrier2 vkb_image_transition(VkImage image, VkImageAspectFlags aspect,
                                           VkImageLayout from_layout,
                                           VkPipelineStageFlags2 from_stages,
                                           VkAccessFlags2 from_access, VkImageLayout to_layout,
                                           VkPipelineStageFlags2 to_stages,
                                           VkAccessFlags2 to_access);
void vkb_barrier(VkCommandBuffer buffer, const VkBufferMemoryBarrier2 *buffers,
                 uint32_t buffer_count, const VkImageMemoryBarrier2 *images, uint32_t image_count);

#endif
