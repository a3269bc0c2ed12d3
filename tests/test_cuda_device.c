/* Which CUDA device is the Vulkan one: the decision, without a GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "kernels/cuda_device.h"
#include "kernels/cuda_match.h"

/* Zeros at the front, inside and at the end: a comparison as text stops there. */
static const uint8_t wanted[INTEROP_UUID_SIZE] = {0, 0x12, 0, 0x34, 0, 0,    0x56, 0x78,
                                                  9, 0xff, 0, 0xab, 1, 0x80, 0,    0};

static struct cuda_candidate same(bool prohibited)
{
    struct cuda_candidate candidate = {.prohibited = prohibited};
    memcpy(candidate.uuid, wanted, sizeof wanted);
    return candidate;
}

/* Like the wanted one but for a byte. */
static struct cuda_candidate other(size_t byte)
{
    struct cuda_candidate candidate = same(false);
    candidate.uuid[byte] ^= 1;
    return candidate;
}

static void finds_nothing_among_none(void **state)
{
    (void) state;
    int ordinal = 7;
    assert_int_equal(cuda_match(wanted, NULL, 0, &ordinal), CUDA_DEVICE_NO_MATCH);
    assert_int_equal(ordinal, -1);
}

static void finds_at_any_place(void **state)
{
    (void) state;
    for (int place = 0; place < 4; place++) {
        struct cuda_candidate list[4] = {other(1), other(6), other(9), other(12)};
        list[place] = same(false);
        int ordinal = -1;
        assert_int_equal(cuda_match(wanted, list, 4, &ordinal), CUDA_DEVICE_FOUND);
        assert_int_equal(ordinal, place);
    }
}

static void compares_every_byte(void **state)
{
    (void) state;
    for (size_t byte = 0; byte < INTEROP_UUID_SIZE; byte++) {
        const struct cuda_candidate list[1] = {other(byte)};
        int ordinal = 7;
        assert_int_equal(cuda_match(wanted, list, 1, &ordinal), CUDA_DEVICE_NO_MATCH);
        assert_int_equal(ordinal, -1);
    }
}

static void matches_a_uuid_of_zeros_only_with_itself(void **state)
{
    (void) state;
    static const uint8_t zeros[INTEROP_UUID_SIZE] = {0};
    const struct cuda_candidate list[2] = {same(false), {.prohibited = false}};
    int ordinal = -1;
    assert_int_equal(cuda_match(zeros, list, 2, &ordinal), CUDA_DEVICE_FOUND);
    assert_int_equal(ordinal, 1);
    assert_int_equal(cuda_match(zeros, list, 1, &ordinal), CUDA_DEVICE_NO_MATCH);
}

static void does_not_count_a_prohibited_device(void **state)
{
    (void) state;
    const struct cuda_candidate list[3] = {other(3), same(true), other(5)};
    int ordinal = -1;
    assert_int_equal(cuda_match(wanted, list, 3, &ordinal), CUDA_DEVICE_PROHIBITED);
    assert_int_equal(ordinal, 1);
}

static void ignores_the_mode_of_other_devices(void **state)
{
    (void) state;
    struct cuda_candidate list[3] = {other(3), same(false), other(5)};
    list[0].prohibited = true;
    list[2].prohibited = true;
    int ordinal = -1;
    assert_int_equal(cuda_match(wanted, list, 3, &ordinal), CUDA_DEVICE_FOUND);
    assert_int_equal(ordinal, 1);
    list[1] = other(9);
    assert_int_equal(cuda_match(wanted, list, 3, &ordinal), CUDA_DEVICE_NO_MATCH);
}

static void prefers_a_usable_one_of_twins(void **state)
{
    (void) state;
    const struct cuda_candidate first[2] = {same(true), same(false)};
    const struct cuda_candidate last[2] = {same(false), same(true)};
    const struct cuda_candidate neither[2] = {same(true), same(true)};
    int ordinal = -1;
    assert_int_equal(cuda_match(wanted, first, 2, &ordinal), CUDA_DEVICE_FOUND);
    assert_int_equal(ordinal, 1);
    assert_int_equal(cuda_match(wanted, last, 2, &ordinal), CUDA_DEVICE_FOUND);
    assert_int_equal(ordinal, 0);
    assert_int_equal(cuda_match(wanted, neither, 2, &ordinal), CUDA_DEVICE_PROHIBITED);
    assert_int_equal(ordinal, 0);
}

/* A driver need not be there, and a build without CUDA has no runtime either. */
static void versions_are_plausible(void **state)
{
    (void) state;
    int driver = -1;
    int runtime = -1;
    cuda_device_versions(&driver, &runtime);
    assert_true(runtime == 0 || (runtime >= 12000 && runtime < 100000));
    assert_true(driver == 0 || (runtime > 0 && driver >= 9000 && driver < 100000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_nothing_among_none),
        cmocka_unit_test(finds_at_any_place),
        cmocka_unit_test(compares_every_byte),
        cmocka_unit_test(matches_a_uuid_of_zeros_only_with_itself),
        cmocka_unit_test(does_not_count_a_prohibited_device),
        cmocka_unit_test(ignores_the_mode_of_other_devices),
        cmocka_unit_test(prefers_a_usable_one_of_twins),
        cmocka_unit_test(versions_are_plausible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
