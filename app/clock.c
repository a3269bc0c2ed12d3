#include "app/clock.h"

#include <time.h>

double clock_now(void)
{
    struct timespec now;
    (void) clock_gettime(CLOCK_MONOTONIC, &now);
    return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

struct clock clock_started(const struct clock *params, double now)
{
    struct clock clock = *params;
    clock.paused = false;
    clock.ticks = 0;
    clock.origin = now;
    clock.held = now;
    return clock;
}

double clock_next_frame(struct clock *clock, double now)
{
    if (!clock->stepped)
        return clock->start + ((clock->paused ? clock->held : now) - clock->origin);
    /* Paused: the last frame's time once more. */
    if (!clock->paused || clock->ticks == 0)
        clock->ticks++;
    return clock->start + (double) (clock->first + clock->ticks - 1) * clock->step;
}

void clock_pause(struct clock *clock, bool paused, double now)
{
    if (paused == clock->paused)
        return;
    if (paused)
        clock->held = now;
    else
        clock->origin += now - clock->held;
    clock->paused = paused;
}

void clock_single_step(struct clock *clock, double now)
{
    clock_pause(clock, true, now);
    clock->ticks++;
    clock->origin -= clock->step;
}
