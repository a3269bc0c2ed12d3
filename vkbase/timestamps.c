#include "vkbase/timestamps.h"

#include "vkbase/result.h"

bool vkb_timestamps_create(const struct vkb_device *device, uint32_t count,
                           struct vkb_timestamps *timestamps, struct error *error)
{
    const uint32_t bits = device->timestamp_valid_bits;
    *timestamps = (struct vkb_timestamps){
        .count = count,
        .period_ns = (double) device->limits.timestampPeriod,
        .mask = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1,
    };
    if (bits == 0)
        return true;
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = 2 * count,
    };
    if (!VKB_OK(error, "create timestamp queries",
                vkCreateQueryPool(device->handle, &info, NULL, &timestamps->pool))) {
        *timestamps = (struct vkb_timestamps){0};
        return false;
    }
    vkb_name(device, VK_OBJECT_TYPE_QUERY_POOL, VKB_HANDLE(timestamps->pool), "timestamps");
    return true;
}

void vkb_timestamps_destroy(const struct vkb_device *device, struct vkb_timestamps *timestamps)
{
    if (timestamps->pool)
        vkDestroyQueryPool(device->handle, timestamps->pool, NULL);
    *timestamps = (struct vkb_timestamps){0};
}

void vkb_timestamps_begin(const struct vkb_timestamps *timestamps, VkCommandBuffer commands,
                          uint32_t index)
{
    if (!timestamps->pool)
        return;
    vkCmdResetQueryPool(commands, timestamps->pool, 2 * index, 2);
    vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, timestamps->pool,
                         2 * index);
}

void vkb_timestamps_end(const struct vkb_timestamps *timestamps, VkCommandBuffer commands,
                        uint32_t index)
{
    if (timestamps->pool)
        vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, timestamps->pool,
                             2 * index + 1);
}

double vkb_timestamps_span(const struct vkb_timestamps *timestamps, uint64_t begin, uint64_t end)
{
    return (double) ((end - begin) & timestamps->mask) * timestamps->period_ns;
}

double vkb_timestamps_gap(const struct vkb_timestamps *timestamps, uint64_t end, uint64_t begin)
{
    const uint64_t ticks = (begin - end) & timestamps->mask;
    return ticks > timestamps->mask / 2 ? 0.0 : (double) ticks * timestamps->period_ns;
}

bool vkb_timestamps_read(const struct vkb_device *device, const struct vkb_timestamps *timestamps,
                         uint32_t index, uint64_t *begin, uint64_t *end)
{
    uint64_t ticks[2] = {0};
    if (!timestamps->pool ||
        vkGetQueryPoolResults(device->handle, timestamps->pool, 2 * index, 2, sizeof ticks, ticks,
                              sizeof ticks[0], VK_QUERY_RESULT_64_BIT) != VK_SUCCESS)
        return false;
    *begin = ticks[0] & timestamps->mask;
    *end = ticks[1] & timestamps->mask;
    return true;
}
