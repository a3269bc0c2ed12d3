#include "vkbase/device_choice.h"

#include <stdlib.h>
#include <string.h>

#include "vkbase/device.h"
#include "vkbase/result.h"

const char *vkb_device_type_name(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return "discrete GPU";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return "integrated GPU";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return "virtual GPU";
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return "software";
    default:
        return "other";
    }
}

static int type_rank(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return 4;
    default:
        return 3;
    }
}

void vkb_uuid_text(const uint8_t *uuid, char *text)
{
    static const char digits[] = "0123456789abcdef";
    size_t at = 0;
    for (size_t i = 0; i < INTEROP_UUID_SIZE; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            text[at++] = '-';
        text[at++] = digits[uuid[i] >> 4];
        text[at++] = digits[uuid[i] & 15];
    }
    text[at] = '\0';
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* Compares ASCII letters in any case, other bytes as they are, so a name that
 * is no valid UTF-8 does no harm. */
static bool starts_with(const char *text, const char *prefix)
{
    for (; *prefix; text++, prefix++) {
        if (lower(*text) != lower(*prefix))
            return false;
    }
    return true;
}

static bool contains(const char *text, const char *part)
{
    for (; *text; text++) {
        if (starts_with(text, part))
            return true;
    }
    return false;
}

static bool parse_uuid(const char *text, uint8_t *uuid)
{
    if (starts_with(text, "gpu-"))
        text += 4;
    size_t digits = 0;
    for (; *text; text++) {
        if (*text == '-')
            continue;
        const int c = lower(*text);
        int value = 0;
        if (c >= '0' && c <= '9')
            value = c - '0';
        else if (c >= 'a' && c <= 'f')
            value = c - 'a' + 10;
        else
            return false;
        if (digits == (size_t) 2 * INTEROP_UUID_SIZE)
            return false;
        uint8_t *byte = &uuid[digits / 2];
        *byte = (uint8_t) (digits % 2 ? (*byte << 4 | value) : value);
        digits++;
    }
    return digits == (size_t) 2 * INTEROP_UUID_SIZE;
}

static bool parse_index(const char *text, uint32_t *index)
{
    uint32_t value = 0;
    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        const uint32_t digit = (uint32_t) (*text - '0');
        value = value > (UINT32_MAX - digit) / 10 ? UINT32_MAX : value * 10 + digit;
    }
    *index = value;
    return true;
}

static bool choose_best(const struct vkb_device_info *list, uint32_t count, uint32_t *chosen,
                        struct error *error)
{
    uint32_t best = count;
    for (uint32_t i = 0; i < count; i++) {
        if (!list[i].unusable[0] &&
            (best == count || type_rank(list[i].type) < type_rank(list[best].type)))
            best = i;
    }
    if (best == count && count > 0)
        return error_set(error, ERROR_UNAVAILABLE,
                         "no usable Vulkan device: %s: %s; see --list-devices", list[0].name,
                         list[0].unusable);
    if (best == count)
        return error_set(error, ERROR_UNAVAILABLE,
                         "no Vulkan device: the driver offers none; install a Vulkan driver "
                         "(Debian: mesa-vulkan-drivers, or the one of your GPU)");
    *chosen = best;
    return true;
}

bool vkb_device_choose(const struct vkb_device_info *list, uint32_t count, const char *selector,
                       uint32_t *chosen, uint32_t *matches, struct error *error)
{
    *matches = 1;
    if (!selector)
        return choose_best(list, count, chosen, error);

    uint8_t uuid[INTEROP_UUID_SIZE] = {0};
    uint32_t index = 0;
    /* 32 digits are a UUID, never an index. */
    const bool is_uuid = parse_uuid(selector, uuid);
    const bool is_index = !is_uuid && parse_index(selector, &index);
    uint32_t found = count;
    *matches = 0;
    for (uint32_t i = count; i-- > 0;) {
        const bool fits = is_uuid    ? memcmp(list[i].uuid, uuid, sizeof uuid) == 0
                          : is_index ? list[i].index == index
                                     : *selector && contains(list[i].name, selector);
        if (fits) {
            found = i;
            ++*matches;
        }
    }
    if (found == count)
        return error_set(error, ERROR_UNAVAILABLE,
                         "--device %s: no Vulkan device has this %s; see --list-devices", selector,
                         is_uuid    ? "UUID"
                         : is_index ? "index"
                                    : "name");
    if (list[found].unusable[0])
        return error_set(error, ERROR_UNAVAILABLE,
                         "--device %s: %s cannot be used: %s; choose another, see --list-devices",
                         selector, list[found].name, list[found].unusable);
    *chosen = found;
    return true;
}

/* Says in info->unusable what this program needs and the device lacks. */
static void check_usable(struct vkb_device_info *info)
{
    if (info->api_version < VK_API_VERSION_1_3) {
        (void) snprintf(info->unusable, sizeof info->unusable,
                        "it has Vulkan %u.%u and 1.3 is needed (update its driver)",
                        VK_API_VERSION_MAJOR(info->api_version),
                        VK_API_VERSION_MINOR(info->api_version));
        return;
    }
    VkPhysicalDeviceVulkan13Features features13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    };
    VkPhysicalDeviceVulkan12Features features12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = &features13,
    };
    VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &features12,
    };
    vkGetPhysicalDeviceFeatures2(info->handle, &features);
    const char *missing = !features13.synchronization2    ? "synchronization2"
                          : !features13.dynamicRendering  ? "dynamicRendering"
                          : !features13.maintenance4      ? "maintenance4"
                          : !features12.timelineSemaphore ? "timelineSemaphore"
                                                          : NULL;
    if (missing) {
        (void) snprintf(info->unusable, sizeof info->unusable,
                        "it lacks the feature %s (update its driver)", missing);
        return;
    }
    VkQueueFamilyProperties families[32];
    uint32_t family_count = sizeof families / sizeof *families;
    vkGetPhysicalDeviceQueueFamilyProperties(info->handle, &family_count, families);
    const VkQueueFlags need = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    VkQueueFlags offered = 0;
    for (uint32_t i = 0; i < family_count; i++) {
        if ((families[i].queueFlags & need) == need)
            return;
        offered |= families[i].queueFlags;
    }
    struct error why = {0};
    if (!(offered & VK_QUEUE_COMPUTE_BIT))
        (void) snprintf(info->unusable, sizeof info->unusable,
                        "it has no queue for graphics and compute");
    else if (!vkb_device_compute_raster(info->handle, &why))
        (void) snprintf(info->unusable, sizeof info->unusable,
                        "it has no queue for graphics, and %.100s", why.text);
    else
        info->no_graphics = true;
}

static void fill_info(VkPhysicalDevice handle, uint32_t index, struct vkb_device_info *info)
{
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES,
    };
    VkPhysicalDeviceIDProperties id = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES,
        .pNext = &driver,
    };
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
        .pNext = &id,
    };
    vkGetPhysicalDeviceProperties2(handle, &properties);
    *info = (struct vkb_device_info){
        .handle = handle,
        .index = index,
        .type = properties.properties.deviceType,
        .vendor_id = properties.properties.vendorID,
        .driver_id = driver.driverID,
        .api_version = properties.properties.apiVersion,
        .group_size = 1,
    };
    (void) snprintf(info->name, sizeof info->name, "%s", properties.properties.deviceName);
    (void) snprintf(info->driver_name, sizeof info->driver_name, "%s", driver.driverName);
    (void) snprintf(info->driver_info, sizeof info->driver_info, "%s", driver.driverInfo);
    memcpy(info->uuid, id.deviceUUID, sizeof info->uuid);
    check_usable(info);
}

static bool fill_group_sizes(VkInstance instance, struct vkb_device_info *list, uint32_t count,
                             struct error *error)
{
    uint32_t group_count = 0;
    if (!VKB_OK(error, "list device groups",
                vkEnumeratePhysicalDeviceGroups(instance, &group_count, NULL)))
        return false;
    if (group_count == 0)
        return true;
    VkPhysicalDeviceGroupProperties *groups = calloc(group_count, sizeof *groups);
    if (!groups)
        return error_set(error, ERROR_RUNTIME,
                         "cannot list device groups: out of memory; free memory and run again");
    for (uint32_t i = 0; i < group_count; i++)
        groups[i].sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GROUP_PROPERTIES;
    const VkResult result = vkEnumeratePhysicalDeviceGroups(instance, &group_count, groups);
    const bool ok = result == VK_INCOMPLETE || vkb_check(result, error, "list device groups",
                                                         "vkEnumeratePhysicalDeviceGroups");
    for (uint32_t g = 0; ok && g < group_count; g++) {
        for (uint32_t d = 0; d < groups[g].physicalDeviceCount; d++) {
            for (uint32_t i = 0; i < count; i++) {
                if (list[i].handle == groups[g].physicalDevices[d])
                    list[i].group_size = groups[g].physicalDeviceCount;
            }
        }
    }
    free(groups);
    return ok;
}

bool vkb_devices_list(VkInstance instance, struct vkb_device_info **list, uint32_t *count,
                      struct error *error)
{
    *list = NULL;
    *count = 0;
    uint32_t total = 0;
    VkPhysicalDevice *handles = NULL;
    struct vkb_device_info *infos = NULL;
    VkResult result = vkEnumeratePhysicalDevices(instance, &total, NULL);
    /* The loader's word for drivers of which none has a device. */
    if (result == VK_ERROR_INITIALIZATION_FAILED) {
        result = VK_SUCCESS;
        total = 0;
    }
    if (!vkb_check(result, error, "list Vulkan devices", "vkEnumeratePhysicalDevices"))
        return false;
    if (total == 0)
        return error_set(error, ERROR_UNAVAILABLE,
                         "no Vulkan device: the driver offers none; install a Vulkan driver "
                         "(Debian: mesa-vulkan-drivers, or the one of your GPU)");
    handles = calloc(total, sizeof(VkPhysicalDevice));
    infos = calloc(total, sizeof *infos);
    if (!handles || !infos) {
        error_set(error, ERROR_RUNTIME,
                  "cannot list Vulkan devices: out of memory; free memory and run again");
        goto fail;
    }
    result = vkEnumeratePhysicalDevices(instance, &total, handles);
    if (result != VK_INCOMPLETE &&
        !vkb_check(result, error, "list Vulkan devices", "vkEnumeratePhysicalDevices"))
        goto fail;
    for (uint32_t i = 0; i < total; i++)
        fill_info(handles[i], i, &infos[i]);
    if (!fill_group_sizes(instance, infos, total, error))
        goto fail;
    free(handles);
    *list = infos;
    *count = total;
    return true;
fail:
    free(handles);
    free(infos);
    return false;
}
