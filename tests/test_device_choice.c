/* Which device --device means. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "vkbase/device_choice.h"

/* An order that no rule but the one tested gives. The UUIDs differ only after
 * a zero byte; one name is no valid UTF-8. */
static const struct vkb_device_info devices[] = {
    {.index = 0,
     .name = "llvmpipe (LLVM 15.0.6, 256 bits)",
     .uuid = {0x6d, 0x65, 0x73, 0x61, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
     .type = VK_PHYSICAL_DEVICE_TYPE_CPU},
    {.index = 1,
     .name = "Intel(R) Graphics \xff\xfe",
     .uuid = {0x6d, 0x65, 0x73, 0x61, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2},
     .type = VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU},
    {.index = 2,
     .name = "NVIDIA Old",
     .uuid = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3},
     .type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
     .unusable = "it has Vulkan 1.1 and 1.3 is needed (update its driver)"},
    {.index = 3,
     .name = "NVIDIA H200",
     .uuid = {0xab, 0xcd, 0xef, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13},
     .type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU},
    {.index = 4,
     .name = "NVIDIA H200",
     .uuid = {0xab, 0xcd, 0xef, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14},
     .type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU},
    {.index = 5, .name = "Guest", .uuid = {9}, .type = VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU},
    {.index = 6, .name = "", .uuid = {10}, .type = VK_PHYSICAL_DEVICE_TYPE_OTHER},
};
enum { COUNT = sizeof devices / sizeof *devices };

static void takes(const char *selector, uint32_t index, uint32_t fits)
{
    uint32_t chosen = UINT32_MAX;
    uint32_t matches = UINT32_MAX;
    struct error error = {0};
    if (!vkb_device_choose(devices, COUNT, selector, &chosen, &matches, &error))
        fail_msg("\"%s\" was refused: %s", selector ? selector : "(none)", error.text);
    assert_int_equal(chosen, index);
    assert_int_equal(matches, fits);
}

static void refuses_of(const struct vkb_device_info *list, uint32_t count, const char *selector,
                       const char *part)
{
    uint32_t chosen = 0;
    uint32_t matches = 0;
    struct error error = {0};
    if (vkb_device_choose(list, count, selector, &chosen, &matches, &error))
        fail_msg("\"%s\" was accepted", selector ? selector : "(none)");
    assert_int_equal(error.kind, ERROR_UNAVAILABLE);
    if (!strstr(error.text, part))
        fail_msg("\"%s\" gave \"%s\", which lacks \"%s\"", selector ? selector : "(none)",
                 error.text, part);
    assert_null(strchr(error.text, '\n'));
    assert_non_null(strstr(error.text, "; "));
}

static void refuses(const char *selector, const char *part)
{
    refuses_of(devices, COUNT, selector, part);
}

static void by_index(void **state)
{
    (void) state;
    takes("0", 0, 1);
    takes("4", 4, 1);
    takes("004", 4, 1);
    refuses("7", "index");
    /* 2^32 + 3 and the like must not wrap around. */
    refuses("4294967299", "index");
    refuses("4294967296", "index");
    refuses("99999999999999999999999999", "index");
    refuses("-1", "name");
    refuses("2", "cannot be used: it has Vulkan 1.1");
}

static void by_uuid(void **state)
{
    (void) state;
    takes("abcdef01-0203-0405-0607-08090a0b0c0d", 3, 1);
    takes("abcdef010203040506070809"
          "0a0b0c0d",
          3, 1);
    takes("ABCDEF01-0203-0405-0607-08090A0B0C0E", 4, 1);
    takes("GPU-abcdef01-0203-0405-0607-08090a0b0c0e", 4, 1);
    takes("gpu-abcdef0102030405060708090a0b0c0e", 4, 1);
    takes("a-b-cdef0102030405060708090a0b0c0d", 3, 1);
    /* Zero bytes end no comparison; 32 decimal digits are no index. */
    takes("6d657361-0000-0000-0000-000000000001", 0, 1);
    takes("6d657361-0000-0000-0000-000000000002", 1, 1);
    refuses("6d657361-0000-0000-0000-000000000003", "UUID");
    refuses("00000000000000000000000000000000", "UUID");
    refuses("00000000-0000-0000-0000-000000000003", "cannot be used");
    /* One digit less or more is no UUID. */
    refuses("abcdef01-0203-0405-0607-08090a0b0c0", "name");
    refuses("abcdef01-0203-0405-0607-08090a0b0c0d0", "name");
    refuses("gbcdef01-0203-0405-0607-08090a0b0c0d", "name");
    refuses("GPU-", "name");
}

static void by_name(void **state)
{
    (void) state;
    takes("llvmpipe", 0, 1);
    takes("LLVMPIPE", 0, 1);
    takes("256 bits)", 0, 1);
    takes("h200", 3, 2);
    takes("nvidia h", 3, 2);
    takes("intel", 1, 1);
    takes("\xff\xfe", 1, 1);
    takes("i", 0, 4 + 1); /* the lowest of several */
    /* The lowest that fits is meant, even where it cannot be used. */
    refuses("NVIDIA", "NVIDIA Old cannot be used");
    refuses("radeon", "name");
    refuses("", "name");
    refuses("NVIDIA H2000", "name");
    refuses("\xff\xff", "name");
}

static void the_best_by_type(void **state)
{
    struct vkb_device_info list[COUNT];
    static const uint32_t order[] = {3, 4, 1, 5, 6, 0};
    (void) state;
    memcpy(list, devices, sizeof list);
    /* The best is taken away again and again. */
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        uint32_t chosen = UINT32_MAX;
        uint32_t matches = 0;
        struct error error = {0};
        assert_true(vkb_device_choose(list, COUNT, NULL, &chosen, &matches, &error));
        assert_int_equal(chosen, order[i]);
        assert_int_equal(matches, 1);
        (void) snprintf(list[chosen].unusable, sizeof list[chosen].unusable, "gone");
    }
    refuses_of(list, COUNT, NULL, "no usable Vulkan device: llvmpipe");
}

static void none_at_all(void **state)
{
    (void) state;
    refuses_of(devices, 0, NULL, "no Vulkan device");
    refuses_of(devices, 0, "0", "index");
    refuses_of(devices, 0, "llvmpipe", "name");
}

static void uuid_text(void **state)
{
    char text[VKB_UUID_TEXT_SIZE];
    (void) state;
    vkb_uuid_text(devices[3].uuid, text);
    assert_string_equal(text, "abcdef01-0203-0405-0607-08090a0b0c0d");
    vkb_uuid_text(devices[5].uuid, text);
    assert_string_equal(text, "09000000-0000-0000-0000-000000000000");
    takes(text, 5, 1);
}

static void type_names(void **state)
{
    (void) state;
    assert_string_equal(vkb_device_type_name(VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU), "discrete GPU");
    assert_string_equal(vkb_device_type_name(VK_PHYSICAL_DEVICE_TYPE_CPU), "software");
    assert_string_equal(vkb_device_type_name((VkPhysicalDeviceType) 77), "other");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_index),    cmocka_unit_test(by_uuid),
        cmocka_unit_test(by_name),     cmocka_unit_test(the_best_by_type),
        cmocka_unit_test(none_at_all), cmocka_unit_test(uuid_text),
        cmocka_unit_test(type_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
