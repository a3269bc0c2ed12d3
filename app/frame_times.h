/* frame_times.h: what frames take on the host and on the device, for the statistics.
 *
 * A frame behind an interruption, in which the loop did something else than draw, has
 * no time on the host, nor does the device's rest before it count: both would tell of
 * the interruption. So has the first frame, which has no predecessor.
 * Thread rule: one thread.
 */
#ifndef APP_FRAME_TIMES_H
#define APP_FRAME_TIMES_H

#include "app/stats.h"
#include "vkbase/target.h"
#include "vkbase/timestamps.h"

/* Zeroed: nothing was submitted yet. */
struct frame_times {
    double submitted_s;               /* host time of the last frame's submission */
    double waited_s;                  /* since then, for the device or the display */
    bool unbroken;                    /* since then, nothing but drawing was done */
    bool unbroken_at[VKB_FRAMES_MAX]; /* the same of frame n % VKB_FRAMES_MAX */
    uint64_t last_end; /* ticks of the device at which the last measured frame ended */
};

/* Something else than drawing was done. */
void frame_times_interrupt(struct frame_times *times);

/* The host waited for the device or the display. */
void frame_times_wait(struct frame_times *times, double seconds);

/* Frame `frame` was just submitted, at `now` seconds: adds the time since the last
 * submission, with and without the waits. At most VKB_FRAMES_MAX frames may not have
 * been drawn. */
void frame_times_submit(struct frame_times *times, struct stats *stats, uint64_t frame, double now);

/* Frame `frame`, in turn, was drawn from tick `begin` to tick `end`. `waits`: it had
 * to wait for the stepper, so that the device may have had nothing to do before. */
void frame_times_draw(struct frame_times *times, struct stats *stats,
                      const struct vkb_timestamps *stamps, uint64_t frame, uint64_t begin,
                      uint64_t end, bool waits);

#endif
