/* The video stream: frame rates, colours, bytes, and a reader that goes away. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <signal.h>

#include <cmocka.h>

#include "app/y4m.h"
#include "tests/scratch.h"

static void rates(void **state)
{
    (void) state;
    static const struct {
        double time_step;
        uint32_t frames, seconds;
    } cases[] = {
        {1.0 / 60, 60, 1},
        {1.0 / 24, 24, 1},
        {1.0 / 25, 25, 1},
        {0.04, 25, 1},
        {1.0 / 144, 144, 1},
        {1001.0 / 30000, 30000, 1001},
        {1001.0 / 24000, 24000, 1001},
        {1001.0 / 60000, 60000, 1001},
        {0.0333666666667, 30000, 1001},
        {0.016666666667, 60, 1},
        {0.1, 10, 1},
        {0.3, 10, 3},
        {1, 1, 1},
        {2.5, 2, 5},
        {1e6, 1, 1000000},
        {1e-6, 1000000, 1},
        {0.017, 1000, 17},
        {1.0 / 3, 3, 1},
        {7.0 / 3, 3, 7},
        {0.0166667, 10000000, 166667},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct y4m_rate rate = {0};
        assert_true(time_reduce(cases[i].time_step, &rate));
        if (rate.frames != cases[i].frames || rate.seconds != cases[i].seconds) {
            /* A shorter fraction within the tolerance is as good. */
            double off = fabs((double) rate.seconds / rate.frames / cases[i].time_step - 1);
            if (rate.frames > cases[i].frames || off > 1e-8)
                fail_msg("%.12g gave %u:%u", cases[i].time_step, rate.frames, rate.seconds);
        }
    }
    for (uint32_t fps = 1; fps <= 1000; fps++) {
        struct y4m_rate rate = {0};
        assert_true(time_reduce(1.0 / fps, &rate));
        assert_int_equal(rate.frames, fps);
        assert_int_equal(rate.seconds, 1);
    }
    static const double bad[] = {0, -1, 1e-7, 1.1e6, (double) INFINITY, (double) NAN};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct y4m_rate rate = {0};
        assert_false(time_reduce(bad[i], &rate));
    }
}

static uint32_t gcd(uint32_t a, uint32_t b)
{
    return b == 0 ? a : gcd(b, a % b);
}

static void rates_of_any_step(void **state)
{
    (void) state;
    double step = 1e-6;
    for (int i = 0; i < 3790; i++) {
        struct y4m_rate rate = {0};
        assert_true(time_reduce(step, &rate));
        assert_true(rate.frames >= 1 && rate.frames <= INT32_MAX);
        assert_true(rate.seconds >= 1 && rate.seconds <= INT32_MAX);
        assert_int_equal(gcd(rate.frames, rate.seconds), 1);
        double off = fabs((double) rate.seconds / (double) rate.frames / step - 1);
        if (off > 1.0001e-8)
            fail_msg("%.17g gave %u:%u, off by %g", step, rate.frames, rate.seconds, off);
        step *= 1.00731;
    }
}

static void near(uint8_t value, double exact)
{
    assert_true(fabs(value - exact) < 0.51);
}

static void colours(void **state)
{
    (void) state;
    uint8_t pixel[4] = {0, 0, 0, 255}, yuv[3];
    for (unsigned r = 0; r < 256; r += 5) {
        for (unsigned g = 0; g < 256; g += 5) {
            for (unsigned b = 0; b < 256; b += 5) {
                double luma = 0.299 * r + 0.587 * g + 0.114 * b;
                pixel[0] = (uint8_t) r;
                pixel[1] = (uint8_t) g;
                pixel[2] = (uint8_t) b;
                y4m_convert(1, PIXELS_RGBA, pixel, yuv);
                near(yuv[0], 16 + luma * 219 / 255);
                near(yuv[1], 128 + (b - luma) / 1.772 * 224 / 255);
                near(yuv[2], 128 + (r - luma) / 1.402 * 224 / 255);
                pixel[0] = (uint8_t) b;
                pixel[2] = (uint8_t) r;
                uint8_t swapped[3];
                y4m_convert(1, PIXELS_BGRA, pixel, swapped);
                assert_memory_equal(swapped, yuv, 3);
            }
        }
    }
    for (unsigned grey = 0; grey < 256; grey++) {
        memset(pixel, (int) grey, 3);
        y4m_convert(1, PIXELS_RGBA, pixel, yuv);
        assert_int_equal(yuv[1], 128);
        assert_int_equal(yuv[2], 128);
    }
    assert_int_equal(yuv[0], 235);
}

static void bytes_of_a_stream(void **state)
{
    (void) state;
    static const uint8_t black_white[8] = {0, 0, 0, 255, 255, 255, 255, 255};
    static const uint8_t red_blue[8] = {255, 0, 0, 255, 0, 0, 255, 255};
    static const char expected[] = "YUV4MPEG2 W2 H1 F60:1 Ip A1:1 C444 XCOLORRANGE=LIMITED\n"
                                   "FRAME\n\x10\xeb\x80\x80\x80\x80"
                                   "FRAME\n\x51\x29\x5a\xf0\xf0\x6e";
    struct y4m y4m;
    struct error error = {0};
    FILE *file = fopen(scratch("a.y4m"), "wb");
    assert_non_null(file);
    assert_true(y4m_create(&y4m, fileno(file), 2, 1, 1.0 / 60, &error));
    assert_true(y4m_write(&y4m, PIXELS_RGBA, black_white, &error));
    assert_true(y4m_write(&y4m, PIXELS_RGBA, red_blue, &error));
    y4m_destroy(&y4m);
    assert_int_equal(fclose(file), 0); /* was left open */
    size_t size = 0;
    unsigned char *bytes = scratch_read(scratch("a.y4m"), &size);
    assert_int_equal(size, sizeof expected - 1);
    assert_memory_equal(bytes, expected, size);
    free(bytes);
}

static void failures(void **state)
{
    (void) state;
    struct y4m y4m;
    struct error error = {0};
    static uint8_t pixels[400 * 400 * 4];
    int ends[2];
    (void) signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe(ends), 0);
    assert_true(y4m_create(&y4m, ends[1], 400, 400, 0.04, &error));
    (void) close(ends[0]);
    assert_false(y4m_write(&y4m, PIXELS_RGBA, pixels, &error));
    assert_int_equal(error.kind, ERROR_RUNTIME);
    assert_non_null(
        strstr(error.text, "cannot write the stream: Broken pipe; keep the reader open"));
    y4m_destroy(&y4m);
    error = (struct error){0};
    assert_false(y4m_create(&y4m, ends[1], 400, 400, 0.04, &error));
    assert_int_equal(error.kind, ERROR_RUNTIME);
    error = (struct error){0};
    assert_false(y4m_create(&y4m, ends[1], UINT32_MAX, UINT32_MAX, 0.04, &error));
    assert_int_equal(error.kind, ERROR_RUNTIME);
    error = (struct error){0};
    assert_false(y4m_create(&y4m, ends[1], 4, 4, 0, &error));
    assert_int_equal(error.kind, ERROR_RUNTIME);
    y4m_destroy(&y4m);
    (void) close(ends[1]);

    FILE *full = fopen("/dev/full", "wb");
    assert_non_null(full);
    error = (struct error){0};
    assert_false(y4m_create(&y4m, fileno(full), 4, 4, 0.04, &error));
    assert_non_null(strstr(error.text, "No space left on device; free some space"));
    (void) fclose(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates),
        cmocka_unit_test(rates_of_any_step),
        cmocka_unit_test(colours),
        cmocka_unit_test_teardown(bytes_of_a_stream, scratch_clean),
        cmocka_unit_test_teardown(failures, scratch_clean),
    };
    return cmocka_run_group_tests_name("y4m", tests, scratch_make, scratch_remove);
}
