/* check_heights: compares the height map that --heights wrote with the wave.
 *
 *     check_heights FILE.npy WIDTH HEIGHT TIME
 *
 * Every height must be, to the byte, the steppers' expression evaluated by the
 * host, and lie within 1e-6 of the formula in double precision. The file must
 * be a version 1.0 NumPy array of float32, C order, shape (HEIGHT, WIDTH), and
 * hold nothing behind it.
 *
 * Prints one line. Exit code 0: all equal; 1: not; 2: bad arguments. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/wave.h"

static const double bound = 1e-6;

enum { PREAMBLE = 10 }; /* magic, version, length of the header */

static int fails(const char *path, const char *why)
{
    (void) printf("%s: %s\n", path, why);
    return 1;
}

/* Reads the header up to the first number. Returns NULL, or what is wrong. */
static const char *read_header(FILE *file, uint32_t width, uint32_t height)
{
    unsigned char preamble[PREAMBLE];
    char header[1024];
    char shape[64];
    if (fread(preamble, 1, sizeof preamble, file) != sizeof preamble ||
        memcmp(preamble, "\x93NUMPY\x01\x00", 8) != 0)
        return "is no NumPy array of version 1.0";
    const size_t length = (size_t) preamble[8] + 256 * (size_t) preamble[9];
    if ((PREAMBLE + length) % 64 != 0)
        return "the header is not padded to 64 bytes";
    if (length >= sizeof header || fread(header, 1, length, file) != length)
        return "the header is cut short";
    header[length] = '\0';
    (void) snprintf(shape, sizeof shape, "'shape': (%u, %u)", height, width);
    if (!strstr(header, "'descr': '<f4'"))
        return "the numbers are not float32, little-endian";
    if (!strstr(header, "'fortran_order': False"))
        return "the order is not C's";
    return strstr(header, shape) ? NULL : "the shape is another";
}

static int check(const char *path, FILE *file, const struct wave_tables *tables, float *row,
                 double time)
{
    const struct wave_phase phase = wave_phase(time);
    uint64_t different = 0;
    double worst = 0;
    for (uint32_t y = 0; y < tables->height; y++) {
        if (fread(row, sizeof *row, tables->width, file) != tables->width)
            return fails(path, "is cut short");
        for (uint32_t x = 0; x < tables->width; x++) {
            const float want = wave_height(tables, phase, x, y);
            const double exact = wave_height_exact(tables->width, tables->height, x, y, time);
            const double error = fabs((double) row[x] - exact);
            if (memcmp(&row[x], &want, sizeof want) != 0 && different++ == 0)
                (void) printf("%s: (%u, %u) is %.9g, not %.9g; ", path, x, y, (double) row[x],
                              (double) want);
            if (!(error <= worst)) /* not a number is worst */
                worst = error;
        }
    }
    if (fgetc(file) != EOF)
        return fails(path, "holds more than the array");
    (void) printf("%s: %llu heights differ, at most %.3g from the formula\n", path,
                  (unsigned long long) different, worst);
    return different == 0 && worst <= bound ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct error error = {0};
    struct wave_tables tables = {0};
    if (argc != 5) {
        (void) fputs("usage: check_heights FILE.npy WIDTH HEIGHT TIME\n", stderr);
        return 2;
    }
    const char *path = argv[1];
    const uint32_t width = (uint32_t) strtoul(argv[2], NULL, 10);
    const uint32_t height = (uint32_t) strtoul(argv[3], NULL, 10);
    if (width == 0 || height == 0)
        return fails(path, "WIDTH and HEIGHT must be 1 or more") + 1;
    FILE *file = fopen(path, "rb");
    if (!file)
        return fails(path, "cannot be opened");
    const char *wrong = read_header(file, width, height);
    float *row = malloc(width * sizeof *row);
    int code = 1;
    if (wrong)
        code = fails(path, wrong);
    else if (!row || !wave_tables_create(width, height, &tables, &error))
        code = fails(path, "out of memory");
    else
        code = check(path, file, &tables, row, strtod(argv[4], NULL));
    wave_tables_destroy(&tables);
    free(row);
    (void) fclose(file);
    return code;
}
