#include "vkbase/readback.h"

bool vkb_readback_size(VkExtent2D extent, VkDeviceSize *size)
{
    return !__builtin_mul_overflow((VkDeviceSize) extent.width, (VkDeviceSize) extent.height,
                                   size) &&
           !__builtin_mul_overflow(*size, (VkDeviceSize) 4, size);
}

bool vkb_readback_create(const struct vkb_device *device, VkDeviceSize size, const char *name,
                         struct vkb_buffer *buffer, struct error *error)
{
    const struct vkb_buffer_params params = {
        .size = size,
        .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
        .kind = VKB_MEMORY_READBACK,
        .name = name,
    };
    return vkb_buffer_create(device, &params, buffer, error);
}

void vkb_readback_record_visible(VkCommandBuffer commands, const struct vkb_buffer *buffer)
{
    const VkBufferMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
        .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_HOST_BIT,
        .dstAccessMask = VK_ACCESS_2_HOST_READ_BIT,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .buffer = buffer->handle,
        .size = VK_WHOLE_SIZE,
    };
    vkb_barrier(commands, &barrier, 1, NULL, 0);
}

void vkb_readback_record_image(VkCommandBuffer commands, VkImage image, VkExtent2D extent,
                               const struct vkb_buffer *buffer)
{
    const VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {extent.width, extent.height, 1},
    };
    vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer->handle, 1,
                           &region);
    vkb_readback_record_visible(commands, buffer);
}

void vkb_readback_record_buffer(VkCommandBuffer commands, VkBuffer source, VkDeviceSize size,
                                const struct vkb_buffer *buffer)
{
    const VkBufferCopy region = {.size = size};
    vkCmdCopyBuffer(commands, source, buffer->handle, 1, &region);
    vkb_readback_record_visible(commands, buffer);
}

bool vkb_readback_rgba(VkFormat format, const void *pixels, size_t count, uint8_t *rgba,
                       struct error *error)
{
    const uint8_t *from = pixels;
    bool swap = false;
    switch (format) {
    case VK_FORMAT_B8G8R8A8_SRGB:
    case VK_FORMAT_B8G8R8A8_UNORM:
        swap = true;
        break;
    case VK_FORMAT_R8G8B8A8_SRGB:
    case VK_FORMAT_R8G8B8A8_UNORM:
        break;
    default:
        return error_set(error, ERROR_RUNTIME,
                         "cannot read back a picture: its format is VkFormat %d; report this",
                         (int) format);
    }
    for (size_t i = 0; i < count; i++) {
        rgba[4 * i + 0] = from[4 * i + (swap ? 2 : 0)];
        rgba[4 * i + 1] = from[4 * i + 1];
        rgba[4 * i + 2] = from[4 * i + (swap ? 0 : 2)];
        rgba[4 * i + 3] = 255;
    }
    return true;
}
