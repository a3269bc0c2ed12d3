#include "tests/best_device.h"

#include <stdlib.h>

bool best_device_open(const struct vkb_instance *instance, bool compute_raster,
                      struct vkb_device_info *info, struct vkb_device *device, struct error *error)
{
    struct vkb_device_info *list = NULL;
    uint32_t count = 0;
    uint32_t chosen = 0;
    uint32_t matches = 0;
    if (!vkb_devices_list(instance->handle, &list, &count, error))
        return false;
    const bool ok = vkb_device_choose(list, count, NULL, &chosen, &matches, error);
    if (ok)
        *info = list[chosen];
    free(list);
    const struct vkb_device_params params = {
        .instance = instance,
        .info = info,
        .compute_raster = compute_raster,
    };
    return ok && (!compute_raster || vkb_device_compute_raster(info->handle, error)) &&
           vkb_device_create(&params, device, error);
}
