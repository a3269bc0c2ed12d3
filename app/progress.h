/* progress.h: how far a long run is, on a terminal only.
 *
 * One line that is written over, at most ten times a second: frame, frames per
 * second, time left. Thread rule: main thread.
 */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
    FILE *stream;   /* NULL: says nothing */
    uint64_t total; /* frames; 0: not known */
    double start;   /* seconds of the monotonic clock */
    double next;    /* when the line is due again */
    bool shown;
};

/* Says nothing where `quiet`, or where the stream is no terminal. */
void progress_start(struct progress *progress, FILE *stream, uint64_t total, bool quiet);

/* `done` frames are finished. */
void progress_update(struct progress *progress, uint64_t done);

/* Clears the line: before any other message, and at the end. */
void progress_clear(struct progress *progress);

/* The line's text, at most 79 characters: "frame 12/600  85.3 fps  0:07 left".
 * Pure; `seconds` since the start. */
void progress_text(char *text, size_t size, uint64_t done, uint64_t total, double seconds);

#endif
