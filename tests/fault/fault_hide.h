/* fault_hide.h: the part of fault_layer that changes what a driver says of its
 * devices, as the environment tells; fault_layer.c has the list.
 */
#ifndef TESTS_FAULT_HIDE_H
#define TESTS_FAULT_HIDE_H

#include <stdbool.h>

#include <vulkan/vulkan.h>

/* Whether the comma-separated list in environment variable `variable` has
 * `word`. */
bool fault_listed(const char *variable, const char *word);

bool fault_format_hidden(VkFormat format);

void fault_change_properties(VkPhysicalDeviceProperties *properties);
void fault_change_properties2(VkPhysicalDeviceProperties2 *properties);
void fault_change_features(VkPhysicalDeviceFeatures *features);
void fault_change_features2(VkPhysicalDeviceFeatures2 *features);
void fault_change_group(VkPhysicalDeviceGroupProperties *group);

/* After the driver has filled *count of `list`, which has room for `room`; where
 * NULL it only counted. */
void fault_change_queues(uint32_t *count, uint32_t room, VkQueueFamilyProperties *list);

/* The driver's queue family behind the one that the program means. */
uint32_t fault_family(uint32_t family);

#endif
