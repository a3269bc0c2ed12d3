/* The cache file's reader: it takes a whole file of this driver, nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "app/pipeline_cache.h"

enum { HEADER = 32, VULKAN_HEADER = 32, BODY = VULKAN_HEADER + 100 };

static VkPhysicalDeviceProperties device_properties(void)
{
    VkPhysicalDeviceProperties properties = {.vendorID = 0x10DE, .deviceID = 7};
    memcpy(properties.pipelineCacheUUID, "0123456789abcdef", VK_UUID_SIZE);
    return properties;
}

static uint64_t checksum(const uint8_t *data, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Writes size and checksum for `body` bytes behind the header. */
static void seal(uint8_t *file, size_t body)
{
    const uint64_t size = body;
    const uint64_t sum = checksum(file + HEADER, body);
    memcpy(file + 16, &size, sizeof size);
    memcpy(file + 24, &sum, sizeof sum);
}

static void make_file(uint8_t *file)
{
    const VkPhysicalDeviceProperties properties = device_properties();
    const uint32_t version = 1;
    VkPipelineCacheHeaderVersionOne vulkan = {
        .headerSize = VULKAN_HEADER,
        .headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE,
        .vendorID = properties.vendorID,
        .deviceID = properties.deviceID,
    };
    memcpy(vulkan.pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE);
    memset(file, 0, HEADER);
    memset(file + HEADER, 0x5A, BODY);
    static const uint8_t magic[8] = {'s', 'i', 'n', 'e', 'p', 'i', 'p', 'e'};
    memcpy(file, magic, sizeof magic);
    memcpy(file + 8, &version, sizeof version);
    memcpy(file + HEADER, &vulkan, sizeof vulkan);
    seal(file, BODY);
}

static bool parses(const uint8_t *file, size_t size)
{
    const VkPhysicalDeviceProperties properties = device_properties();
    const void *blob = NULL;
    size_t blob_size = 0;
    const bool ok = pipeline_cache_parse(file, size, &properties, &blob, &blob_size);
    if (ok) {
        assert_ptr_equal(blob, file + HEADER);
        assert_int_equal(blob_size, size - HEADER);
    } else {
        assert_null(blob);
        assert_int_equal(blob_size, 0);
    }
    return ok;
}

static void takes_a_whole_file(void **state)
{
    (void) state;
    uint8_t file[HEADER + BODY];
    make_file(file);
    assert_true(parses(file, sizeof file));
}

static void refuses_any_other_length(void **state)
{
    (void) state;
    uint8_t file[HEADER + BODY + 1] = {0};
    make_file(file);
    for (size_t size = 0; size < HEADER + BODY; size++)
        assert_false(parses(file, size));
    assert_false(parses(file, sizeof file));
}

static void refuses_any_changed_bit(void **state)
{
    (void) state;
    uint8_t file[HEADER + BODY];
    make_file(file);
    for (size_t i = 0; i < sizeof file; i++) {
        if (i >= 12 && i < 16) /* reserved */
            continue;
        file[i] ^= 0x10;
        assert_false(parses(file, sizeof file));
        file[i] ^= 0x10;
    }
}

/* Whole, but of another driver or device, or with a header that lies. */
static void refuses_what_is_foreign(void **state)
{
    (void) state;
    uint8_t file[HEADER + BODY];
    for (size_t at = 0; at < VULKAN_HEADER; at += 4) {
        make_file(file);
        file[HEADER + at] ^= 0x40;
        seal(file, BODY);
        /* A longer Vulkan header is allowed by the specification. */
        if (at == 0)
            assert_true(parses(file, sizeof file));
        else
            assert_false(parses(file, sizeof file));
    }
    make_file(file);
    file[HEADER] = VULKAN_HEADER - 1;
    seal(file, BODY);
    assert_false(parses(file, sizeof file));
    memset(file + HEADER, 0xFF, 4); /* longer than the file */
    seal(file, BODY);
    assert_false(parses(file, sizeof file));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_a_whole_file),
        cmocka_unit_test(refuses_any_other_length),
        cmocka_unit_test(refuses_any_changed_bit),
        cmocka_unit_test(refuses_what_is_foreign),
    };
    return cmocka_run_group_tests_name("pipeline_cache", tests, NULL, NULL);
}
