/* handoff.h: who may touch which slot when, as pure logic.
 *
 * Frames are stepped in batches of `batch` slots. The ring holds `depth` batches,
 * an even number, and is filled anew by halves: while the renderer draws one
 * half, the stepper fills the other. A batch ends with the signal *ready*, for
 * which its first frame waits. The last frame of a half signals *free*, for
 * which the first batch that goes there again waits. Of a ring of two batches:
 *
 *   stepper   step 0  step 1          step 2 (waits free 0)
 *   renderer                 draw 0             draw 1        draw 2
 *
 * Timeline: one semaphore of each kind, batch k signals ready k + 1, half h
 * frees h + 1, counted on through all rounds. Binary: `depth` ready and two
 * free, batch k signals ready k % depth, half h frees h % 2, so each signal is
 * waited for exactly once before it is given again. Every signal is enqueued
 * before the wait for it is submitted: a batch is enqueued before its first
 * frame is drawn, and only after the half it goes to was drawn.
 *
 * Frames count from 0 here, whatever the run's first frame. Thread rule: one
 * thread. No device, no allocation.
 */
#ifndef APP_HANDOFF_H
#define APP_HANDOFF_H

#include "vkbase/error.h"
#include "vkbase/interop.h"

enum { HANDOFF_DEPTH_MAX = 32, HANDOFF_HALVES = 2 };

struct handoff_params {
    enum interop_semaphore_type type;
    uint32_t batch;  /* frames per handoff */
    uint32_t depth;  /* batches in the ring: even, 2 to HANDOFF_DEPTH_MAX */
    uint64_t frames; /* to draw in all; 0: without end */
};

struct handoff {
    enum interop_semaphore_type type;
    uint32_t depth;
    uint32_t ready_count; /* semaphores */
    uint32_t free_count;
    uint32_t batch;          /* frames per handoff */
    uint64_t frames;         /* to draw in all; 0: without end */
    uint64_t base;           /* first frame of the present semaphores */
    uint64_t stepped, drawn; /* frames so far */
    uint64_t batches;        /* stepped so far, whatever restarts lie between */
    uint64_t base_batches;   /* of these before the base */
    /* What has been promised of each semaphore, to catch a double wait. */
    struct handoff_account {
        uint64_t signalled, waited; /* timeline: values; binary: counts */
    } ready[HANDOFF_DEPTH_MAX], free[HANDOFF_HALVES];
};

/* A batch to step. */
struct handoff_batch {
    uint64_t first; /* frame */
    uint32_t count; /* frames; the last batch may be short */
    bool waits;     /* for `free` first */
    struct interop_point free;
    struct interop_point ready; /* to signal behind it */
};

/* A frame to draw. */
struct handoff_frame {
    uint64_t frame;
    uint32_t slot;
    bool waits; /* for `ready` first */
    struct interop_point ready;
    bool frees; /* signals `free` behind it */
    struct interop_point free;
};

/* Batches of a ring of about `slots` slots: an even number, at least two, and no
 * more than the run has use for. */
uint32_t handoff_depth(uint32_t batch, uint32_t slots, uint64_t frames);

/* Slots of the ring: `depth` batches, none of them longer than the run. */
uint32_t handoff_ring_size(uint32_t batch, uint32_t depth, uint64_t frames);

/* How many semaphores of each kind a ring of `depth` batches takes. */
void handoff_semaphore_counts(enum interop_semaphore_type type, uint32_t depth, uint32_t *ready,
                              uint32_t *free);

void handoff_init(struct handoff *handoff, const struct handoff_params *params);

/* Begins anew with fresh semaphores of `type` at the next frame to draw.
 * Nothing may be in flight. Frames stepped but not drawn are stepped again.
 * Slots keep their numbers: that of the last frame drawn stays as it is until
 * the next batch is stepped. */
void handoff_restart(struct handoff *handoff, enum interop_semaphore_type type);

/* The slot of frame `frame`, drawn or not, whatever restarts lie between. It
 * holds the frame until the batch `depth` further on is stepped. */
uint32_t handoff_slot(const struct handoff *handoff, uint64_t frame);

/* The *ready* point that frame `frame` (not before the base) depends on. */
struct interop_point handoff_ready(const struct handoff *handoff, uint64_t frame);

/* The number, from 0, of the batch with that point: counts all that were
 * stepped, those that a restart threw away too. */
uint64_t handoff_ready_batch(const struct handoff *handoff, uint64_t frame);

/* The next batch, or false: nothing left to step, or its part of the ring is
 * not yet released by a submitted frame. */
bool handoff_next_batch(const struct handoff *handoff, struct handoff_batch *batch);
/* To be asked before a batch is enqueued: whether what it waits for has been
 * enqueued, and its signal is due. A broken account is ERROR_RUNTIME. */
bool handoff_check_batch(const struct handoff *handoff, const struct handoff_batch *batch,
                         struct error *error);
/* The batch was enqueued, its signal too. */
void handoff_batch_stepped(struct handoff *handoff, const struct handoff_batch *batch);

/* The next frame, or false: all are drawn, or it has not been stepped yet. */
bool handoff_next_frame(const struct handoff *handoff, struct handoff_frame *frame);
/* The same before a frame is submitted, and after. */
bool handoff_check_frame(const struct handoff *handoff, const struct handoff_frame *frame,
                         struct error *error);
void handoff_frame_drawn(struct handoff *handoff, const struct handoff_frame *frame);

#endif
