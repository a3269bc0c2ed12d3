/* y4m.h: uncompressed video for ffmpeg, mpv and encoders.
 *
 * The stream is YUV4MPEG2 with C444 frames: luma and both chroma planes at full
 * size, BT.601 coefficients, limited range (Y 16 to 235, Cb and Cr 16 to 240).
 * Sources: yuv4mpeg(5) of mjpegtools; ITU-R BT.601-7, 2.5.1 to 2.5.3; the
 * XCOLORRANGE tag is FFmpeg's.
 * Thread rule: a stream belongs to one thread at a time.
 */
#ifndef APP_Y4M_H
#define APP_Y4M_H

#include <stddef.h>
#include <stdint.h>

#include "app/image.h"
#include "vkbase/error.h"

/* Frames for each so many seconds: 30000 / 1001, 60 / 1. */
struct y4m_rate {
    uint32_t frames, seconds; /* without common factor, each 1 to 2^31 - 1 */
};

struct y4m {
    int fd; /* not owned */
    uint32_t width, height;
    uint8_t *planes; /* of one frame; owned */
};

/* The rate of frames that are `time_step` seconds apart: the fraction with the
 * smallest terms, of those that the continued fraction of `time_step` passes
 * through, that is off by at most one part in 10^8. Pure. Returns false where
 * `time_step` is not from 1e-6 to 1e6. */
bool time_reduce(double time_step, struct y4m_rate *rate);

/* Converts `count` pixels of 4 bytes to three planes of `count` bytes each, one
 * after another, in `planes`. Pure. */
void y4m_convert(size_t count, enum pixel_order order, const uint8_t *pixels, uint8_t *planes);

/* Writes the stream's header to `fd`, which stays the caller's and must stay
 * open. Writing to a closed pipe is an ERROR_RUNTIME like any other failure,
 * provided that the program ignores SIGPIPE. */
bool y4m_create(struct y4m *y4m, int fd, uint32_t width, uint32_t height, double time_step,
                struct error *error);

/* Writes a frame of width x height pixels, rows without padding. */
bool y4m_write(struct y4m *y4m, enum pixel_order order, const uint8_t *pixels, struct error *error);

/* Frees the planes; safe on a zeroed one. Closes nothing. */
void y4m_destroy(struct y4m *y4m);

#endif
