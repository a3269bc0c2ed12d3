#include "vkbase/interop_map.h"

bool vkb_interop_format(VkFormat vulkan, enum interop_format *format, struct error *error)
{
    static const struct {
        VkFormat vulkan;
        enum interop_format format;
    } rows[] = {
        {VK_FORMAT_R8_UINT, INTEROP_FORMAT_R8_UINT},
        {VK_FORMAT_R8_SINT, INTEROP_FORMAT_R8_SINT},
        {VK_FORMAT_R8G8_UINT, INTEROP_FORMAT_R8G8_UINT},
        {VK_FORMAT_R8G8_SINT, INTEROP_FORMAT_R8G8_SINT},
        {VK_FORMAT_R8G8B8A8_UINT, INTEROP_FORMAT_R8G8B8A8_UINT},
        {VK_FORMAT_R8G8B8A8_SINT, INTEROP_FORMAT_R8G8B8A8_SINT},
        {VK_FORMAT_R16_UINT, INTEROP_FORMAT_R16_UINT},
        {VK_FORMAT_R16_SINT, INTEROP_FORMAT_R16_SINT},
        {VK_FORMAT_R16G16_UINT, INTEROP_FORMAT_R16G16_UINT},
        {VK_FORMAT_R16G16_SINT, INTEROP_FORMAT_R16G16_SINT},
        {VK_FORMAT_R16G16B16A16_UINT, INTEROP_FORMAT_R16G16B16A16_UINT},
        {VK_FORMAT_R16G16B16A16_SINT, INTEROP_FORMAT_R16G16B16A16_SINT},
        {VK_FORMAT_R32_UINT, INTEROP_FORMAT_R32_UINT},
        {VK_FORMAT_R32_SINT, INTEROP_FORMAT_R32_SINT},
        {VK_FORMAT_R32_SFLOAT, INTEROP_FORMAT_R32_SFLOAT},
        {VK_FORMAT_R32G32_UINT, INTEROP_FORMAT_R32G32_UINT},
        {VK_FORMAT_R32G32_SINT, INTEROP_FORMAT_R32G32_SINT},
        {VK_FORMAT_R32G32_SFLOAT, INTEROP_FORMAT_R32G32_SFLOAT},
        {VK_FORMAT_R32G32B32A32_UINT, INTEROP_FORMAT_R32G32B32A32_UINT},
        {VK_FORMAT_R32G32B32A32_SINT, INTEROP_FORMAT_R32G32B32A32_SINT},
        {VK_FORMAT_R32G32B32A32_SFLOAT, INTEROP_FORMAT_R32G32B32A32_SFLOAT},
    };
    *format = INTEROP_FORMAT_UNDEFINED;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].vulkan == vulkan) {
            *format = rows[i].format;
            return true;
        }
    }
    return error_set(error, ERROR_RUNTIME,
                     "cannot share an image of VkFormat %d: it has no counterpart on the other "
                     "side; use one of enum interop_format",
                     (int) vulkan);
}

bool vkb_interop_view_type(VkImageViewType vulkan, enum interop_view_type *view_type,
                           struct error *error)
{
    *view_type = INTEROP_VIEW_COUNT;
    switch (vulkan) {
    case VK_IMAGE_VIEW_TYPE_1D:
        *view_type = INTEROP_VIEW_1D;
        return true;
    case VK_IMAGE_VIEW_TYPE_2D:
        *view_type = INTEROP_VIEW_2D;
        return true;
    case VK_IMAGE_VIEW_TYPE_3D:
        *view_type = INTEROP_VIEW_3D;
        return true;
    case VK_IMAGE_VIEW_TYPE_CUBE:
        *view_type = INTEROP_VIEW_CUBE;
        return true;
    case VK_IMAGE_VIEW_TYPE_1D_ARRAY:
        *view_type = INTEROP_VIEW_1D_ARRAY;
        return true;
    case VK_IMAGE_VIEW_TYPE_2D_ARRAY:
        *view_type = INTEROP_VIEW_2D_ARRAY;
        return true;
    case VK_IMAGE_VIEW_TYPE_CUBE_ARRAY:
        *view_type = INTEROP_VIEW_CUBE_ARRAY;
        return true;
    default:
        return error_set(error, ERROR_RUNTIME,
                         "cannot share an image of VkImageViewType %d: it has no counterpart on "
                         "the other side; use one of enum interop_view_type",
                         (int) vulkan);
    }
}

unsigned vkb_interop_usage(VkImageUsageFlags vulkan)
{
    return (vulkan & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT ? INTEROP_IMAGE_COLOR_ATTACHMENT : 0U) |
           (vulkan & VK_IMAGE_USAGE_STORAGE_BIT ? INTEROP_IMAGE_STORAGE : 0U);
}

bool vkb_interop_image(const struct vkb_image *vulkan, struct interop_image *image,
                       struct error *error)
{
    struct interop_image made = {
        .offset = vulkan->offset,
        .width = vulkan->extent.width,
        .height = vulkan->extent.height,
        .depth = vulkan->shape.depth,
        .layers = vulkan->shape.layers,
        .levels = vulkan->shape.levels,
        .usage = vkb_interop_usage(vulkan->usage),
    };
    *image = (struct interop_image){0};
    if (!vkb_interop_format(vulkan->format, &made.format, error) ||
        !vkb_interop_view_type(vulkan->shape.view_type, &made.view_type, error))
        return false;
    *image = made;
    return true;
}
