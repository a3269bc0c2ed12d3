#include "vkbase/result.h"

#include <string.h>

#define RESULTS(X)                                                                                 \
    X(VK_SUCCESS)                                                                                  \
    X(VK_NOT_READY)                                                                                \
    X(VK_TIMEOUT)                                                                                  \
    X(VK_EVENT_SET)                                                                                \
    X(VK_EVENT_RESET)                                                                              \
    X(VK_INCOMPLETE)                                                                               \
    X(VK_SUBOPTIMAL_KHR)                                                                           \
    X(VK_ERROR_OUT_OF_HOST_MEMORY)                                                                 \
    X(VK_ERROR_OUT_OF_DEVICE_MEMORY)                                                               \
    X(VK_ERROR_INITIALIZATION_FAILED)                                                              \
    X(VK_ERROR_DEVICE_LOST)                                                                        \
    X(VK_ERROR_MEMORY_MAP_FAILED)                                                                  \
    X(VK_ERROR_LAYER_NOT_PRESENT)                                                                  \
    X(VK_ERROR_EXTENSION_NOT_PRESENT)                                                              \
    X(VK_ERROR_FEATURE_NOT_PRESENT)                                                                \
    X(VK_ERROR_INCOMPATIBLE_DRIVER)                                                                \
    X(VK_ERROR_TOO_MANY_OBJECTS)                                                                   \
    X(VK_ERROR_FORMAT_NOT_SUPPORTED)                                                               \
    X(VK_ERROR_FRAGMENTED_POOL)                                                                    \
    X(VK_ERROR_UNKNOWN)                                                                            \
    X(VK_ERROR_OUT_OF_POOL_MEMORY)                                                                 \
    X(VK_ERROR_INVALID_EXTERNAL_HANDLE)                                                            \
    X(VK_ERROR_FRAGMENTATION)                                                                      \
    X(VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS)                                                     \
    X(VK_ERROR_SURFACE_LOST_KHR)                                                                   \
    X(VK_ERROR_NATIVE_WINDOW_IN_USE_KHR)                                                           \
    X(VK_ERROR_OUT_OF_DATE_KHR)                                                                    \
    X(VK_ERROR_NOT_PERMITTED_KHR)                                                                  \
    X(VK_ERROR_VALIDATION_FAILED_EXT)                                                              \
    X(VK_ERROR_INVALID_SHADER_NV)

const char *vkb_result_name(VkResult result)
{
#define NAME(code)                                                                                 \
    case code:                                                                                     \
        return #code;
    switch (result) {
        RESULTS(NAME)
    default:
        return "an unknown VkResult";
    }
#undef NAME
}

enum error_kind vkb_result_kind(VkResult result)
{
    switch (result) {
    case VK_ERROR_INITIALIZATION_FAILED:
    case VK_ERROR_LAYER_NOT_PRESENT:
    case VK_ERROR_EXTENSION_NOT_PRESENT:
    case VK_ERROR_FEATURE_NOT_PRESENT:
    case VK_ERROR_INCOMPATIBLE_DRIVER:
    case VK_ERROR_FORMAT_NOT_SUPPORTED:
    case VK_ERROR_NATIVE_WINDOW_IN_USE_KHR:
        return ERROR_UNAVAILABLE;
    default:
        return ERROR_RUNTIME;
    }
}

static const char *advice(VkResult result)
{
    switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return "free memory, or take a smaller --grid or --size";
    case VK_ERROR_TOO_MANY_OBJECTS:
        return "allow more open files (ulimit -n), or take a smaller --batch";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_FRAGMENTED_POOL:
    case VK_ERROR_FRAGMENTATION:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
        return "free memory on the device, or take a smaller --grid or --size";
    case VK_ERROR_DEVICE_LOST:
        return "see the kernel log for what reset the device, then run again";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
        return "install a Vulkan driver (Debian: mesa-vulkan-drivers, or the one of your GPU)";
    case VK_ERROR_LAYER_NOT_PRESENT:
        return "install the layer (Debian: vulkan-validationlayers)";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
    case VK_ERROR_FEATURE_NOT_PRESENT:
    case VK_ERROR_FORMAT_NOT_SUPPORTED:
        return "update the driver or choose another --device";
    case VK_ERROR_SURFACE_LOST_KHR:
        return "the display or the window has gone; start again, or use --headless";
    default:
        return "see --verbose and --validation for details";
    }
}

bool vkb_check(VkResult result, struct error *error, const char *doing, const char *call)
{
    if (result == VK_SUCCESS)
        return true;
    return error_set(error, vkb_result_kind(result), "cannot %s: %.*s returned %s; %s", doing,
                     (int) strcspn(call, "( "), call, vkb_result_name(result), advice(result));
}

bool vkb_check_made(VkResult result, struct error *error, const char *name, const char *call)
{
    if (result == VK_SUCCESS)
        return true;
    char doing[96];
    (void) snprintf(doing, sizeof doing, "create the %s", name);
    return vkb_check(result, error, doing, call);
}
