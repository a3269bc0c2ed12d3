#include "app/frame_times.h"

void frame_times_interrupt(struct frame_times *times)
{
    times->unbroken = false;
}

void frame_times_wait(struct frame_times *times, double seconds)
{
    times->waited_s += seconds;
}

void frame_times_submit(struct frame_times *times, struct stats *stats, uint64_t frame, double now)
{
    const double whole = now - times->submitted_s;
    if (times->unbroken) {
        stats_add(stats, STATS_FRAME, frame, whole * 1e6);
        stats_add(stats, STATS_PACING, frame, times->waited_s * 1e6);
        stats_add(stats, STATS_HOST, frame, (whole - times->waited_s) * 1e6);
    }
    stats->frames = frame + 1;
    times->unbroken_at[frame % VKB_FRAMES_MAX] = times->unbroken;
    times->unbroken = true;
    times->submitted_s = now;
    times->waited_s = 0.0;
}

void frame_times_draw(struct frame_times *times, struct stats *stats,
                      const struct vkb_timestamps *stamps, uint64_t frame, uint64_t begin,
                      uint64_t end, bool waits)
{
    stats_add(stats, STATS_DRAW, frame, vkb_timestamps_span(stamps, begin, end) * 1e-3);
    if (waits && times->unbroken_at[frame % VKB_FRAMES_MAX])
        stats_add(stats, STATS_HANDOFF_WAIT, frame,
                  vkb_timestamps_gap(stamps, times->last_end, begin) * 1e-3);
    times->last_end = end;
}
