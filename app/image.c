#include "app/image.h"

#include <inttypes.h>
#include <stdlib.h>

bool image_size(uint32_t width, uint32_t height, size_t *size)
{
    /* 32 bits each, so that the product fits 64; its fourfold may not. */
    uint64_t pixels = (uint64_t) width * height;
    if (pixels == 0 || pixels > SIZE_MAX / 4 || pixels > PTRDIFF_MAX / 4)
        return false;
    *size = (size_t) pixels * 4;
    return true;
}

bool image_create(struct image *image, uint32_t width, uint32_t height, struct error *error)
{
    size_t size = 0;
    *image = (struct image){0};
    if (!image_size(width, height, &size))
        return error_set(error, ERROR_RUNTIME,
                         "cannot make a picture of %" PRIu32 "x%" PRIu32
                         ": no such size; give a smaller --size",
                         width, height);
    image->pixels = calloc(size, 1);
    if (!image->pixels)
        return error_set(error, ERROR_RUNTIME,
                         "cannot make a picture of %" PRIu32 "x%" PRIu32
                         ": out of memory; give a smaller --size",
                         width, height);
    image->width = width;
    image->height = height;
    return true;
}

void image_destroy(struct image *image)
{
    free(image->pixels);
    *image = (struct image){0};
}
