/* result.h: VkResult as a name, as a kind of error, as advice.
 *
 * Thread rule: pure functions, any thread.
 */
#ifndef VKBASE_RESULT_H
#define VKBASE_RESULT_H

#include <vulkan/vulkan.h>

#include "vkbase/error.h"

/* "VK_ERROR_DEVICE_LOST"; "VkResult <number>" is never returned: an unknown
 * code gives "an unknown VkResult". Static storage. */
const char *vkb_result_name(VkResult result);

/* ERROR_UNAVAILABLE for what the machine lacks, ERROR_RUNTIME for the rest. */
enum error_kind vkb_result_kind(VkResult result);

/* Fills `error` as "cannot <doing>: <call> returned <name>; <advice>" and
 * returns false unless `result` is VK_SUCCESS. `call` may be the text of the
 * whole call: only its name is shown. */
bool vkb_check(VkResult result, struct error *error, const char *doing, const char *call);

/* VKB_OK(error, "create the device", vkCreateDevice(...)): true on success. */
#define VKB_OK(error, doing, call) vkb_check((call), (error), (doing), #call)

/* The same for an object with a name: "cannot create the <name>: ...". */
bool vkb_check_made(VkResult result, struct error *error, const char *name, const char *call);
#define VKB_MADE(error, name, call) vkb_check_made((call), (error), (name), #call)

#endif
