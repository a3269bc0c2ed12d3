/* device_choice.h: which physical devices there are, and which one is meant.
 *
 * Thread rule: one thread per instance at a time.
 * Source: Vulkan 1.3 specification, "Physical Devices", "Device Groups".
 */
#ifndef VKBASE_DEVICE_CHOICE_H
#define VKBASE_DEVICE_CHOICE_H

#include <vulkan/vulkan.h>

#include "vkbase/error.h"
#include "vkbase/interop.h"

struct vkb_device_info {
    VkPhysicalDevice handle;
    uint32_t index;                              /* in the order of vkEnumeratePhysicalDevices */
    char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE]; /* UTF-8 as the driver gives it */
    uint8_t uuid[INTEROP_UUID_SIZE];
    VkPhysicalDeviceType type;
    uint32_t vendor_id;
    VkDriverId driver_id;
    uint32_t api_version;
    char driver_name[VK_MAX_DRIVER_NAME_SIZE];
    char driver_info[VK_MAX_DRIVER_INFO_SIZE];
    uint32_t group_size; /* devices in its device group; 1: alone */
    bool no_graphics;    /* usable for compute alone: vkb_device_params' compute_only */
    char unusable[160];  /* why it cannot be used; empty: it can */
};

/* Fills *list (owned by the caller, freed with free()) with all devices. A
 * device that lacks Vulkan 1.3 or a feature of this program is listed with the
 * reason in `unusable`. No device at all is ERROR_UNAVAILABLE. */
bool vkb_devices_list(VkInstance instance, struct vkb_device_info **list, uint32_t *count,
                      struct error *error);

/* Picks one device of the list. `selector` is an index, a UUID (32 hexadecimal
 * digits, dashes anywhere, "GPU-" before it allowed) or a part of a name in
 * any case; NULL takes the best type: discrete, integrated, virtual, other,
 * software, and of equals the lowest index. *matches counts how many devices
 * the selector fits (the lowest index is taken). A device without match or
 * one that is unusable is ERROR_UNAVAILABLE. Pure. */
bool vkb_device_choose(const struct vkb_device_info *list, uint32_t count, const char *selector,
                       uint32_t *chosen, uint32_t *matches, struct error *error);

/* "discrete GPU", ... Static storage. */
const char *vkb_device_type_name(VkPhysicalDeviceType type);

enum { VKB_UUID_TEXT_SIZE = 37 };
/* Writes 8-4-4-4-12 lower-case hexadecimal digits and a null. */
void vkb_uuid_text(const uint8_t *uuid, char *text);

#endif
