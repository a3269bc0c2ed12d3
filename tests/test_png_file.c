/* PNG files: what is written, every colour type that is read, and what is
 * refused. The files to read are made here with libpng. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <png.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "app/png_file.h"
#include "tests/sanitized.h"
#include "tests/scratch.h"

enum { WIDTH = 13, HEIGHT = 9 };           /* odd, so that packed rows end within a byte */
enum { IHDR = 8, AFTER_IHDR = IHDR + 25 }; /* where chunks begin */

/* Samples as they are stored: one byte for each channel (two with 16 bits). */
static uint8_t sample(uint32_t x, uint32_t y, uint32_t channel, int depth)
{
    uint32_t most = depth >= 8 ? 255 : (1U << depth) - 1;
    return (uint8_t) ((x * 19 + y * 7 + channel * 83) % (most + 1));
}

static uint32_t channels_of(int type)
{
    return type == PNG_COLOR_TYPE_RGB          ? 3
           : type == PNG_COLOR_TYPE_RGB_ALPHA  ? 4
           : type == PNG_COLOR_TYPE_GRAY_ALPHA ? 2
                                               : 1;
}

static png_color palette_entry(uint32_t index)
{
    return (png_color){(png_byte) (index * 16 + 3), (png_byte) (255 - index),
                       (png_byte) (index * 5)};
}

struct shape {
    int type, depth, interlace;
    bool transparency; /* a tRNS chunk: entry, or grey, or colour of pixel (2, 1) */
};

static void make(const char *path, const struct shape *shape)
{
    uint8_t rows[HEIGHT][WIDTH * 8];
    png_bytep pointers[HEIGHT];
    uint32_t channels = channels_of(shape->type), bytes = shape->depth == 16 ? 2 : 1;
    for (uint32_t y = 0; y < HEIGHT; y++) {
        pointers[y] = rows[y];
        for (uint32_t i = 0; i < WIDTH * channels * bytes; i++)
            rows[y][i] = sample(i / (channels * bytes), y, i / bytes % channels, shape->depth);
    }
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    assert_non_null(png);
    png_infop info = png_create_info_struct(png);
    assert_non_null(info);
    if (setjmp(png_jmpbuf(png)))
        fail_msg("libpng cannot make the file");
    png_init_io(png, file);
    png_set_IHDR(png, info, WIDTH, HEIGHT, shape->depth, shape->type, shape->interlace,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (shape->type == PNG_COLOR_TYPE_PALETTE) {
        png_color palette[256];
        png_byte alpha[2] = {255, 77};
        int entries = 1 << shape->depth;
        for (int i = 0; i < entries; i++)
            palette[i] = palette_entry((uint32_t) i);
        png_set_PLTE(png, info, palette, entries);
        if (shape->transparency)
            png_set_tRNS(png, info, alpha, 2, NULL);
    } else if (shape->transparency) {
        png_color_16 colour = {.red = sample(2, 1, 0, shape->depth),
                               .green = sample(2, 1, 1, shape->depth),
                               .blue = sample(2, 1, 2, shape->depth),
                               .gray = sample(2, 1, 0, shape->depth)};
        png_set_tRNS(png, info, NULL, 0, &colour);
    }
    png_write_info(png, info);
    png_set_packing(png);
    png_write_image(png, pointers);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    assert_int_equal(fclose(file), 0);
}

static void expected_pixel(const struct shape *shape, uint32_t x, uint32_t y, uint8_t rgba[4])
{
    uint8_t s[4];
    for (uint32_t c = 0; c < 4; c++)
        s[c] = sample(x, y, c, shape->depth);
    bool colour = shape->type == PNG_COLOR_TYPE_RGB || shape->type == PNG_COLOR_TYPE_RGB_ALPHA;
    for (uint32_t c = 0; c < 3; c++)
        rgba[c] = colour ? s[c] : (uint8_t) (s[0] * 255 / ((1 << shape->depth) - 1));
    rgba[3] = shape->type == PNG_COLOR_TYPE_RGB_ALPHA    ? s[3]
              : shape->type == PNG_COLOR_TYPE_GRAY_ALPHA ? s[1]
                                                         : 255;
    if (shape->type == PNG_COLOR_TYPE_PALETTE) {
        png_color entry = palette_entry(s[0]);
        rgba[0] = entry.red;
        rgba[1] = entry.green;
        rgba[2] = entry.blue;
        rgba[3] = shape->transparency && s[0] == 1 ? 77 : 255;
    } else if (shape->transparency) {
        bool clear = true;
        for (uint32_t c = 0; c < channels_of(shape->type); c++)
            clear = clear && s[c] == sample(2, 1, c, shape->depth);
        rgba[3] = clear ? 0 : 255;
    }
}

static void every_colour_type(void **state)
{
    (void) state;
    static const struct {
        int type, depths[4];
        bool may_have_transparency;
    } types[] = {
        {PNG_COLOR_TYPE_GRAY, {1, 2, 4, 8}, true},
        {PNG_COLOR_TYPE_PALETTE, {1, 2, 4, 8}, true},
        {PNG_COLOR_TYPE_RGB, {8, 0, 0, 0}, true},
        {PNG_COLOR_TYPE_RGB_ALPHA, {8, 0, 0, 0}, false},
        {PNG_COLOR_TYPE_GRAY_ALPHA, {8, 0, 0, 0}, false},
    };
    int made = 0;
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        for (int variant = 0; variant < 16; variant++) {
            struct shape shape = {types[t].type, types[t].depths[variant / 4],
                                  variant % 2 ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                                  variant / 2 % 2 == 1};
            if (shape.depth == 0 || (shape.transparency && !types[t].may_have_transparency))
                continue;
            struct image image;
            struct error error = {0};
            make(scratch("a.png"), &shape);
            if (!png_file_read(scratch("a.png"), &image, &error))
                fail_msg("type %d depth %d: %s", shape.type, shape.depth, error.text);
            assert_int_equal(image.width, WIDTH);
            assert_int_equal(image.height, HEIGHT);
            for (uint32_t y = 0; y < HEIGHT; y++) {
                for (uint32_t x = 0; x < WIDTH; x++) {
                    uint8_t rgba[4];
                    expected_pixel(&shape, x, y, rgba);
                    assert_memory_equal(image.pixels + 4 * ((size_t) y * WIDTH + x), rgba, 4);
                }
            }
            image_destroy(&image);
            made++;
        }
    }
    assert_int_equal(made, 40);
}

static void fill(uint8_t *pixels)
{
    for (uint32_t i = 0; i < WIDTH * HEIGHT * 4; i++)
        pixels[i] = (uint8_t) (i % 4 == 3 ? 255 : i * 37 >> 1);
}

static void written_and_read_back(void **state)
{
    (void) state;
    uint8_t pixels[WIDTH * HEIGHT * 4], swapped[WIDTH * HEIGHT * 4];
    struct image image;
    struct error error = {0};
    size_t size = 0, other_size = 0;
    fill(pixels);
    assert_true(png_file_write(scratch("a.png"), WIDTH, HEIGHT, PIXELS_RGBA, pixels, &error));
    assert_true(png_file_read(scratch("a.png"), &image, &error));
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, HEIGHT);
    assert_memory_equal(image.pixels, pixels, sizeof pixels);
    image_destroy(&image);

    for (size_t i = 0; i < sizeof pixels; i += 4) {
        swapped[i] = pixels[i + 2];
        swapped[i + 1] = pixels[i + 1];
        swapped[i + 2] = pixels[i];
        swapped[i + 3] = 0; /* is left out */
    }
    assert_true(png_file_write(scratch("b.png"), WIDTH, HEIGHT, PIXELS_BGRA, swapped, &error));
    unsigned char *bytes = scratch_read(scratch("a.png"), &size);
    unsigned char *other = scratch_read(scratch("b.png"), &other_size);
    assert_int_equal(size, other_size);
    assert_memory_equal(bytes, other, size);
    /* 8 bits, RGB, not interlaced; then the sRGB chunk. */
    assert_memory_equal(bytes + 24, "\x08\x02\x00\x00\x00", 5);
    assert_memory_equal(bytes + 33, "\x00\x00\x00\x01sRGB\x00", 9);
    free(bytes);
    free(other);
}

static void smallest_and_widest(void **state)
{
    (void) state;
    static const uint8_t dot[4] = {1, 2, 3, 255};
    struct image image;
    struct error error = {0};
    assert_true(png_file_write(scratch("a.png"), 1, 1, PIXELS_RGBA, dot, &error));
    assert_true(png_file_read(scratch("a.png"), &image, &error));
    assert_memory_equal(image.pixels, dot, 4);
    image_destroy(&image);
    uint8_t *row = calloc(PNG_FILE_SIDE_MAX + 1, 4);
    assert_non_null(row);
    assert_true(png_file_write(scratch("a.png"), PNG_FILE_SIDE_MAX, 1, PIXELS_RGBA, row, &error));
    assert_true(png_file_read(scratch("a.png"), &image, &error));
    assert_int_equal(image.width, PNG_FILE_SIDE_MAX);
    image_destroy(&image);
    assert_false(
        png_file_write(scratch("b.png"), PNG_FILE_SIDE_MAX + 1, 1, PIXELS_RGBA, row, &error));
    assert_int_equal(error.kind, ERROR_RUNTIME);
    assert_int_equal(scratch_count(), 1);
    free(row);
}

static void refused(const char *path, const char *part)
{
    struct image image;
    struct error error = {0};
    if (png_file_read(path, &image, &error))
        fail_msg("%s was read", path);
    assert_null(image.pixels);
    assert_int_equal(error.kind, ERROR_USAGE);
    if (!strstr(error.text, part))
        fail_msg("\"%s\" lacks \"%s\"", error.text, part);
    assert_non_null(strstr(error.text, path));
    assert_null(strchr(error.text, '\n'));
}

static void unusable_files(void **state)
{
    (void) state;
    refused(scratch("none.png"), "No such file or directory");
    refused(scratch_folder, "Is a directory");
    scratch_write(scratch("a.png"), "", 0);
    refused(scratch("a.png"), "is empty");
    scratch_write(scratch("a.png"), "GIF89a and more", 15);
    refused(scratch("a.png"), "not a PNG file");
    scratch_write(scratch("a.png"), "x", 1);
    refused(scratch("a.png"), "not a PNG file");
    static const int wide[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                               PNG_COLOR_TYPE_RGB_ALPHA};
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++) {
        make(scratch("a.png"), &(struct shape){wide[i], 16, PNG_INTERLACE_NONE, false});
        refused(scratch("a.png"), "has 16 bits a channel");
    }
}

static void truncated_anywhere(void **state)
{
    (void) state;
    for (int interlace = 0; interlace < 2; interlace++) {
        size_t size = 0;
        make(scratch("whole.png"), &(struct shape){PNG_COLOR_TYPE_RGB, 8, interlace, false});
        unsigned char *bytes = scratch_read(scratch("whole.png"), &size);
        for (size_t length = 1; length < size; length++) {
            scratch_write(scratch("a.png"), bytes, length);
            refused(scratch("a.png"), "is truncated");
        }
        free(bytes);
    }
}

/* CRC-32 of the PNG specification, appendix D. */
static void seal(unsigned char *chunk)
{
    size_t length =
        (size_t) chunk[0] << 24 | (size_t) chunk[1] << 16 | (size_t) chunk[2] << 8 | chunk[3];
    uint32_t crc = 0xffffffffU;
    for (size_t i = 0; i < length + 4; i++) {
        crc ^= chunk[4 + i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1U ? crc >> 1 ^ 0xedb88320U : crc >> 1;
    }
    for (size_t i = 0; i < 4; i++)
        chunk[8 + length + i] = (unsigned char) (~crc >> (24 - 8 * i));
}

/* Text of 9 MB, which a picture may have. */
static void much_text(void **state)
{
    enum { TEXT = 9 << 20 };
    size_t size = 0;
    struct image plain = {0};
    struct image image = {0};
    struct error error = {0};
    (void) state;
    make(scratch("whole.png"), &(struct shape){PNG_COLOR_TYPE_RGB, 8, PNG_INTERLACE_NONE, false});
    unsigned char *bytes = scratch_read(scratch("whole.png"), &size);
    unsigned char *longer = calloc(1, size + 12 + TEXT);
    assert_non_null(longer);
    unsigned char *const text = longer + AFTER_IHDR;
    memcpy(longer, bytes, AFTER_IHDR);
    memcpy(text, (unsigned char[]){TEXT >> 24, TEXT >> 16 & 255, TEXT >> 8 & 255, TEXT & 255}, 4);
    memcpy(text + 4, "tEXt", 4);
    memset(text + 8, 'x', TEXT);
    text[8 + 7] = '\0'; /* after the keyword */
    seal(text);
    memcpy(text + 12 + TEXT, bytes + AFTER_IHDR, size - AFTER_IHDR);
    scratch_write(scratch("text.png"), longer, size + 12 + TEXT);
    free(longer);
    free(bytes);
    assert_true(png_file_read(scratch("whole.png"), &plain, &error));
    assert_true(png_file_read(scratch("text.png"), &image, &error));
    assert_memory_equal(image.pixels, plain.pixels, (size_t) 4 * WIDTH * HEIGHT);
    image_destroy(&plain);
    image_destroy(&image);
}

/* An ancillary chunk that claims a length of 1.5 GB, of which nothing is there. */
static void claims_more_than_it_has(void **state)
{
    static const unsigned char chunk[] = {0x5d, 0, 0, 6, 's', 'P', 'L', 'T'};
    size_t size = 0;
    (void) state;
    make(scratch("whole.png"), &(struct shape){PNG_COLOR_TYPE_RGB, 8, PNG_INTERLACE_NONE, false});
    unsigned char *bytes = scratch_read(scratch("whole.png"), &size);
    memcpy(bytes + AFTER_IHDR, chunk, sizeof chunk);
    scratch_write(scratch("a.png"), bytes, AFTER_IHDR + sizeof chunk);
    free(bytes);
    /* An address sanitizer takes terabytes of addresses. */
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    const struct rlimit limit = {ADDRESS_SANITIZED ? before.rlim_cur : 1U << 30, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    refused(scratch("a.png"), "is truncated");
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
}

static void damaged(void **state)
{
    (void) state;
    enum { SIDE = IHDR + 8, DATA = AFTER_IHDR + 8 };
    size_t size = 0;
    make(scratch("whole.png"), &(struct shape){PNG_COLOR_TYPE_RGB, 8, PNG_INTERLACE_NONE, false});
    unsigned char *bytes = scratch_read(scratch("whole.png"), &size);
    assert_memory_equal(bytes + DATA - 4, "IDAT", 4);
    bytes[DATA + 20] ^= 0x40;
    scratch_write(scratch("a.png"), bytes, size);
    refused(scratch("a.png"), "IDAT: ");
    bytes[DATA + 20] ^= 0x40;
    bytes[size - 12 - 1] ^= 1; /* the last byte before IEND: IDAT's checksum */
    scratch_write(scratch("a.png"), bytes, size);
    refused(scratch("a.png"), "IDAT: CRC error");
    bytes[size - 12 - 1] ^= 1;

    bytes[SIDE + 2] = 0x40; /* a width of 0x40xx */
    seal(bytes + IHDR);
    scratch_write(scratch("a.png"), bytes, size);
    refused(scratch("a.png"), "width exceeds user limit");
    bytes[SIDE] = 0x7f; /* a width that would overflow 32 bits of bytes */
    seal(bytes + IHDR);
    scratch_write(scratch("a.png"), bytes, size);
    refused(scratch("a.png"), "Invalid IHDR data");
    memset(bytes + SIDE, 0, 4);
    seal(bytes + IHDR);
    scratch_write(scratch("a.png"), bytes, size);
    refused(scratch("a.png"), "Invalid IHDR data");
    bytes[SIDE + 3] = WIDTH;
    bytes[SIDE + 7] = HEIGHT + 50; /* more rows than there are data */
    seal(bytes + IHDR);
    scratch_write(scratch("a.png"), bytes, size);
    refused(scratch("a.png"), "Not enough");
    free(bytes);
}

static void unwritable(void **state)
{
    (void) state;
    uint8_t pixels[WIDTH * HEIGHT * 4];
    struct error error = {0};
    fill(pixels);
    assert_false(png_file_write(scratch("none/a.png"), WIDTH, HEIGHT, PIXELS_RGBA, pixels, &error));
    assert_int_equal(error.kind, ERROR_RUNTIME);
    assert_non_null(strstr(error.text, "No such file or directory; create the folder"));
    error = (struct error){0};
    assert_false(png_file_write("/dev/full", WIDTH, HEIGHT, PIXELS_RGBA, pixels, &error));
    assert_int_equal(error.kind, ERROR_RUNTIME);
    assert_non_null(strstr(error.text, "/dev/full: No space left on device"));
    /* More than the file's buffer: the error comes up through libpng. */
    enum { SIDE = 300, SIZE = SIDE * SIDE * 4 };
    uint8_t *noise = malloc(SIZE);
    assert_non_null(noise);
    uint32_t random = 1;
    for (size_t i = 0; i < SIZE; i++) {
        random = random * 1664525U + 1013904223U;
        noise[i] = (uint8_t) (random >> 24);
    }
    error = (struct error){0};
    assert_false(png_file_write("/dev/full", SIDE, SIDE, PIXELS_RGBA, noise, &error));
    assert_int_equal(error.kind, ERROR_RUNTIME);
    assert_non_null(strstr(error.text, "No space left on device"));
    error = (struct error){0};
    assert_false(png_file_write(scratch("a.png"), 0, 1, PIXELS_RGBA, pixels, &error));
    assert_int_equal(error.kind, ERROR_RUNTIME);
    assert_int_equal(scratch_count(), 0);
    free(noise);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_colour_type, scratch_clean),
        cmocka_unit_test_teardown(written_and_read_back, scratch_clean),
        cmocka_unit_test_teardown(smallest_and_widest, scratch_clean),
        cmocka_unit_test_teardown(unusable_files, scratch_clean),
        cmocka_unit_test_teardown(truncated_anywhere, scratch_clean),
        cmocka_unit_test_teardown(much_text, scratch_clean),
        cmocka_unit_test_teardown(claims_more_than_it_has, scratch_clean),
        cmocka_unit_test_teardown(damaged, scratch_clean),
        cmocka_unit_test_teardown(unwritable, scratch_clean),
    };
    return cmocka_run_group_tests_name("png_file", tests, scratch_make, scratch_remove);
}
