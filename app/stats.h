/* stats.h: what a run took, stage by stage, as JSON (docs/statistics.md).
 *
 * Everything lives in constant memory: durations go into histograms. The first
 * frames, in which caches and clocks warm up, are left out. Thread rule: main
 * thread.
 */
#ifndef APP_STATS_H
#define APP_STATS_H

#include "app/histogram.h"
#include "app/options.h"
#include "vkbase/error.h"

enum { STATS_SCHEMA = 1, STATS_WARMUP_FRAMES = 16 };

/* The stages of a frame; durations in microseconds. */
enum stats_stage {
    STATS_FRAME = 0,    /* from one frame's submission to the next one's */
    STATS_HOST,         /* of that: the host's own work, pacing left out */
    STATS_PACING,       /* of that: waiting for a frame in flight to finish */
    STATS_DRAW,         /* device: drawing, by timestamps */
    STATS_STEP,         /* device: stepping one batch */
    STATS_HANDOFF_WAIT, /* device: idle before a frame that waits for ready */
    STATS_STAGES
};

struct stats {
    bool enabled;
    uint64_t frames;      /* seen, warm-up included */
    uint64_t warmup;      /* of these left out */
    double first_frame_s; /* from the process's start to the first frame finished; 0: none */
    struct histogram stages[STATS_STAGES];
};

/* Facts of a run that the statistics name. Strings live for the call. */
struct stats_facts {
    const char *device, *device_type, *driver, *driver_info;
    const uint8_t *uuid;
    const char *stepper, *semaphore, *renderer;
    uint32_t width, height; /* pixels of the last frame */
    uint32_t samples, batch, slots, frames_in_flight;
    enum options_present_mode present_mode; /* in use; not read for a headless run */
    int cuda_driver, cuda_runtime;          /* 1000 * major + 10 * minor; 0: CUDA did not step */
};

/* A run of few frames leaves out fewer: at most a quarter. `frames` 0: without
 * end. */
void stats_init(struct stats *stats, bool enabled, uint64_t frames);

/* Adds a duration of frame `frame` (counted from 0), unless that is warm-up. */
void stats_add(struct stats *stats, enum stats_stage stage, uint64_t frame, double microseconds);

/* Seconds since the process was started; the kernel counts in steps of its
 * clock tick, usually 10 ms. */
double stats_process_age(void);

/* Writes JSON to options->stats, "-" being standard output. ERROR_RUNTIME where
 * it cannot be written. */
bool stats_write(const struct stats *stats, const struct options *options,
                 const struct stats_facts *facts, struct error *error);

#endif
