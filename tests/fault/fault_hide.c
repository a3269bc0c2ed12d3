#include "fault_hide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fault_listed(const char *variable, const char *word)
{
    const char *list = getenv(variable);
    const size_t length = strlen(word);
    while (list && *list) {
        const size_t part = strcspn(list, ",");
        if (part == length && strncmp(list, word, length) == 0)
            return true;
        list += part + (list[part] == ',');
    }
    return false;
}

bool fault_format_hidden(VkFormat format)
{
    char number[16];
    (void) snprintf(number, sizeof number, "%d", (int) format);
    return fault_listed("FAULT_FORMATS", number);
}

void fault_change_properties(VkPhysicalDeviceProperties *properties)
{
    const char *version = getenv("FAULT_API");
    const char *name = getenv("FAULT_NAME");
    if (version) {
        char *point = NULL;
        const uint32_t major = (uint32_t) strtoul(version, &point, 10);
        const uint32_t minor = *point ? (uint32_t) strtoul(point + 1, NULL, 10) : 0;
        properties->apiVersion = VK_MAKE_API_VERSION(0, major, minor, 0);
    }
    if (name)
        (void) snprintf(properties->deviceName, sizeof properties->deviceName, "%s", name);
}

void fault_change_properties2(VkPhysicalDeviceProperties2 *properties)
{
    fault_change_properties(&properties->properties);
    const char *most = getenv("FAULT_ALLOCATION");
    for (VkBaseOutStructure *next = properties->pNext; most && next; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES)
            ((VkPhysicalDeviceMaintenance3Properties *) (void *) next)->maxMemoryAllocationSize =
                strtoull(most, NULL, 10);
    }
}

void fault_change_features(VkPhysicalDeviceFeatures *features)
{
#define HIDE(structure, field)                                                                     \
    if (fault_listed("FAULT_FEATURES", #field))                                                    \
    (structure)->field = VK_FALSE
    HIDE(features, largePoints);
    HIDE(features, shaderInt64);
    HIDE(features, shaderStorageImageWriteWithoutFormat);
}

void fault_change_features2(VkPhysicalDeviceFeatures2 *features)
{
    fault_change_features(&features->features);
    for (VkBaseOutStructure *next = features->pNext; next; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) {
            VkPhysicalDeviceVulkan12Features *v12 = (void *) next;
            HIDE(v12, timelineSemaphore);
            HIDE(v12, shaderBufferInt64Atomics);
            HIDE(v12, hostQueryReset);
        } else if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES) {
            VkPhysicalDeviceVulkan13Features *v13 = (void *) next;
            HIDE(v13, synchronization2);
            HIDE(v13, dynamicRendering);
            HIDE(v13, maintenance4);
        }
    }
}

/* The added devices are all the first. */
void fault_change_group(VkPhysicalDeviceGroupProperties *group)
{
    const char *size = getenv("FAULT_GROUP");
    while (size && group->physicalDeviceCount < strtoul(size, NULL, 10) &&
           group->physicalDeviceCount < VK_MAX_DEVICE_GROUP_SIZE)
        group->physicalDevices[group->physicalDeviceCount++] = group->physicalDevices[0];
}

void fault_change_queues(uint32_t *count, uint32_t room, VkQueueFamilyProperties *list)
{
    const VkQueueFlags graphics = VK_QUEUE_GRAPHICS_BIT;
    for (uint32_t i = 0; list && fault_listed("FAULT_QUEUES", "1") && i < *count; i++)
        list[i].queueFlags &= ~graphics;
    if (!fault_listed("FAULT_QUEUES", "2") || (list && *count == room))
        return;
    if (list) {
        list[*count] = list[0];
        list[*count].queueFlags &= ~graphics;
    }
    ++*count;
}

uint32_t fault_family(uint32_t family)
{
    return fault_listed("FAULT_QUEUES", "2") ? 0 : family;
}
