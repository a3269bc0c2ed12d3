/* png_file.h: pictures as PNG files, through libpng.
 *
 * Thread rule: any thread; each call has its own libpng structures.
 */
#ifndef APP_PNG_FILE_H
#define APP_PNG_FILE_H

#include <stdint.h>

#include "app/image.h"
#include "app/output_file.h"
#include "vkbase/error.h"

enum { PNG_FILE_SIDE_MAX = 16384 }; /* pixels */

/* Writes an 8-bit RGB file with an sRGB chunk from height rows of width pixels
 * of 4 bytes in `order`, rows without padding. The fourth byte is left out: a
 * frame's alpha is always 255. Equal pixels give equal files with one libpng
 * and zlib. The file is whole or absent (output_file.h). Fails with
 * ERROR_RUNTIME. */
bool png_file_write(const char *path, uint32_t width, uint32_t height, enum pixel_order order,
                    const uint8_t *pixels, struct error *error);

/* The same into a file that is open; the caller commits it, or aborts. */
bool png_file_encode(struct output_file *file, uint32_t width, uint32_t height,
                     enum pixel_order order, const uint8_t *pixels, struct error *error);

/* Reads grey (1 to 8 bits), palette, RGB or RGBA, interlaced or not, as RGBA;
 * without transparency in the file alpha is 255. Colours are taken as they are
 * stored: gamma and colour profiles are not applied. The caller destroys
 * `image`. Fails with ERROR_USAGE where the file is missing, not a PNG,
 * truncated, damaged, of 16 bits a channel, or larger than PNG_FILE_SIDE_MAX;
 * with ERROR_RUNTIME for want of memory or descriptors. */
bool png_file_read(const char *path, struct image *image, struct error *error);

#endif
