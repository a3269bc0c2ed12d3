#include "app/compare.h"

enum { CHANNELS = 4 };

static uint32_t distance(uint8_t a, uint8_t b)
{
    return a > b ? (uint32_t) (a - b) : (uint32_t) (b - a);
}

struct comparison compare_images(const struct image *image, const struct image *reference,
                                 uint32_t threshold)
{
    struct comparison result = {0};
    if (image->width != reference->width || image->height != reference->height)
        return result;
    result.same_size = true;
    result.pixels = (uint64_t) image->width * image->height;
    const uint8_t *a = image->pixels, *b = reference->pixels;
    for (uint32_t y = 0; y < image->height; y++) {
        for (uint32_t x = 0; x < image->width; x++, a += CHANNELS, b += CHANNELS) {
            bool differs = false;
            for (unsigned c = 0; c < CHANNELS; c++) {
                uint32_t off = distance(a[c], b[c]);
                differs = differs || off > threshold;
                if (off > result.worst) {
                    result.worst = off;
                    result.worst_x = x;
                    result.worst_y = y;
                    result.worst_channel = c;
                }
            }
            result.differing += differs ? 1 : 0;
        }
    }
    if (result.pixels > 0)
        result.ratio = (double) result.differing / (double) result.pixels;
    return result;
}

bool compare_difference(const struct image *image, const struct image *reference,
                        uint32_t threshold, struct image *difference, struct error *error)
{
    if (!image_create(difference, image->width, image->height, error))
        return false;
    size_t size = (size_t) image->width * image->height * CHANNELS;
    for (size_t i = 0; i < size; i += CHANNELS) {
        const uint8_t *a = image->pixels + i, *b = reference->pixels + i;
        uint8_t *out = difference->pixels + i;
        uint32_t off = 0;
        for (unsigned c = 0; c < CHANNELS; c++)
            off = distance(a[c], b[c]) > off ? distance(a[c], b[c]) : off;
        /* A third of the frame's brightness (luma of BT.601). */
        uint8_t grey = (uint8_t) ((299U * a[0] + 587U * a[1] + 114U * a[2]) / 3000U);
        /* Even the least difference must catch the eye: at least 160 of 255. */
        uint8_t strong = (uint8_t) (160U + off * 95U / 255U);
        bool differs = off > threshold;
        out[0] = differs ? strong : grey;
        out[1] = differs ? 0 : grey;
        out[2] = differs ? strong : grey;
        out[3] = 255;
    }
    return true;
}
