#include "kernels/cuda_formats.h"

struct channels {
    unsigned char bits;  /* per channel; 0: no such format */
    unsigned char count; /* 1, 2 or 4 */
    unsigned char kind;  /* enum cudaChannelFormatKind */
};

#define UINT cudaChannelFormatKindUnsigned
#define SINT cudaChannelFormatKindSigned
#define SFLOAT cudaChannelFormatKindFloat
static const struct channels format_table[INTEROP_FORMAT_COUNT] = {
    [INTEROP_FORMAT_R8_UINT] = {8, 1, UINT},
    [INTEROP_FORMAT_R8_SINT] = {8, 1, SINT},
    [INTEROP_FORMAT_R8G8_UINT] = {8, 2, UINT},
    [INTEROP_FORMAT_R8G8_SINT] = {8, 2, SINT},
    [INTEROP_FORMAT_R8G8B8A8_UINT] = {8, 4, UINT},
    [INTEROP_FORMAT_R8G8B8A8_SINT] = {8, 4, SINT},
    [INTEROP_FORMAT_R16_UINT] = {16, 1, UINT},
    [INTEROP_FORMAT_R16_SINT] = {16, 1, SINT},
    [INTEROP_FORMAT_R16G16_UINT] = {16, 2, UINT},
    [INTEROP_FORMAT_R16G16_SINT] = {16, 2, SINT},
    [INTEROP_FORMAT_R16G16B16A16_UINT] = {16, 4, UINT},
    [INTEROP_FORMAT_R16G16B16A16_SINT] = {16, 4, SINT},
    [INTEROP_FORMAT_R32_UINT] = {32, 1, UINT},
    [INTEROP_FORMAT_R32_SINT] = {32, 1, SINT},
    [INTEROP_FORMAT_R32_SFLOAT] = {32, 1, SFLOAT},
    [INTEROP_FORMAT_R32G32_UINT] = {32, 2, UINT},
    [INTEROP_FORMAT_R32G32_SINT] = {32, 2, SINT},
    [INTEROP_FORMAT_R32G32_SFLOAT] = {32, 2, SFLOAT},
    [INTEROP_FORMAT_R32G32B32A32_UINT] = {32, 4, UINT},
    [INTEROP_FORMAT_R32G32B32A32_SINT] = {32, 4, SINT},
    [INTEROP_FORMAT_R32G32B32A32_SFLOAT] = {32, 4, SFLOAT},
};
#undef UINT
#undef SINT
#undef SFLOAT

/* Which axes a view has: those it lacks must be 1 in the image, and become 0
 * in CUDA's extent. Layers take the place of the depth. */
struct view {
    const char *name;
    bool height, depth, layers, cube;
    unsigned flags;
};

static const struct view view_table[INTEROP_VIEW_COUNT] = {
    [INTEROP_VIEW_1D] = {.name = "1D"},
    [INTEROP_VIEW_2D] = {.name = "2D", .height = true},
    [INTEROP_VIEW_3D] = {.name = "3D", .height = true, .depth = true},
    [INTEROP_VIEW_CUBE] =
        {.name = "cube", .height = true, .layers = true, .cube = true, .flags = cudaArrayCubemap},
    [INTEROP_VIEW_1D_ARRAY] = {.name = "1D array", .layers = true, .flags = cudaArrayLayered},
    [INTEROP_VIEW_2D_ARRAY] = {.name = "2D array",
                               .height = true,
                               .layers = true,
                               .flags = cudaArrayLayered},
    [INTEROP_VIEW_CUBE_ARRAY] = {.name = "cube array",
                                 .height = true,
                                 .layers = true,
                                 .cube = true,
                                 .flags = cudaArrayCubemap | cudaArrayLayered},
};

static const struct view *find_view(enum interop_view_type view_type, struct error *error)
{
    if ((unsigned) view_type < INTEROP_VIEW_COUNT)
        return &view_table[view_type];
    error_set(error, ERROR_RUNTIME,
              "cannot map an image into CUDA: view type %d is unknown; use one of enum "
              "interop_view_type",
              (int) view_type);
    return NULL;
}

bool cuda_format_channels(enum interop_format format, struct cudaChannelFormatDesc *channels,
                          struct error *error)
{
    *channels = (struct cudaChannelFormatDesc){.f = cudaChannelFormatKindNone};
    if ((unsigned) format >= INTEROP_FORMAT_COUNT || format_table[format].bits == 0)
        return error_set(error, ERROR_RUNTIME,
                         "cannot map an image into CUDA: format %d has no CUDA counterpart; use "
                         "one of enum interop_format",
                         (int) format);

    const struct channels row = format_table[format];
    channels->x = row.bits;
    channels->y = row.count >= 2 ? row.bits : 0;
    channels->z = row.count >= 4 ? row.bits : 0;
    channels->w = row.count >= 4 ? row.bits : 0;
    channels->f = (enum cudaChannelFormatKind) row.kind;
    return true;
}

static uint32_t max_levels(uint32_t width, uint32_t height, uint32_t depth)
{
    uint32_t side = width > height ? width : height;
    side = side > depth ? side : depth;
    uint32_t levels = 1;
    while (side >>= 1)
        levels++;
    return levels;
}

bool cuda_format_extent(const struct interop_image *image, struct cudaExtent *extent,
                        struct error *error)
{
    *extent = (struct cudaExtent){0};
    const struct view *view = find_view(image->view_type, error);
    if (!view)
        return false;

    const char *why = NULL;
    if (image->width == 0 || image->height == 0 || image->depth == 0 || image->layers == 0)
        why = "an extent is zero; axes that the view lacks are 1";
    else if (!view->height && image->height != 1)
        why = "it has no height; make it 1";
    else if (!view->depth && image->depth != 1)
        why = "it has no depth; make it 1";
    else if (!view->layers && image->layers != 1)
        why = "it has no layers; make them 1";
    else if (view->cube && image->width != image->height)
        why = "the faces of a cube are squares";
    else if (image->view_type == INTEROP_VIEW_CUBE && image->layers != 6)
        why = "a cube has 6 layers";
    else if (view->cube && image->layers % 6 != 0)
        why = "a cube array has a multiple of 6 layers";
    else if (image->levels == 0 ||
             image->levels > max_levels(image->width, image->height, image->depth))
        why = "the number of mip levels does not fit the extent";
    /* With fewer levels than all, NVIDIA's Vulkan leaves room in each layer for
     * those that are missing, and CUDA does not (seen with 580.159): all layers
     * but the first would be others. */
    else if (image->layers > 1 && image->levels > 1 &&
             image->levels < max_levels(image->width, image->height, image->depth))
        why = "with several layers the drivers place a part of the mip levels differently; make "
              "one level or all down to 1x1";
    if (why)
        return error_set(error, ERROR_RUNTIME,
                         "cannot map a %s image of %ux%ux%u texels, %u layers, %u levels into "
                         "CUDA: %s",
                         view->name, image->width, image->height, image->depth, image->layers,
                         image->levels, why);

    extent->width = image->width;
    extent->height = view->height ? image->height : 0;
    extent->depth = view->layers ? image->layers : view->depth ? image->depth : 0;
    return true;
}

bool cuda_format_flags(enum interop_view_type view_type, unsigned usage, unsigned *flags,
                       struct error *error)
{
    *flags = cudaArrayDefault;
    const struct view *view = find_view(view_type, error);
    if (!view)
        return false;
    if (usage & ~(unsigned) (INTEROP_IMAGE_COLOR_ATTACHMENT | INTEROP_IMAGE_STORAGE))
        return error_set(error, ERROR_RUNTIME,
                         "cannot map an image into CUDA: usage 0x%x has unknown bits; use those of "
                         "enum interop_image_usage",
                         usage);

    *flags = view->flags;
    if (usage & INTEROP_IMAGE_COLOR_ATTACHMENT)
        *flags |= cudaArrayColorAttachment;
    if (usage & INTEROP_IMAGE_STORAGE)
        *flags |= cudaArraySurfaceLoadStore;
    return true;
}

bool cuda_format_image(const struct interop_image *image,
                       struct cudaExternalMemoryMipmappedArrayDesc *description,
                       struct error *error)
{
    *description = (struct cudaExternalMemoryMipmappedArrayDesc){.offset = image->offset};
    if (!cuda_format_channels(image->format, &description->formatDesc, error) ||
        !cuda_format_extent(image, &description->extent, error) ||
        !cuda_format_flags(image->view_type, image->usage, &description->flags, error)) {
        *description = (struct cudaExternalMemoryMipmappedArrayDesc){0};
        return false;
    }
    description->numLevels = image->levels;
    return true;
}
