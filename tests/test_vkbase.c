/* What vkbase can tell without a device: results, read-back, lengths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "vkbase/readback.h"
#include "vkbase/result.h"
#include "vkbase/semaphore.h"

static void result_names(void **state)
{
    (void) state;
    assert_string_equal(vkb_result_name(VK_SUCCESS), "VK_SUCCESS");
    assert_string_equal(vkb_result_name(VK_ERROR_DEVICE_LOST), "VK_ERROR_DEVICE_LOST");
    assert_string_equal(vkb_result_name(VK_SUBOPTIMAL_KHR), "VK_SUBOPTIMAL_KHR");
    assert_string_equal(vkb_result_name((VkResult) -987654), "an unknown VkResult");
}

static void result_kinds(void **state)
{
    (void) state;
    assert_int_equal(vkb_result_kind(VK_ERROR_INCOMPATIBLE_DRIVER), ERROR_UNAVAILABLE);
    assert_int_equal(vkb_result_kind(VK_ERROR_LAYER_NOT_PRESENT), ERROR_UNAVAILABLE);
    assert_int_equal(vkb_result_kind(VK_ERROR_FEATURE_NOT_PRESENT), ERROR_UNAVAILABLE);
    assert_int_equal(vkb_result_kind(VK_ERROR_DEVICE_LOST), ERROR_RUNTIME);
    assert_int_equal(vkb_result_kind(VK_ERROR_OUT_OF_DEVICE_MEMORY), ERROR_RUNTIME);
    assert_int_equal(vkb_result_kind(VK_ERROR_SURFACE_LOST_KHR), ERROR_RUNTIME);
    assert_int_equal(vkb_result_kind((VkResult) -987654), ERROR_RUNTIME);
}

static VkResult fails_with(VkResult result)
{
    return result;
}

static void checks(void **state)
{
    struct error error = {0};
    (void) state;
    assert_true(VKB_OK(&error, "think", fails_with(VK_SUCCESS)));
    assert_int_equal(error.kind, ERROR_NONE);
    /* A result that is no error, but not what was asked for, is a failure. */
    assert_false(VKB_OK(&error, "think", fails_with(VK_INCOMPLETE)));
    assert_int_equal(error.kind, ERROR_RUNTIME);

    error = (struct error){0};
    assert_false(VKB_OK(&error, "think", fails_with(VK_ERROR_OUT_OF_DEVICE_MEMORY)));
    assert_int_equal(error.kind, ERROR_RUNTIME);
    assert_non_null(
        strstr(error.text, "cannot think: fails_with returned VK_ERROR_OUT_OF_DEVICE_MEMORY; "));

    error = (struct error){0};
    assert_false(VKB_MADE(&error, "thought", fails_with(VK_ERROR_FEATURE_NOT_PRESENT)));
    assert_int_equal(error.kind, ERROR_UNAVAILABLE);
    assert_non_null(strstr(error.text, "cannot create the thought: fails_with returned "
                                       "VK_ERROR_FEATURE_NOT_PRESENT; "));

    /* The first failure is the cause. */
    assert_false(VKB_OK(&error, "forget", fails_with(VK_ERROR_DEVICE_LOST)));
    assert_non_null(strstr(error.text, "thought"));
    assert_false(VKB_OK(NULL, "forget", fails_with(VK_ERROR_DEVICE_LOST)));
}

static void long_names_fit(void **state)
{
    struct error error = {0};
    char name[2000];
    (void) state;
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_false(VKB_MADE(&error, name, fails_with(VK_ERROR_UNKNOWN)));
    assert_true(strlen(error.text) < sizeof error.text);
    assert_non_null(strstr(error.text, "VK_ERROR_UNKNOWN"));
}

static void both_channel_orders(void **state)
{
    static const uint8_t pixels[8] = {1, 2, 3, 4, 250, 251, 252, 0};
    static const uint8_t straight[8] = {1, 2, 3, 255, 250, 251, 252, 255};
    static const uint8_t swapped[8] = {3, 2, 1, 255, 252, 251, 250, 255};
    static const VkFormat rgba[] = {VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R8G8B8A8_UNORM};
    static const VkFormat bgra[] = {VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_B8G8R8A8_UNORM};
    (void) state;
    for (int i = 0; i < 2; i++) {
        uint8_t out[9] = {[8] = 99};
        struct error error = {0};
        assert_true(vkb_readback_rgba(rgba[i], pixels, 2, out, &error));
        assert_memory_equal(out, straight, 8);
        assert_true(vkb_readback_rgba(bgra[i], pixels, 2, out, &error));
        assert_memory_equal(out, swapped, 8);
        assert_int_equal(out[8], 99);
        assert_true(vkb_readback_rgba(bgra[i], pixels, 0, out, &error));
        assert_memory_equal(out, swapped, 8);
    }
}

static void other_formats_are_errors(void **state)
{
    static const VkFormat formats[] = {VK_FORMAT_UNDEFINED, VK_FORMAT_R8G8B8A8_SNORM,
                                       VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_FORMAT_D32_SFLOAT};
    (void) state;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        uint8_t out[4] = {7, 7, 7, 7};
        struct error error = {0};
        assert_false(vkb_readback_rgba(formats[i], "abcd", 1, out, &error));
        assert_int_equal(error.kind, ERROR_RUNTIME);
        assert_int_equal(out[0], 7);
    }
}

static void readback_sizes(void **state)
{
    VkDeviceSize size = 0;
    (void) state;
    assert_true(vkb_readback_size((VkExtent2D){3, 5}, &size));
    assert_int_equal(size, 60);
    assert_true(vkb_readback_size((VkExtent2D){16384, 16384}, &size));
    assert_int_equal(size, UINT64_C(1) << 30);
    assert_true(vkb_readback_size((VkExtent2D){65536, 65536}, &size));
    assert_int_equal(size, UINT64_C(1) << 34);
    assert_true(vkb_readback_size((VkExtent2D){UINT32_MAX, 1U << 30}, &size));
    assert_int_equal(size, (UINT64_C(1) << 32) * UINT32_MAX);
    assert_false(vkb_readback_size((VkExtent2D){UINT32_MAX, UINT32_MAX}, &size));
    assert_false(vkb_readback_size((VkExtent2D){1U << 31, 1U << 31}, &size));
}

static void semaphore_type_names(void **state)
{
    (void) state;
    assert_string_equal(vkb_semaphore_type_name(INTEROP_SEMAPHORE_TIMELINE), "timeline");
    assert_string_equal(vkb_semaphore_type_name(INTEROP_SEMAPHORE_BINARY), "binary");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(result_names),
        cmocka_unit_test(result_kinds),
        cmocka_unit_test(checks),
        cmocka_unit_test(long_names_fit),
        cmocka_unit_test(both_channel_orders),
        cmocka_unit_test(other_formats_are_errors),
        cmocka_unit_test(readback_sizes),
        cmocka_unit_test(semaphore_type_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
