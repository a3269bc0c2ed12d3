/* sequence.h: every frame of a run, to files or to a stream.
 *
 * Worker threads encode while the next frames are drawn. Buffers are made at
 * creation and go round: the caller takes one, fills it, hands it over; where
 * all are in use it waits. Memory is constant.
 *
 *     sequence_create -> (sequence_acquire -> fill -> sequence_push)... ->
 *     sequence_finish -> sequence_destroy
 *
 * The first error of a worker is kept and comes out of the next call; what was
 * handed over before is written as far as possible, later frames are not.
 * Thread rule: all calls from one thread.
 */
#ifndef APP_SEQUENCE_H
#define APP_SEQUENCE_H

#include <stdint.h>

#include "app/image.h"
#include "vkbase/error.h"

enum { SEQUENCE_WORKERS_MAX = 8 };

struct sequence;

struct sequence_params {
    const char *output;     /* a pattern (pattern.h), or "-" for a y4m stream to `fd` */
    int fd;                 /* for the stream; stays the caller's */
    uint32_t width, height; /* pixels of every frame */
    enum pixel_order order;
    double time_step;     /* seconds between frames; for the stream's rate */
    uint64_t first_frame; /* index of the first frame: its file is probed */
    uint32_t workers;     /* 0: one for each core, at most 8. A stream has one. */
};

/* Starts the workers. Fails with ERROR_RUNTIME, or ERROR_USAGE for a pattern
 * that is none, and leaves *sequence NULL. */
bool sequence_create(struct sequence **sequence, const struct sequence_params *params,
                     struct error *error);

/* A buffer for one frame of width x height pixels of 4 bytes, in the order of
 * the params, rows without padding, alpha ignored; NULL after an error. It is
 * the caller's until sequence_push(). Waits while all buffers are in use.
 * Without a push in between the same buffer comes again. */
uint8_t *sequence_acquire(struct sequence *sequence, struct error *error);

/* Hands the acquired buffer over as frame `index`. A stream gets its frames in
 * the order of the pushes. */
bool sequence_push(struct sequence *sequence, uint64_t index, struct error *error);

/* Waits until all is written. No frames after that. */
bool sequence_finish(struct sequence *sequence, struct error *error);

/* For a process that is about to leave: the same, but for `seconds` at most, and
 * the workers stay. Whether all is written. */
bool sequence_settle(struct sequence *sequence, int seconds);

/* Frames written so far. */
uint64_t sequence_written(struct sequence *sequence);

/* Ends the workers, dropping frames that none has begun; takes NULL. */
void sequence_destroy(struct sequence *sequence);

#endif
