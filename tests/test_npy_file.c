/* Height maps as NumPy files, byte by byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/npy_file.h"
#include "tests/scratch.h"

static void bytes_of_a_small_array(void **state)
{
    (void) state;
    static const float values[6] = {0.0F, -0.0F, 0.5F, -0.5F, 1.0F, 0x1.fffffep127F};
    static const uint8_t expected[24] = {0, 0, 0, 0,    0, 0, 0,    0x80, 0,    0,    0,    0x3f,
                                         0, 0, 0, 0xbf, 0, 0, 0x80, 0x3f, 0xff, 0xff, 0x7f, 0x7f};
    struct error error = {0};
    size_t size = 0;
    assert_true(npy_file_write(scratch("a.npy"), 3, 2, values, &error));
    unsigned char *bytes = scratch_read(scratch("a.npy"), &size);
    assert_int_equal(size, 128 + sizeof expected);
    assert_memory_equal(bytes, "\x93NUMPY\x01\x00", 8);
    assert_int_equal(bytes[8] + 256 * bytes[9], 118);
    static const char text[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
    assert_memory_equal(bytes + 10, text, sizeof text - 1);
    for (size_t i = 10 + sizeof text - 1; i < 127; i++)
        assert_int_equal(bytes[i], ' ');
    assert_int_equal(bytes[127], '\n');
    assert_memory_equal(bytes + 128, expected, sizeof expected);
    free(bytes);
}

static void many_values_in_order(void **state)
{
    (void) state;
    enum { WIDTH = 257, HEIGHT = 131, COUNT = WIDTH * HEIGHT };
    static float values[COUNT];
    struct error error = {0};
    size_t size = 0;
    for (size_t i = 0; i < COUNT; i++)
        values[i] = (float) i * 0.25F - 1000.0F;
    assert_true(npy_file_write(scratch("a.npy"), WIDTH, HEIGHT, values, &error));
    unsigned char *bytes = scratch_read(scratch("a.npy"), &size);
    assert_int_equal(size, 128 + sizeof values);
    assert_non_null(strstr((char *) bytes + 10, "(131, 257)"));
    for (size_t i = 0; i < COUNT; i++) {
        const unsigned char *b = bytes + 128 + 4 * i;
        uint32_t bits =
            (uint32_t) b[0] | (uint32_t) b[1] << 8 | (uint32_t) b[2] << 16 | (uint32_t) b[3] << 24;
        float value = 0;
        memcpy(&value, &bits, sizeof value);
        assert_memory_equal(&value, &values[i], sizeof value);
    }
    free(bytes);
}

static void failures(void **state)
{
    (void) state;
    static const float values[1] = {0};
    struct error error = {0};
    assert_false(npy_file_write(scratch("none/a.npy"), 1, 1, values, &error));
    assert_int_equal(error.kind, ERROR_RUNTIME);
    assert_non_null(strstr(error.text, "No such file"));
    error = (struct error){0};
    assert_false(npy_file_write("/dev/full", 1, 1, values, &error));
    assert_int_equal(error.kind, ERROR_RUNTIME);
    error = (struct error){0};
    assert_false(npy_file_write(scratch("a.npy"), 0, 1, values, &error));
    assert_int_equal(error.kind, ERROR_RUNTIME);
    error = (struct error){0};
    /* 2^64 - 2^33 + 1 numbers: four bytes each do not fit. */
    assert_false(npy_file_write(scratch("a.npy"), UINT32_MAX, UINT32_MAX, values, &error));
    assert_int_equal(error.kind, ERROR_RUNTIME);
    assert_int_equal(scratch_count(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(bytes_of_a_small_array, scratch_clean),
        cmocka_unit_test_teardown(many_values_in_order, scratch_clean),
        cmocka_unit_test_teardown(failures, scratch_clean),
    };
    return cmocka_run_group_tests_name("npy_file", tests, scratch_make, scratch_remove);
}
