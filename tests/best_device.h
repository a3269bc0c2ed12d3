/* best_device.h: opens the device that the program would take by itself. */
#ifndef TESTS_BEST_DEVICE_H
#define TESTS_BEST_DEVICE_H

#include "vkbase/device.h"

/* With `compute_raster` it must be able to draw by compute shaders. The device
 * and the instance, which must not move, are the caller's to destroy. */
bool best_device_open(const struct vkb_instance *instance, bool compute_raster,
                      struct vkb_device_info *info, struct vkb_device *device, struct error *error);

#endif
