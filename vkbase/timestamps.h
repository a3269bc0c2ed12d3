/* timestamps.h: how long the device works on a piece of recorded commands.
 *
 * Thread rule: as for command buffers.
 * Source: Vulkan 1.3 specification, "Timestamp Queries".
 */
#ifndef VKBASE_TIMESTAMPS_H
#define VKBASE_TIMESTAMPS_H

#include "vkbase/device.h"

/* `count` pairs of timestamps. */
struct vkb_timestamps {
    VkQueryPool pool; /* null: the queue has no timestamps */
    uint32_t count;
    double period_ns;
    uint64_t mask; /* of the valid bits */
};

/* A queue without timestamps gives a null pool, and is no failure. */
bool vkb_timestamps_create(const struct vkb_device *device, uint32_t count,
                           struct vkb_timestamps *timestamps, struct error *error);
void vkb_timestamps_destroy(const struct vkb_device *device, struct vkb_timestamps *timestamps);

/* Record the begin and the end of pair `index`, outside of rendering. They do
 * nothing with a null pool. */
void vkb_timestamps_begin(const struct vkb_timestamps *timestamps, VkCommandBuffer commands,
                          uint32_t index);
void vkb_timestamps_end(const struct vkb_timestamps *timestamps, VkCommandBuffer commands,
                        uint32_t index);

/* Reads pair `index` without waiting, in ticks of the device's clock, of which the
 * valid bits are left; false where it is not there (yet). A clock that counts from
 * an epoch has more ticks than a double holds: take differences by those below. */
bool vkb_timestamps_read(const struct vkb_device *device, const struct vkb_timestamps *timestamps,
                         uint32_t index, uint64_t *begin, uint64_t *end);

/* Nanoseconds from `begin` to `end`, between which the counter may have wrapped
 * once. Pure. */
double vkb_timestamps_span(const struct vkb_timestamps *timestamps, uint64_t begin, uint64_t end);

/* Nanoseconds from the end of one piece to the begin of another, which may as well
 * have begun before that end: 0. Less than half of the counter's range. Pure. */
double vkb_timestamps_gap(const struct vkb_timestamps *timestamps, uint64_t end, uint64_t begin);

#endif
