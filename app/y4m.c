#include "app/y4m.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/output_file.h"

bool time_reduce(double time_step, struct y4m_rate *rate)
{
    const double tolerance = 1e-8, most = 2147483647.0;
    if (!(time_step >= 1e-6 && time_step <= 1e6))
        return false;
    /* Convergents p/q of time_step: p = a p' + p'', q = a q' + q''. All whole
     * numbers here are below 2^53, so that doubles hold them exactly. */
    double x = time_step;
    double p = 1, q = 0, before_p = 0, before_q = 1;
    for (int i = 0; i < 64; i++) {
        double a = floor(x);
        double next_p = a * p + before_p, next_q = a * q + before_q;
        if (next_p > most || next_q > most)
            break;
        before_p = p;
        before_q = q;
        p = next_p;
        q = next_q;
        /* p is 0 after the first step where time_step is below 1. */
        if (p > 0 && fabs(p / q - time_step) <= time_step * tolerance)
            break;
        double rest = x - a;
        if (rest <= 0)
            break;
        x = 1 / rest;
    }
    if (p < 1 || q < 1)
        return false;
    *rate = (struct y4m_rate){.frames = (uint32_t) q, .seconds = (uint32_t) p};
    return true;
}

void y4m_convert(size_t count, enum pixel_order order, const uint8_t *pixels, uint8_t *planes)
{
    /* BT.601 in 16 fractional bits, scaled by 219/255 for luma, 224/255 for
     * chroma; each chroma row adds up to 0, so that grey is exactly 128. */
    enum { HALF = 1 << 15, LUMA = (16 << 16) + HALF, CHROMA = (128 << 16) + HALF };
    size_t red = order == PIXELS_BGRA ? 2 : 0, blue = 2 - red;
    uint8_t *luma = planes, *cb = planes + count, *cr = planes + 2 * count;
    for (size_t i = 0; i < count; i++) {
        int32_t r = pixels[4 * i + red], g = pixels[4 * i + 1], b = pixels[4 * i + blue];
        luma[i] = (uint8_t) ((16829 * r + 33039 * g + 6416 * b + LUMA) >> 16);
        cb[i] = (uint8_t) ((-9714 * r - 19070 * g + 28784 * b + CHROMA) >> 16);
        cr[i] = (uint8_t) ((28784 * r - 24103 * g - 4681 * b + CHROMA) >> 16);
    }
}

static bool put(const struct y4m *y4m, const void *data, size_t size, struct error *error)
{
    int number = output_file_write_all(y4m->fd, data, size);
    return number == 0 || error_set(error, ERROR_RUNTIME, "cannot write the stream: %s; %s",
                                    strerror(number), // NOLINT(concurrency-mt-unsafe)
                                    output_file_advice(number));
}

bool y4m_create(struct y4m *y4m, int fd, uint32_t width, uint32_t height, double time_step,
                struct error *error)
{
    struct y4m_rate rate;
    size_t size = 0;
    char header[160];
    *y4m = (struct y4m){.fd = -1};
    if (!time_reduce(time_step, &rate))
        return error_set(error, ERROR_RUNTIME,
                         "cannot write the stream: %g s have no frame rate; give a --time-step "
                         "from 1e-6 to 1e6",
                         time_step);
    if (image_size(width, height, &size))
        y4m->planes = malloc(size / 4 * 3);
    if (!y4m->planes)
        return error_set(error, ERROR_RUNTIME,
                         "cannot write the stream: out of memory for a frame of %" PRIu32
                         "x%" PRIu32 "; give a smaller --size",
                         width, height);
    y4m->fd = fd;
    y4m->width = width;
    y4m->height = height;
    int length = snprintf(header, sizeof header,
                          "YUV4MPEG2 W%" PRIu32 " H%" PRIu32 " F%" PRIu32 ":%" PRIu32
                          " Ip A1:1 C444 XCOLORRANGE=LIMITED\n",
                          width, height, rate.frames, rate.seconds);
    if (put(y4m, header, (size_t) length, error))
        return true;
    y4m_destroy(y4m);
    return false;
}

bool y4m_write(struct y4m *y4m, enum pixel_order order, const uint8_t *pixels, struct error *error)
{
    size_t count = (size_t) y4m->width * y4m->height;
    y4m_convert(count, order, pixels, y4m->planes);
    return put(y4m, "FRAME\n", 6, error) && put(y4m, y4m->planes, count * 3, error);
}

void y4m_destroy(struct y4m *y4m)
{
    free(y4m->planes);
    *y4m = (struct y4m){.fd = -1};
}
