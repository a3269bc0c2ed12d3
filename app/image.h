/* image.h: a picture in main memory. Thread rule: any thread, one at a time. */
#ifndef APP_IMAGE_H
#define APP_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "vkbase/error.h"

/* The order of the four bytes of a pixel. */
enum pixel_order { PIXELS_RGBA = 0, PIXELS_BGRA };

struct image {
    uint32_t width, height; /* pixels */
    uint8_t *pixels;        /* RGBA, 8 bits each, sRGB-encoded; rows top to bottom, no padding */
};

/* Bytes of width x height pixels of 4 bytes; false where a side is 0 or the
 * size does not fit. */
bool image_size(uint32_t width, uint32_t height, size_t *size);

/* Allocates zeroed pixels, which the image owns. Fails with ERROR_RUNTIME. */
bool image_create(struct image *image, uint32_t width, uint32_t height, struct error *error);

/* Frees the pixels; safe on a zeroed image. */
void image_destroy(struct image *image);

#endif
