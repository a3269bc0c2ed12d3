/* clock.h: the time that each frame shows, in seconds.
 *
 * A stepped clock gives frame i of the run start + (first + i) * step; any
 * other follows the wall clock. Either can be held. Where a clock is asked for
 * the present time it gets it as `now`, seconds of a clock that never jumps.
 * Thread rule: pure functions on the caller's struct, one thread at a time.
 */
#ifndef APP_CLOCK_H
#define APP_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct clock {
    bool stepped;
    double start, step; /* seconds */
    uint64_t first;     /* absolute index of the run's first frame */
    bool paused;
    uint64_t ticks; /* stepped: frames that time went on for */
    double origin;  /* wall: `now` at which the start is shown */
    double held;    /* wall: `now` at which it was paused */
};

/* CLOCK_MONOTONIC. */
double clock_now(void);

/* Starts a clock. `params` gives stepped, start, step and first. */
struct clock clock_started(const struct clock *params, double now);

/* The time that the next frame shows; a stepped clock goes on by a step. */
double clock_next_frame(struct clock *clock, double now);

/* Holds the time, or lets it go on from where it was held. */
void clock_pause(struct clock *clock, bool paused, double now);

/* One step on; a clock that runs is paused first. */
void clock_single_step(struct clock *clock, double now);

#endif
