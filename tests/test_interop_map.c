/* The tables from Vulkan's images to the seam's, a test a row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "vkbase/interop_map.h"

/* Written out from the CUDA Programming Guide, not computed. */
struct format_row {
    const char *name;
    VkFormat vulkan;
    enum interop_format format;
};

#define ROW(format)                                                                                \
    {                                                                                              \
        "format " #format, VK_FORMAT_##format, INTEROP_FORMAT_##format                             \
    }
static struct format_row format_rows[] = {
    ROW(R8_UINT),           ROW(R8_SINT),           ROW(R8G8_UINT),
    ROW(R8G8_SINT),         ROW(R8G8B8A8_UINT),     ROW(R8G8B8A8_SINT),
    ROW(R16_UINT),          ROW(R16_SINT),          ROW(R16G16_UINT),
    ROW(R16G16_SINT),       ROW(R16G16B16A16_UINT), ROW(R16G16B16A16_SINT),
    ROW(R32_UINT),          ROW(R32_SINT),          ROW(R32_SFLOAT),
    ROW(R32G32_UINT),       ROW(R32G32_SINT),       ROW(R32G32_SFLOAT),
    ROW(R32G32B32A32_UINT), ROW(R32G32B32A32_SINT), ROW(R32G32B32A32_SFLOAT),
};

static void maps_format(void **state)
{
    const struct format_row *row = *state;
    enum interop_format got = INTEROP_FORMAT_UNDEFINED;
    struct error error = {0};
    assert_true(vkb_interop_format(row->vulkan, &got, &error));
    assert_int_equal(got, row->format);
    assert_int_equal(error.kind, ERROR_NONE);
}

/* All other formats of Vulkan 1.0 are refused, and each of the seam is reached
 * by one. */
static void covers_every_format(void **state)
{
    int hits[INTEROP_FORMAT_COUNT] = {0};
    (void) state;
    assert_int_equal(sizeof format_rows / sizeof format_rows[0], INTEROP_FORMAT_COUNT - 1);
    for (int i = 0; i <= VK_FORMAT_ASTC_12x12_SRGB_BLOCK; i++) {
        enum interop_format got = INTEROP_FORMAT_COUNT;
        struct error error = {0};
        if (vkb_interop_format((VkFormat) i, &got, &error)) {
            hits[got]++;
            continue;
        }
        assert_int_equal(got, INTEROP_FORMAT_UNDEFINED);
        assert_int_equal(error.kind, ERROR_RUNTIME);
        assert_non_null(strstr(error.text, "; "));
    }
    assert_int_equal(hits[INTEROP_FORMAT_UNDEFINED], 0);
    for (int i = 1; i < INTEROP_FORMAT_COUNT; i++)
        assert_int_equal(hits[i], 1);
}

static void refuses_unknown_formats(void **state)
{
    (void) state;
    const int unknown[] = {VK_FORMAT_UNDEFINED,
                           VK_FORMAT_R32G32B32_SFLOAT,
                           VK_FORMAT_R8_UNORM,
                           VK_FORMAT_R16_SFLOAT,
                           VK_FORMAT_B8G8R8A8_SRGB,
                           VK_FORMAT_R64_UINT,
                           -1,
                           1 << 30};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        enum interop_format got = INTEROP_FORMAT_COUNT;
        struct error error = {0};
        assert_false(vkb_interop_format((VkFormat) unknown[i], &got, &error));
        assert_int_equal(got, INTEROP_FORMAT_UNDEFINED);
        assert_int_equal(error.kind, ERROR_RUNTIME);
    }
}

struct view_row {
    const char *name;
    VkImageViewType vulkan;
    enum interop_view_type view_type;
};

static struct view_row view_rows[] = {
    {"view 1D", VK_IMAGE_VIEW_TYPE_1D, INTEROP_VIEW_1D},
    {"view 2D", VK_IMAGE_VIEW_TYPE_2D, INTEROP_VIEW_2D},
    {"view 3D", VK_IMAGE_VIEW_TYPE_3D, INTEROP_VIEW_3D},
    {"view cube", VK_IMAGE_VIEW_TYPE_CUBE, INTEROP_VIEW_CUBE},
    {"view 1D array", VK_IMAGE_VIEW_TYPE_1D_ARRAY, INTEROP_VIEW_1D_ARRAY},
    {"view 2D array", VK_IMAGE_VIEW_TYPE_2D_ARRAY, INTEROP_VIEW_2D_ARRAY},
    {"view cube array", VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, INTEROP_VIEW_CUBE_ARRAY},
};

static void maps_view(void **state)
{
    const struct view_row *row = *state;
    enum interop_view_type got = INTEROP_VIEW_COUNT;
    struct error error = {0};
    assert_true(vkb_interop_view_type(row->vulkan, &got, &error));
    assert_int_equal(got, row->view_type);
}

static void refuses_unknown_views(void **state)
{
    (void) state;
    assert_int_equal(sizeof view_rows / sizeof view_rows[0], INTEROP_VIEW_COUNT);
    const int unknown[] = {-1, VK_IMAGE_VIEW_TYPE_CUBE_ARRAY + 1, 1 << 30};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        enum interop_view_type got = INTEROP_VIEW_2D;
        struct error error = {0};
        assert_false(vkb_interop_view_type((VkImageViewType) unknown[i], &got, &error));
        assert_int_equal(got, INTEROP_VIEW_COUNT);
        assert_int_equal(error.kind, ERROR_RUNTIME);
    }
}

struct usage_row {
    const char *name;
    VkImageUsageFlags vulkan;
    unsigned usage;
};

static struct usage_row usage_rows[] = {
    {"usage none", 0, 0},
    {"usage that the importer need not know",
     VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
     0},
    {"usage colour attachment", VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
     INTEROP_IMAGE_COLOR_ATTACHMENT},
    {"usage storage", VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
     INTEROP_IMAGE_STORAGE},
    {"usage both", VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_STORAGE_BIT,
     INTEROP_IMAGE_COLOR_ATTACHMENT | INTEROP_IMAGE_STORAGE},
};

static void maps_usage(void **state)
{
    const struct usage_row *row = *state;
    assert_int_equal(vkb_interop_usage(row->vulkan), row->usage);
}

static void maps_image(void **state)
{
    (void) state;
    struct vkb_image image = {
        .format = VK_FORMAT_R16G16_SINT,
        .extent = {40, 41},
        .shape = {VK_IMAGE_VIEW_TYPE_2D_ARRAY, 1, 5, 3},
        .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
        .offset = 65536,
    };
    struct interop_image got;
    struct error error = {0};
    assert_true(vkb_interop_image(&image, &got, &error));
    assert_int_equal(got.offset, 65536);
    assert_int_equal(got.format, INTEROP_FORMAT_R16G16_SINT);
    assert_int_equal(got.view_type, INTEROP_VIEW_2D_ARRAY);
    assert_int_equal(got.width, 40);
    assert_int_equal(got.height, 41);
    assert_int_equal(got.depth, 1);
    assert_int_equal(got.layers, 5);
    assert_int_equal(got.levels, 3);
    assert_int_equal(got.usage, INTEROP_IMAGE_STORAGE);

    image.format = VK_FORMAT_D32_SFLOAT;
    assert_false(vkb_interop_image(&image, &got, &error));
    assert_int_equal(error.kind, ERROR_RUNTIME);
    assert_int_equal(got.width, 0);
    assert_int_equal(got.format, INTEROP_FORMAT_UNDEFINED);
}

#define LENGTH(rows) (sizeof(rows) / sizeof((rows)[0]))
#define ADD_ROWS(rows, function)                                                                   \
    for (size_t i = 0; i < LENGTH(rows); i++)                                                      \
        tests[count++] = (struct CMUnitTest)                                                       \
        {                                                                                          \
            .name = (rows)[i].name, .test_func = (function), .initial_state = &(rows)[i]           \
        }

int main(void)
{
    struct CMUnitTest tests[LENGTH(format_rows) + LENGTH(view_rows) + LENGTH(usage_rows) + 4] = {
        cmocka_unit_test(covers_every_format),
        cmocka_unit_test(refuses_unknown_formats),
        cmocka_unit_test(refuses_unknown_views),
        cmocka_unit_test(maps_image),
    };
    size_t count = 4;
    ADD_ROWS(format_rows, maps_format);
    ADD_ROWS(view_rows, maps_view);
    ADD_ROWS(usage_rows, maps_usage);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
