/* The tables from the seam's images to CUDA's, a test a row, without a GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "kernels/cuda_formats.h"

/* Written out from the CUDA Programming Guide, not computed. */
struct format_row {
    const char *name;
    enum interop_format format;
    int x, y, z, w;
    enum cudaChannelFormatKind kind;
};

#define U cudaChannelFormatKindUnsigned
#define S cudaChannelFormatKindSigned
#define F cudaChannelFormatKindFloat
#define ROW(format, x, y, z, w, kind)                                                              \
    {                                                                                              \
        "format " #format, INTEROP_FORMAT_##format, x, y, z, w, kind                               \
    }
static struct format_row format_rows[] = {
    ROW(R8_UINT, 8, 0, 0, 0, U),
    ROW(R8_SINT, 8, 0, 0, 0, S),
    ROW(R8G8_UINT, 8, 8, 0, 0, U),
    ROW(R8G8_SINT, 8, 8, 0, 0, S),
    ROW(R8G8B8A8_UINT, 8, 8, 8, 8, U),
    ROW(R8G8B8A8_SINT, 8, 8, 8, 8, S),
    ROW(R16_UINT, 16, 0, 0, 0, U),
    ROW(R16_SINT, 16, 0, 0, 0, S),
    ROW(R16G16_UINT, 16, 16, 0, 0, U),
    ROW(R16G16_SINT, 16, 16, 0, 0, S),
    ROW(R16G16B16A16_UINT, 16, 16, 16, 16, U),
    ROW(R16G16B16A16_SINT, 16, 16, 16, 16, S),
    ROW(R32_UINT, 32, 0, 0, 0, U),
    ROW(R32_SINT, 32, 0, 0, 0, S),
    ROW(R32_SFLOAT, 32, 0, 0, 0, F),
    ROW(R32G32_UINT, 32, 32, 0, 0, U),
    ROW(R32G32_SINT, 32, 32, 0, 0, S),
    ROW(R32G32_SFLOAT, 32, 32, 0, 0, F),
    ROW(R32G32B32A32_UINT, 32, 32, 32, 32, U),
    ROW(R32G32B32A32_SINT, 32, 32, 32, 32, S),
    ROW(R32G32B32A32_SFLOAT, 32, 32, 32, 32, F),
};

static void maps_format(void **state)
{
    const struct format_row *row = *state;
    struct cudaChannelFormatDesc got;
    struct error error = {0};
    assert_true(cuda_format_channels(row->format, &got, &error));
    assert_int_equal(got.x, row->x);
    assert_int_equal(got.y, row->y);
    assert_int_equal(got.z, row->z);
    assert_int_equal(got.w, row->w);
    assert_int_equal(got.f, row->kind);
    assert_int_equal(error.kind, ERROR_NONE);
}

static void covers_every_format(void **state)
{
    (void) state;
    assert_int_equal(sizeof format_rows / sizeof format_rows[0], INTEROP_FORMAT_COUNT - 1);
}

static void refuses_unknown_formats(void **state)
{
    (void) state;
    const int unknown[] = {INTEROP_FORMAT_UNDEFINED, INTEROP_FORMAT_COUNT, -1, 1 << 20};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        struct cudaChannelFormatDesc got;
        struct error error = {0};
        assert_false(cuda_format_channels((enum interop_format) unknown[i], &got, &error));
        assert_int_equal(error.kind, ERROR_RUNTIME);
        assert_non_null(strstr(error.text, "; "));
        assert_int_equal(got.x, 0);
        assert_int_equal(got.f, cudaChannelFormatKindNone);
    }
}

struct view_row {
    const char *name;
    enum interop_view_type view_type;
    uint32_t width, height, depth, layers;
    size_t x, y, z; /* CUDA's extent */
    unsigned flags;
};

enum { LAYERED = cudaArrayLayered, CUBEMAP = cudaArrayCubemap };

static struct view_row view_rows[] = {
    {"view 1D", INTEROP_VIEW_1D, 40, 1, 1, 1, 40, 0, 0, 0},
    {"view 2D", INTEROP_VIEW_2D, 40, 30, 1, 1, 40, 30, 0, 0},
    {"view 3D", INTEROP_VIEW_3D, 40, 30, 20, 1, 40, 30, 20, 0},
    {"view cube", INTEROP_VIEW_CUBE, 40, 40, 1, 6, 40, 40, 6, CUBEMAP},
    {"view 1D array", INTEROP_VIEW_1D_ARRAY, 40, 1, 1, 5, 40, 0, 5, LAYERED},
    {"view 2D array", INTEROP_VIEW_2D_ARRAY, 40, 30, 1, 5, 40, 30, 5, LAYERED},
    {"view cube array", INTEROP_VIEW_CUBE_ARRAY, 40, 40, 1, 18, 40, 40, 18, CUBEMAP | LAYERED},
};

static struct interop_image image_of(const struct view_row *row)
{
    return (struct interop_image){
        .offset = 4096,
        .format = INTEROP_FORMAT_R32_SFLOAT,
        .view_type = row->view_type,
        .width = row->width,
        .height = row->height,
        .depth = row->depth,
        .layers = row->layers,
        .levels = 1,
        .usage = INTEROP_IMAGE_STORAGE,
    };
}

static void maps_view(void **state)
{
    const struct view_row *row = *state;
    const struct interop_image image = image_of(row);
    struct cudaExternalMemoryMipmappedArrayDesc got;
    struct error error = {0};
    assert_true(cuda_format_image(&image, &got, &error));
    assert_int_equal(got.extent.width, row->x);
    assert_int_equal(got.extent.height, row->y);
    assert_int_equal(got.extent.depth, row->z);
    assert_int_equal(got.flags, row->flags | cudaArraySurfaceLoadStore);
    assert_int_equal(got.offset, 4096);
    assert_int_equal(got.numLevels, 1);
    assert_int_equal(got.formatDesc.x, 32);
    assert_int_equal(got.formatDesc.f, cudaChannelFormatKindFloat);
}

static void covers_every_view(void **state)
{
    (void) state;
    assert_int_equal(sizeof view_rows / sizeof view_rows[0], INTEROP_VIEW_COUNT);
}

struct usage_row {
    const char *name;
    unsigned usage, flags;
};

static struct usage_row usage_rows[] = {
    {"usage none", 0, 0},
    {"usage colour attachment", INTEROP_IMAGE_COLOR_ATTACHMENT, cudaArrayColorAttachment},
    {"usage storage", INTEROP_IMAGE_STORAGE, cudaArraySurfaceLoadStore},
    {"usage both", INTEROP_IMAGE_COLOR_ATTACHMENT | INTEROP_IMAGE_STORAGE,
     cudaArrayColorAttachment | cudaArraySurfaceLoadStore},
};

static void maps_usage(void **state)
{
    const struct usage_row *row = *state;
    for (size_t i = 0; i < sizeof view_rows / sizeof view_rows[0]; i++) {
        unsigned flags = 0;
        struct error error = {0};
        assert_true(cuda_format_flags(view_rows[i].view_type, row->usage, &flags, &error));
        assert_int_equal(flags, row->flags | view_rows[i].flags);
    }
}

/* What contradicts itself: a good image of the view with members replaced
 * (0 with `zero` unset: left as it is). */
struct bad_row {
    const char *name;
    enum interop_view_type view_type;
    uint32_t width, height, depth, layers, levels;
    const char *zero; /* the member that is made 0 */
};

static struct bad_row bad_rows[] = {
    {"refuses 2D of no width", INTEROP_VIEW_2D, 0, 0, 0, 0, 0, "width"},
    {"refuses 2D of no height", INTEROP_VIEW_2D, 0, 0, 0, 0, 0, "height"},
    {"refuses 2D of depth 0", INTEROP_VIEW_2D, 0, 0, 0, 0, 0, "depth"},
    {"refuses 2D of layers 0", INTEROP_VIEW_2D, 0, 0, 0, 0, 0, "layers"},
    {"refuses 2D of levels 0", INTEROP_VIEW_2D, 0, 0, 0, 0, 0, "levels"},
    {"refuses 3D of depth 0", INTEROP_VIEW_3D, 0, 0, 0, 0, 0, "depth"},
    {"refuses 1D with a height", INTEROP_VIEW_1D, 0, 2, 0, 0, 0, NULL},
    {"refuses 1D with a depth", INTEROP_VIEW_1D, 0, 0, 2, 0, 0, NULL},
    {"refuses 1D with layers", INTEROP_VIEW_1D, 0, 0, 0, 2, 0, NULL},
    {"refuses 2D with a depth", INTEROP_VIEW_2D, 0, 0, 2, 0, 0, NULL},
    {"refuses 2D with layers", INTEROP_VIEW_2D, 0, 0, 0, 2, 0, NULL},
    {"refuses 3D with layers", INTEROP_VIEW_3D, 0, 0, 0, 2, 0, NULL},
    {"refuses 1D array with a height", INTEROP_VIEW_1D_ARRAY, 0, 2, 0, 0, 0, NULL},
    {"refuses 2D array with a depth", INTEROP_VIEW_2D_ARRAY, 0, 0, 2, 0, 0, NULL},
    {"refuses cube of oblongs", INTEROP_VIEW_CUBE, 41, 0, 0, 0, 0, NULL},
    {"refuses cube with 5 layers", INTEROP_VIEW_CUBE, 0, 0, 0, 5, 0, NULL},
    {"refuses cube with 12 layers", INTEROP_VIEW_CUBE, 0, 0, 0, 12, 0, NULL},
    {"refuses cube array of oblongs", INTEROP_VIEW_CUBE_ARRAY, 0, 41, 0, 0, 0, NULL},
    {"refuses cube array with 8 layers", INTEROP_VIEW_CUBE_ARRAY, 0, 0, 0, 8, 0, NULL},
    {"refuses 7 levels of 40x30", INTEROP_VIEW_2D, 0, 0, 0, 0, 7, NULL},
    {"refuses 2 levels of 1x1", INTEROP_VIEW_2D, 1, 1, 0, 0, 2, NULL},
    {"refuses 7 levels of 40 (5 layers)", INTEROP_VIEW_1D_ARRAY, 0, 0, 0, 0, 7, NULL},
    {"refuses 5 of 6 levels of a 1D array", INTEROP_VIEW_1D_ARRAY, 0, 0, 0, 0, 5, NULL},
    {"refuses 2 of 6 levels of a 2D array", INTEROP_VIEW_2D_ARRAY, 0, 0, 0, 0, 2, NULL},
    {"refuses 3 of 6 levels of a cube", INTEROP_VIEW_CUBE, 0, 0, 0, 0, 3, NULL},
    {"refuses 5 of 6 levels of a cube array", INTEROP_VIEW_CUBE_ARRAY, 0, 0, 0, 0, 5, NULL},
};

static void refuses_image(void **state)
{
    const struct bad_row *row = *state;
    struct interop_image image = image_of(&view_rows[row->view_type]);
    struct error error = {0};
    struct cudaExternalMemoryMipmappedArrayDesc got;
    assert_true(cuda_format_image(&image, &got, &error)); /* before it is spoiled */

    const struct {
        const char *name;
        uint32_t value;
        uint32_t *member;
    } changes[] = {
        {"width", row->width, &image.width},    {"height", row->height, &image.height},
        {"depth", row->depth, &image.depth},    {"layers", row->layers, &image.layers},
        {"levels", row->levels, &image.levels},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        if (changes[i].value != 0)
            *changes[i].member = changes[i].value;
        if (row->zero && strcmp(row->zero, changes[i].name) == 0)
            *changes[i].member = 0;
    }
    assert_false(cuda_format_image(&image, &got, &error));
    assert_int_equal(error.kind, ERROR_RUNTIME);
    assert_non_null(strstr(error.text, ": "));
    assert_int_equal(got.numLevels, 0);
    assert_int_equal(got.extent.width, 0);
}

static void refuses_unknown_views_and_usages(void **state)
{
    (void) state;
    unsigned flags = 0;
    struct error error = {0};
    assert_false(cuda_format_flags(INTEROP_VIEW_COUNT, 0, &flags, &error));
    error = (struct error){0};
    assert_false(cuda_format_flags((enum interop_view_type) - 1, 0, &flags, &error));
    error = (struct error){0};
    assert_false(cuda_format_flags(INTEROP_VIEW_2D, 1u << 2, &flags, &error));
    assert_int_equal(error.kind, ERROR_RUNTIME);
    struct interop_image image = image_of(&view_rows[INTEROP_VIEW_2D]);
    struct cudaExtent extent;
    image.view_type = INTEROP_VIEW_COUNT;
    error = (struct error){0};
    assert_false(cuda_format_extent(&image, &extent, &error));
    assert_int_equal(error.kind, ERROR_RUNTIME);
}

static void takes_the_full_chain_of_levels(void **state)
{
    (void) state;
    const struct {
        uint32_t width, height, levels;
    } chains[] = {{1, 1, 1}, {2, 1, 2}, {3, 2, 2}, {40, 30, 6}, {64, 1, 7}, {1, 65536, 17}};
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++) {
        struct interop_image image = image_of(&view_rows[INTEROP_VIEW_2D]);
        image.width = chains[i].width;
        image.height = chains[i].height;
        image.levels = chains[i].levels;
        struct cudaExternalMemoryMipmappedArrayDesc got;
        struct error error = {0};
        assert_true(cuda_format_image(&image, &got, &error));
        assert_int_equal(got.numLevels, chains[i].levels);
        image.levels++;
        assert_false(cuda_format_image(&image, &got, &error));
    }
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
    struct CMUnitTest tests[LENGTH(format_rows) + LENGTH(view_rows) + LENGTH(usage_rows) +
                            LENGTH(bad_rows) + 5] = {
        cmocka_unit_test(covers_every_format),
        cmocka_unit_test(refuses_unknown_formats),
        cmocka_unit_test(covers_every_view),
        cmocka_unit_test(refuses_unknown_views_and_usages),
        cmocka_unit_test(takes_the_full_chain_of_levels),
    };
    size_t count = 5;
    ADD_ROWS(format_rows, maps_format);
    ADD_ROWS(view_rows, maps_view);
    ADD_ROWS(usage_rows, maps_usage);
    ADD_ROWS(bad_rows, refuses_image);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
