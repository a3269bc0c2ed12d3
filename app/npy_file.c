#include "app/npy_file.h"

#include <inttypes.h>
#include <string.h>

#include "app/output_file.h"

enum { HEADER_SIZE = 128 }; /* bytes; a multiple of 64, and two sides of 10 digits fit */

static void fill_header(uint8_t header[HEADER_SIZE], uint32_t width, uint32_t height)
{
    static const uint8_t magic[8] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    enum { START = sizeof magic + 2, LENGTH = HEADER_SIZE - START };
    char text[LENGTH + 1];
    int length =
        snprintf(text, sizeof text,
                 "{'descr': '<f4', 'fortran_order': False, 'shape': (%" PRIu32 ", %" PRIu32 "), }",
                 height, width);
    memset(header, ' ', HEADER_SIZE);
    memcpy(header, magic, sizeof magic);
    header[8] = (uint8_t) (LENGTH & 0xff);
    header[9] = (uint8_t) (LENGTH >> 8);
    memcpy(header + START, text, (size_t) length);
    header[HEADER_SIZE - 1] = '\n';
}

bool npy_file_write(const char *path, uint32_t width, uint32_t height, const float *values,
                    struct error *error)
{
    enum { CHUNK = 2048 }; /* numbers */
    struct output_file file;
    char shown[TEXT_SHOWN_SIZE];
    uint8_t bytes[HEADER_SIZE > CHUNK * 4 ? HEADER_SIZE : CHUNK * 4];

    _Static_assert(sizeof(float) == 4, "float is IEEE 754 binary32");
    uint64_t count = (uint64_t) width * height;
    if (count == 0 || count > PTRDIFF_MAX / sizeof(float))
        return error_set(error, ERROR_RUNTIME,
                         "cannot write %s: no array has %" PRIu32 "x%" PRIu32
                         " numbers; give another --grid",
                         text_shown(path, shown), width, height);
    if (!output_file_open(&file, path, error))
        return false;
    fill_header(bytes, width, height);
    bool done = output_file_write(&file, bytes, HEADER_SIZE, error);
    while (done && count > 0) {
        size_t length = count < CHUNK ? (size_t) count : CHUNK;
        /* Byte by byte: the same on a big-endian host. */
        for (size_t i = 0; i < length; i++) {
            uint32_t bits = 0;
            memcpy(&bits, &values[i], sizeof bits);
            for (size_t b = 0; b < 4; b++)
                bytes[4 * i + b] = (uint8_t) (bits >> (8 * b));
        }
        done = output_file_write(&file, bytes, length * 4, error);
        values += length;
        count -= length;
    }
    if (!done) {
        output_file_abort(&file);
        return false;
    }
    return output_file_commit(&file, error);
}
