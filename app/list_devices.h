/* list_devices.h: what --list-devices prints. Thread rule: main thread. */
#ifndef APP_LIST_DEVICES_H
#define APP_LIST_DEVICES_H

#include "app/options.h"

/* Prints each Vulkan device with UUID, type, driver, device-group size, and the
 * matching CUDA ordinal or why there is none, to standard output. */
bool list_devices(const struct options *options, struct error *error);

#endif
