/* Spoils a picture in one way, so that a test can see that the comparison with
 * a reference tells.
 *
 * Usage: mutate_picture HOW IN.png OUT.png
 *
 * Exit code 0 where the picture was written, 2 or 4 where not.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/png_file.h"

enum { CHANNELS = 4 };

static uint8_t *pixel(const struct image *image, uint32_t x, uint32_t y)
{
    return image->pixels + CHANNELS * ((size_t) y * image->width + x);
}

/* Content goes right or down by one pixel; the edge stays as it was. */
static void shift_x(struct image *image)
{
    for (uint32_t y = 0; y < image->height; y++)
        memmove(pixel(image, 1, y), pixel(image, 0, y), CHANNELS * ((size_t) image->width - 1));
}

static void shift_y(struct image *image)
{
    memmove(pixel(image, 0, 1), pixel(image, 0, 0),
            CHANNELS * (size_t) image->width * (image->height - 1));
}

/* All background. */
static void blank(struct image *image)
{
    const size_t size = CHANNELS * (size_t) image->width * image->height;
    for (size_t i = CHANNELS; i < size; i += CHANNELS)
        memcpy(image->pixels + i, image->pixels, CHANNELS);
}

static void swap_red_blue(struct image *image)
{
    const size_t size = CHANNELS * (size_t) image->width * image->height;
    for (size_t i = 0; i < size; i += CHANNELS) {
        const uint8_t red = image->pixels[i];
        image->pixels[i] = image->pixels[i + 2];
        image->pixels[i + 2] = red;
    }
}

static void mirror_x(struct image *image)
{
    for (uint32_t y = 0; y < image->height; y++) {
        for (uint32_t x = 0; x < image->width / 2; x++) {
            uint8_t kept[CHANNELS];
            uint8_t *other = pixel(image, image->width - 1 - x, y);
            memcpy(kept, pixel(image, x, y), CHANNELS);
            memcpy(pixel(image, x, y), other, CHANNELS);
            memcpy(other, kept, CHANNELS);
        }
    }
}

/* IEC 61966-2-1 */
static double srgb_encoded(double linear)
{
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1.0 / 2.4) - 0.055;
}

static double srgb_decoded(double encoded)
{
    return encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4);
}

static void map_colors(struct image *image, double (*map)(double))
{
    const size_t size = CHANNELS * (size_t) image->width * image->height;
    for (size_t i = 0; i < size; i++) {
        if (i % CHANNELS != 3)
            image->pixels[i] = (uint8_t) lround(255.0 * map(image->pixels[i] / 255.0));
    }
}

/* An sRGB attachment behind a shader that encodes by itself. */
static void srgb_twice(struct image *image)
{
    map_colors(image, srgb_encoded);
}

/* A UNORM attachment behind a shader that does not. */
static void srgb_never(struct image *image)
{
    map_colors(image, srgb_decoded);
}

static const struct {
    const char *name;
    void (*apply)(struct image *image);
} mutations[] = {
    {"shift-x", shift_x},       {"shift-y", shift_y},
    {"blank", blank},           {"swap-red-blue", swap_red_blue},
    {"mirror-x", mirror_x},     {"srgb-twice", srgb_twice},
    {"srgb-never", srgb_never},
};

int main(int argc, char **argv)
{
    struct image image;
    struct error error = {0};
    size_t i = 0;
    const size_t count = sizeof mutations / sizeof mutations[0];
    while (argc == 4 && i < count && strcmp(argv[1], mutations[i].name) != 0)
        i++;
    if (argc != 4 || i == count) {
        (void) fputs("usage: mutate_picture HOW IN.png OUT.png; HOW is", stderr);
        for (i = 0; i < count; i++)
            (void) fprintf(stderr, " %s", mutations[i].name);
        (void) fputs("\n", stderr);
        return 2;
    }
    bool done = png_file_read(argv[2], &image, &error);
    if (done) {
        mutations[i].apply(&image);
        done =
            png_file_write(argv[3], image.width, image.height, PIXELS_RGBA, image.pixels, &error);
        image_destroy(&image);
    }
    if (!done)
        (void) fprintf(stderr, "mutate_picture: %s\n", error.text);
    return done ? 0 : (int) error.kind;
}
