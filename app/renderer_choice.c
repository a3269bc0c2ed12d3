#include "app/messages.h"
#include "app/renderer.h"

bool renderer_is_raster(const struct options *options)
{
    return options->renderer == RENDERER_RASTER ||
           (options->renderer == RENDERER_AUTO && options->samples == 4);
}

bool renderer_possible(const struct options *options, const struct vkb_device_info *info,
                       enum options_renderer *kind, struct error *error)
{
    struct error why = {0};
    *kind = options->renderer;
    if (*kind == RENDERER_RASTER)
        return true;
    if (renderer_is_raster(options)) {
        message_note("drawing with the rasterizer: a compute shader takes no 4 samples");
        *kind = RENDERER_RASTER;
    } else if (!vkb_device_compute_raster(info->handle, &why)) {
        if (*kind == RENDERER_COMPUTE)
            return error_set(error, ERROR_UNAVAILABLE,
                             "--renderer compute: %s; use --renderer raster or another --device",
                             why.text);
        message_note("drawing with the rasterizer: %s", why.text);
        *kind = RENDERER_RASTER;
    } else if (*kind == RENDERER_AUTO && info->no_graphics) {
        message_note("drawing with compute shaders: the device has no queue for graphics");
        *kind = RENDERER_COMPUTE;
    }
    return true;
}
