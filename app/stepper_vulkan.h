/* stepper_vulkan.h: how the Vulkan stepper divides its work; for benchmarks.
 *
 * Heights do not depend on it. Thread rule: as in stepper.h.
 */
#ifndef APP_STEPPER_VULKAN_H
#define APP_STEPPER_VULKAN_H

#include "app/stepper.h"

struct stepper_vulkan_tuning {
    /* Invocations of a workgroup, along a row and down the rows. Buffers of fewer
     * than 4 columns have one invocation per vertex: height and rows are 1. */
    uint32_t width, height;
    uint32_t rows; /* that an invocation fills: 1 to 4 */
};

/* What is used where nothing else is asked for. Pure. */
struct stepper_vulkan_tuning stepper_vulkan_tuning(const VkPhysicalDeviceLimits *limits,
                                                   const struct ring *ring);

/* The workgroups, along x and y, that cover a height map of the ring. More or
 * larger ones than the limits allow are ERROR_UNAVAILABLE. Pure. */
bool stepper_vulkan_groups(const VkPhysicalDeviceLimits *limits, const struct ring *ring,
                           const struct stepper_vulkan_tuning *tuning, uint32_t groups[2],
                           struct error *error);

/* As stepper_vulkan_create, with stepper_vulkan_groups' errors. */
bool stepper_vulkan_create_tuned(const struct stepper_params *params,
                                 const struct stepper_vulkan_tuning *tuning,
                                 struct stepper **stepper, struct error *error);

#endif
