/* Comparing pictures, and the files around it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>

#include <cmocka.h>

#include "app/compare.h"
#include "app/compare_files.h"
#include "app/messages.h"
#include "app/png_file.h"
#include "tests/scratch.h"

/* A smooth picture, such as a lit surface is. */
static struct image scene(uint32_t width, uint32_t height)
{
    struct image image;
    struct error error = {0};
    assert_true(image_create(&image, width, height, &error));
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            uint8_t *pixel = image.pixels + 4 * ((size_t) y * width + x);
            double wave = sin(x * 0.13) * cos(y * 0.17);
            pixel[0] = (uint8_t) (120 + 100 * wave);
            pixel[1] = (uint8_t) (100 + 60 * wave);
            pixel[2] = (uint8_t) (90 - 80 * wave);
            pixel[3] = 255;
        }
    }
    return image;
}

static void equal_pictures(void **state)
{
    (void) state;
    struct image a = scene(31, 17), b = scene(31, 17);
    struct comparison result = compare_images(&a, &b, 0);
    assert_true(result.same_size);
    assert_int_equal(result.pixels, 31 * 17);
    assert_int_equal(result.differing, 0);
    assert_int_equal(result.worst, 0);
    assert_true(result.ratio <= 0);
    image_destroy(&a);
    image_destroy(&b);
}

static void threshold_and_worst(void **state)
{
    (void) state;
    struct image a = scene(10, 10), b = scene(10, 10);
    a.pixels[4 * 23 + 0] = (uint8_t) (b.pixels[4 * 23 + 0] + 2); /* at the threshold */
    a.pixels[4 * 45 + 1] = (uint8_t) (b.pixels[4 * 45 + 1] - 3); /* over it */
    a.pixels[4 * 45 + 2] = (uint8_t) (b.pixels[4 * 45 + 2] + 5); /* the same pixel */
    a.pixels[4 * 78 + 3] = 200;                                  /* alpha: off by 55 */
    a.pixels[4 * 99 + 3] = 200;                                  /* as bad, but later */
    struct comparison result = compare_images(&a, &b, 2);
    assert_int_equal(result.differing, 3);
    assert_true(fabs(result.ratio - 0.03) < 1e-12);
    assert_int_equal(result.worst, 55);
    assert_int_equal(result.worst_x, 8);
    assert_int_equal(result.worst_y, 7);
    assert_int_equal(result.worst_channel, 3);
    assert_int_equal(compare_images(&a, &b, 1).differing, 4);
    assert_int_equal(compare_images(&a, &b, 55).differing, 0);
    assert_int_equal(compare_images(&b, &a, 2).differing, 3);
    assert_int_equal(compare_images(&b, &a, 2).worst, 55);
    image_destroy(&a);
    image_destroy(&b);
}

static void black_against_white(void **state)
{
    (void) state;
    struct image a = scene(4, 3), b = scene(4, 3);
    memset(a.pixels, 0, sizeof(uint8_t[12][4]));
    memset(b.pixels, 255, sizeof(uint8_t[12][4]));
    struct comparison result = compare_images(&a, &b, 254);
    assert_int_equal(result.differing, 12);
    assert_int_equal(result.worst, 255);
    assert_int_equal(result.worst_x, 0);
    assert_int_equal(result.worst_y, 0);
    assert_int_equal(result.worst_channel, 0);
    assert_int_equal(compare_images(&a, &b, 255).differing, 0);
    image_destroy(&a);
    image_destroy(&b);
}

static void other_size(void **state)
{
    (void) state;
    struct image a = scene(4, 3), b = scene(3, 4), c = scene(4, 4);
    assert_false(compare_images(&a, &b, 255).same_size);
    assert_false(compare_images(&a, &c, 255).same_size);
    assert_int_equal(compare_images(&a, &b, 255).pixels, 0);
    image_destroy(&a);
    image_destroy(&b);
    image_destroy(&c);
}

static void difference_picture(void **state)
{
    (void) state;
    struct image a = scene(5, 4), b = scene(5, 4), picture;
    struct error error = {0};
    a.pixels[4 * 7 + 1] = (uint8_t) (b.pixels[4 * 7 + 1] + 3);
    assert_true(compare_difference(&a, &b, 2, &picture, &error));
    assert_int_equal(picture.width, 5);
    assert_int_equal(picture.height, 4);
    for (size_t i = 0; i < 20; i++) {
        const uint8_t *pixel = picture.pixels + 4 * i;
        assert_int_equal(pixel[3], 255);
        assert_int_equal(pixel[0], pixel[2]);
        if (i == 7) {
            assert_true(pixel[0] >= 160);
            assert_int_equal(pixel[1], 0);
        } else {
            assert_true(pixel[0] <= 85);
            assert_int_equal(pixel[0], pixel[1]);
        }
    }
    image_destroy(&picture);
    image_destroy(&a);
    image_destroy(&b);
}

/* What the checks of the defaults must catch, on a picture made here. */
static void defaults_catch_mutations(void **state)
{
    (void) state;
    enum { W = 160, H = 100, SIZE = W * H * 4 };
    struct image a = scene(W, H), b = scene(W, H);
    memmove(b.pixels + 4, b.pixels, SIZE - 4); /* shifted by a pixel */
    assert_true(compare_images(&a, &b, 2).ratio > 0.005);
    memset(b.pixels, 0, SIZE); /* blank */
    assert_true(compare_images(&a, &b, 2).ratio > 0.005);
    for (size_t i = 0; i < SIZE; i += 4) { /* red and blue swapped */
        b.pixels[i] = a.pixels[i + 2];
        b.pixels[i + 1] = a.pixels[i + 1];
        b.pixels[i + 2] = a.pixels[i];
        b.pixels[i + 3] = 255;
    }
    assert_true(compare_images(&a, &b, 2).ratio > 0.005);
    image_destroy(&a);
    image_destroy(&b);
}

/* Runs the comparison with stderr in a file, whose text it returns. */
static const char *told(bool (*run)(const struct options *, bool *, struct error *),
                        const struct options *options, bool *differs, struct error *error)
{
    static char text[2048];
    FILE *file = tmpfile();
    assert_non_null(file);
    (void) fflush(stderr);
    int before = dup(STDERR_FILENO);
    assert_true(dup2(fileno(file), STDERR_FILENO) >= 0);
    messages_init(options->quiet, false);
    bool done = run(options, differs, error);
    (void) fflush(stderr);
    assert_true(dup2(before, STDERR_FILENO) >= 0);
    (void) close(before);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void) fclose(file);
    assert_int_equal(done, error->kind == ERROR_NONE);
    return text;
}

static struct options options_for(const char *reference, const char *with)
{
    return (struct options){.action = OPTIONS_COMPARE_FILES,
                            .compare = reference,
                            .with = with,
                            .threshold = 2,
                            .max_diff_ratio = 0.005};
}

static void save(const char *name, const struct image *image)
{
    struct error error = {0};
    assert_true(png_file_write(scratch(name), image->width, image->height, PIXELS_RGBA,
                               image->pixels, &error));
}

static void files_alike(void **state)
{
    (void) state;
    struct image a = scene(40, 30);
    bool differs = true;
    struct error error = {0};
    save("a.png", &a);
    for (size_t i = 0; i < 6; i++) /* 6 of 1200: just the allowed ratio */
        a.pixels[400 * i] ^= 0x80;
    save("b.png", &a);
    struct options options = options_for(scratch("a.png"), scratch("b.png"));
    const char *text = told(compare_files, &options, &differs, &error);
    assert_false(differs);
    assert_non_null(strstr(text, "6 of 1200 pixels are off by more than 2 (ratio 0.005000, at most "
                                 "0.005), worst red by 128 at x 0, y 0\n"));
    options.quiet = true;
    assert_string_equal(told(compare_files, &options, &differs, &error), "");
    options.with = options.compare;
    options.quiet = false;
    text = told(compare_files, &options, &differs, &error);
    assert_non_null(strstr(text, ": 0 of 1200 pixels"));
    assert_null(strstr(text, "worst"));
    assert_int_equal(scratch_count(), 2);
    image_destroy(&a);
}

static void files_that_differ(void **state)
{
    (void) state;
    struct image a = scene(40, 30), picture;
    bool differs = false;
    struct error error = {0};
    save("a.png", &a);
    for (size_t i = 1; i < 8; i++) /* 7 of 1200: over */
        a.pixels[400 * i + 2] ^= 0x80;
    save("b.png", &a);
    struct options options = options_for(scratch("a.png"), scratch("b.png"));
    options.quiet = true; /* a failed check is told all the same */
    options.diff = scratch("d.png");
    const char *text = told(compare_files, &options, &differs, &error);
    assert_true(differs);
    assert_int_equal(strncmp(text, "sinewave: error: differs from ", 30), 0);
    assert_non_null(strstr(text,
                           "7 of 1200 pixels are off by more than 2 (ratio 0.005833, at most "
                           "0.005), worst blue by 128 at x 20, y 2; see the --diff picture\n"));
    assert_true(png_file_read(options.diff, &picture, &error));
    assert_int_equal(picture.width, 40);
    assert_int_equal(picture.pixels[401], 0);
    assert_true(picture.pixels[400] > 160);
    image_destroy(&picture);
    options.max_diff_ratio = 0.006;
    (void) told(compare_files, &options, &differs, &error);
    assert_false(differs);
    image_destroy(&a);
}

static void files_of_other_size(void **state)
{
    (void) state;
    struct image a = scene(40, 30), b = scene(30, 40);
    bool differs = false;
    struct error error = {0};
    save("a.png", &a);
    save("b.png", &b);
    struct options options = options_for(scratch("a.png"), scratch("b.png"));
    options.diff = scratch("d.png");
    options.max_diff_ratio = 1; /* a size is no matter of degree */
    const char *text = told(compare_files, &options, &differs, &error);
    assert_true(differs);
    assert_non_null(strstr(text, "this is 30x40, that is 40x30"));
    assert_int_equal(scratch_count(), 2);
    image_destroy(&a);
    image_destroy(&b);
}

static void unusable_files(void **state)
{
    (void) state;
    struct image a = scene(4, 3);
    bool differs = true;
    save("a.png", &a);
    struct options options = options_for(scratch("none.png"), scratch("a.png"));
    struct error error = {0};
    (void) told(compare_files, &options, &differs, &error);
    assert_int_equal(error.kind, ERROR_USAGE);
    assert_false(differs);
    assert_int_equal(scratch_count(), 1); /* a reference never comes into being by itself */

    options = options_for(scratch("a.png"), scratch("none.png"));
    error = (struct error){0};
    (void) told(compare_files, &options, &differs, &error);
    assert_int_equal(error.kind, ERROR_USAGE);

    options = options_for(scratch("a.png"), scratch("a.png"));
    options.diff = scratch("none/d.png");
    error = (struct error){0};
    (void) told(compare_files, &options, &differs, &error);
    assert_int_equal(error.kind, ERROR_RUNTIME);
    image_destroy(&a);
}

/* An output that leads to the reference by another name. */
static void references_are_safe(void **state)
{
    (void) state;
    struct image a = scene(4, 3);
    struct error error = {0};
    save("a.png", &a);
    assert_int_equal(symlink("a.png", scratch("link.png")), 0);
    struct image reference;
    struct options options = options_for(scratch("a.png"), NULL);
    assert_true(compare_prepare(&options, &reference, &error));
    image_destroy(&reference);
    options.screenshot = scratch("link.png");
    assert_false(compare_prepare(&options, &reference, &error));
    assert_null(reference.pixels);
    assert_int_equal(error.kind, ERROR_USAGE);
    assert_non_null(strstr(error.text, "--screenshot"));
    options = (struct options){.screenshot = scratch("link.png")};
    error = (struct error){0};
    assert_true(compare_prepare(&options, &reference, &error));
    assert_null(reference.pixels);
    image_destroy(&a);
}

/* A reference that can be read once. */
static void through_a_pipe(void **state)
{
    (void) state;
    struct image a = scene(4, 3);
    int ends[2];
    char path[32];
    size_t size = 0;
    bool differs = true;
    struct error error = {0};
    save("a.png", &a);
    unsigned char *bytes = scratch_read(scratch("a.png"), &size);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], bytes, size), size);
    assert_int_equal(close(ends[1]), 0);
    free(bytes);
    (void) snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    struct options options = options_for(path, scratch("a.png"));
    assert_non_null(strstr(told(compare_files, &options, &differs, &error), "like /dev/fd/"));
    assert_false(differs);
    assert_int_equal(close(ends[0]), 0);
    image_destroy(&a);
}

static bool bless(const struct options *options, bool *differs, struct error *error)
{
    struct image image = scene(7, 5);
    struct image reference;
    bool done = compare_prepare(options, &reference, error) &&
                compare_or_bless(&image, &reference, options, differs, error);
    image_destroy(&image);
    image_destroy(&reference);
    return done;
}

static void blessing(void **state)
{
    (void) state;
    struct image b = scene(4, 3), back;
    bool differs = true;
    struct error error = {0};
    struct options options = options_for(scratch("a.png"), NULL);
    options.bless = true;
    assert_non_null(strstr(told(bless, &options, &differs, &error), "blessed"));
    assert_false(differs);
    options.bless = false;
    (void) told(bless, &options, &differs, &error); /* compares now */
    assert_false(differs);
    save("a.png", &b);
    (void) told(bless, &options, &differs, &error);
    assert_true(differs);
    options.bless = true; /* writes over */
    (void) told(bless, &options, &differs, &error);
    assert_false(differs);
    assert_true(png_file_read(scratch("a.png"), &back, &error));
    assert_int_equal(back.width, 7);
    image_destroy(&back);

    options.compare = scratch("none/a.png");
    (void) told(bless, &options, &differs, &error);
    assert_int_equal(error.kind, ERROR_RUNTIME);
    image_destroy(&b);
}

static void image_sizes(void **state)
{
    (void) state;
    size_t size = 0;
    struct image image;
    struct error error = {0};
    assert_true(image_size(16384, 16384, &size));
    assert_int_equal(size, 1 << 30);
    assert_false(image_size(0, 1, &size));
    assert_false(image_size(1, 0, &size));
    assert_false(image_size(UINT32_MAX, UINT32_MAX, &size));
    assert_false(image_create(&image, UINT32_MAX, UINT32_MAX, &error));
    assert_int_equal(error.kind, ERROR_RUNTIME);
    assert_null(image.pixels);
    image_destroy(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_pictures),
        cmocka_unit_test(threshold_and_worst),
        cmocka_unit_test(black_against_white),
        cmocka_unit_test(other_size),
        cmocka_unit_test(difference_picture),
        cmocka_unit_test(defaults_catch_mutations),
        cmocka_unit_test_teardown(files_alike, scratch_clean),
        cmocka_unit_test_teardown(files_that_differ, scratch_clean),
        cmocka_unit_test_teardown(files_of_other_size, scratch_clean),
        cmocka_unit_test_teardown(unusable_files, scratch_clean),
        cmocka_unit_test_teardown(references_are_safe, scratch_clean),
        cmocka_unit_test_teardown(through_a_pipe, scratch_clean),
        cmocka_unit_test_teardown(blessing, scratch_clean),
        cmocka_unit_test(image_sizes),
    };
    return cmocka_run_group_tests_name("compare", tests, scratch_make, scratch_remove);
}
