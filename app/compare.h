/* compare.h: how far two pictures differ. Pure functions: any thread. */
#ifndef APP_COMPARE_H
#define APP_COMPARE_H

#include <stdint.h>

#include "app/image.h"
#include "vkbase/error.h"

struct comparison {
    bool same_size;     /* false: nothing else was looked at */
    uint64_t pixels;    /* of one picture */
    uint64_t differing; /* pixels with a channel, alpha included, off by more than the threshold */
    double ratio;       /* differing / pixels */
    uint32_t worst;     /* largest difference of a channel, of 255 */
    uint32_t worst_x, worst_y; /* pixels from the top left; the first place in reading order */
    unsigned worst_channel;    /* 0 red, 1 green, 2 blue, 3 alpha */
};

/* Compares a frame with its reference; `threshold` is of 255. */
struct comparison compare_images(const struct image *image, const struct image *reference,
                                 uint32_t threshold);

/* Makes a picture of the frame in dimmed grey, pixels that differ in magenta,
 * the stronger the more they differ. Both must have one size; the caller
 * destroys `difference`. Fails with ERROR_RUNTIME. */
bool compare_difference(const struct image *image, const struct image *reference,
                        uint32_t threshold, struct image *difference, struct error *error);

#endif
