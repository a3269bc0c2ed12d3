/* fuzz_png.c: a file as a picture; what can be read equals itself, and differs
 * from its negative. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "app/compare.h"
#include "app/output_file.h"
#include "app/png_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool holds)
{
    if (!holds)
        abort();
}

static void look(struct image *image)
{
    struct image negative = {0};
    struct image difference = {0};
    struct error error = {0};
    const size_t pixels = (size_t) image->width * image->height;
    /* Larger ones are read, not compared: that would only be slow. */
    if (pixels > 1U << 16)
        return;
    struct comparison same = compare_images(image, image, 0);
    expect(same.same_size && same.differing == 0 && same.worst == 0);
    expect(image_create(&negative, image->width, image->height, &error));
    for (size_t i = 0; i < 4 * pixels; i++)
        negative.pixels[i] = (uint8_t) ~image->pixels[i];
    struct comparison other = compare_images(image, &negative, 0);
    expect(other.same_size && other.differing == pixels && other.worst > 0);
    expect(compare_difference(image, &negative, 2, &difference, &error));
    image_destroy(&difference);
    image_destroy(&negative);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    struct image image = {0};
    struct error error = {0};
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (fd < 0)
        abort();
    (void) snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (output_file_write_all(fd, data, size) != 0)
        abort();
    if (png_file_read(path, &image, &error)) {
        expect(error.kind == ERROR_NONE);
        expect(image.width >= 1 && image.width <= PNG_FILE_SIDE_MAX);
        expect(image.height >= 1 && image.height <= PNG_FILE_SIDE_MAX);
        look(&image);
    } else {
        expect(error.kind != ERROR_NONE && error.text[0] && !image.pixels);
    }
    image_destroy(&image);
    (void) close(fd);
    return 0;
}
