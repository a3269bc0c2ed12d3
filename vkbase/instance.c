#include "vkbase/instance.h"

#include <stdlib.h>
#include <string.h>

#include "vkbase/result.h"

#define VALIDATION_LAYER "VK_LAYER_KHRONOS_validation"

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT types,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data,
                                                 void *user)
{
    const struct vkb_instance *instance = user;
    const struct vkb_message message = {
        .is_error = (severity & VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT) != 0,
        .is_warning = (severity & VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT) != 0,
        .is_general = types == VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
        .name = data->pMessageIdName ? data->pMessageIdName : "unnamed",
        .text = data->pMessage ? data->pMessage : "",
    };
    instance->message(instance->user, &message);
    return VK_FALSE; /* anything else aborts the call that is being checked */
}

static bool extension_listed(const VkExtensionProperties *list, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(list[i].extensionName, name) == 0)
            return true;
    }
    return false;
}

/* VK_INCOMPLETE (the list grew between the two calls) is no failure here: what
 * was listed the first time is enough. */
static bool has_extension(const char *layer, const char *name, bool *has, struct error *error)
{
    uint32_t count = 0;
    *has = false;
    if (!VKB_OK(error, "list instance extensions",
                vkEnumerateInstanceExtensionProperties(layer, &count, NULL)))
        return false;
    if (count == 0)
        return true;
    VkExtensionProperties *list = calloc(count, sizeof *list);
    if (!list)
        return error_set(error, ERROR_RUNTIME,
                         "cannot list instance extensions: out of memory; "
                         "free memory and run again");
    const VkResult result = vkEnumerateInstanceExtensionProperties(layer, &count, list);
    const bool ok = result == VK_INCOMPLETE || vkb_check(result, error, "list instance extensions",
                                                         "vkEnumerateInstanceExtensionProperties");
    if (ok)
        *has = extension_listed(list, count, name);
    free(list);
    return ok;
}

static bool has_layer(const char *name, bool *has, struct error *error)
{
    uint32_t count = 0;
    *has = false;
    if (!VKB_OK(error, "list layers", vkEnumerateInstanceLayerProperties(&count, NULL)))
        return false;
    if (count == 0)
        return true;
    VkLayerProperties *list = calloc(count, sizeof *list);
    if (!list)
        return error_set(error, ERROR_RUNTIME,
                         "cannot list layers: out of memory; free memory and run again");
    const VkResult result = vkEnumerateInstanceLayerProperties(&count, list);
    const bool ok = result == VK_INCOMPLETE ||
                    vkb_check(result, error, "list layers", "vkEnumerateInstanceLayerProperties");
    for (uint32_t i = 0; ok && i < count; i++)
        *has = *has || strcmp(list[i].layerName, name) == 0;
    free(list);
    return ok;
}

static bool check_validation_layer(struct error *error)
{
    bool has = false;
    if (!has_layer(VALIDATION_LAYER, &has, error))
        return false;
    if (!has)
        return error_set(error, ERROR_UNAVAILABLE,
                         "--validation: the layer %s is not installed or not on VK_LAYER_PATH; "
                         "install it (Debian: vulkan-validationlayers)",
                         VALIDATION_LAYER);
    if (!has_extension(VALIDATION_LAYER, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME, &has, error))
        return false;
    if (!has)
        return error_set(error, ERROR_UNAVAILABLE,
                         "--validation: the layer %s cannot check synchronization (it lacks "
                         "%s); install a current one (Debian: vulkan-validationlayers)",
                         VALIDATION_LAYER, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
    return true;
}

static bool create_messenger(const VkDebugUtilsMessengerCreateInfoEXT *info,
                             struct vkb_instance *instance, struct error *error)
{
    const PFN_vkCreateDebugUtilsMessengerEXT create =
        (PFN_vkCreateDebugUtilsMessengerEXT) (void (*)(void)) vkGetInstanceProcAddr(
            instance->handle, "vkCreateDebugUtilsMessengerEXT");
    if (!create)
        return error_set(error, ERROR_UNAVAILABLE,
                         "cannot receive debug messages: vkCreateDebugUtilsMessengerEXT is "
                         "missing; update the Vulkan loader (Debian: libvulkan1)");
    return vkb_check(create(instance->handle, info, NULL, &instance->messenger), error,
                     "receive debug messages", "vkCreateDebugUtilsMessengerEXT");
}

bool vkb_instance_create(const struct vkb_instance_params *params, struct vkb_instance *instance,
                         struct error *error)
{
    *instance = (struct vkb_instance){0};

    uint32_t version = 0;
    if (!VKB_OK(error, "ask the Vulkan loader for its version",
                vkEnumerateInstanceVersion(&version)))
        return false;
    if (version < VK_API_VERSION_1_3)
        return error_set(error, ERROR_UNAVAILABLE,
                         "cannot start Vulkan: the Vulkan loader is of version %u.%u and 1.3 "
                         "is needed; update it (Debian: libvulkan1)",
                         VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version));
    if (params->validation && !check_validation_layer(error))
        return false;

    bool debug_utils = false;
    if (!has_extension(NULL, VK_EXT_DEBUG_UTILS_EXTENSION_NAME, &debug_utils, error))
        return false;
    if (!debug_utils && params->validation &&
        !has_extension(VALIDATION_LAYER, VK_EXT_DEBUG_UTILS_EXTENSION_NAME, &debug_utils, error))
        return false;
    if (!debug_utils && params->validation)
        return error_set(error, ERROR_UNAVAILABLE,
                         "--validation: messages cannot be received without %s; update the "
                         "Vulkan loader (Debian: libvulkan1)",
                         VK_EXT_DEBUG_UTILS_EXTENSION_NAME);

    const char *names[16];
    uint32_t name_count = 0;
    if (params->extension_count > sizeof names / sizeof *names - 2)
        return error_set(error, ERROR_UNAVAILABLE,
                         "cannot start Vulkan: the window system asks for %u extensions and "
                         "at most %zu are expected; use --headless",
                         params->extension_count, sizeof names / sizeof *names - 2);
    for (uint32_t i = 0; i < params->extension_count; i++)
        names[name_count++] = params->extensions[i];
    if (debug_utils)
        names[name_count++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    if (params->validation)
        names[name_count++] = VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME;

    instance->message = params->message;
    instance->user = params->user;
    const bool messages = debug_utils && params->message;
    VkDebugUtilsMessengerCreateInfoEXT messenger_info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = instance,
    };
    const VkValidationFeatureEnableEXT enabled[] = {
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT,
    };
    const VkValidationFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
        .pNext = messages ? &messenger_info : NULL, /* covers create and destroy of the instance */
        .enabledValidationFeatureCount = 1,
        .pEnabledValidationFeatures = enabled,
    };
    const char *const layers[] = {VALIDATION_LAYER};
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = params->application_name,
        .apiVersion = VK_API_VERSION_1_3,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = params->validation ? (const void *) &features
                 : messages         ? (const void *) &messenger_info
                                    : NULL,
        .pApplicationInfo = &application,
        .enabledLayerCount = params->validation ? 1 : 0,
        .ppEnabledLayerNames = layers,
        .enabledExtensionCount = name_count,
        .ppEnabledExtensionNames = names,
    };
    if (!VKB_OK(error, "start Vulkan", vkCreateInstance(&info, NULL, &instance->handle))) {
        *instance = (struct vkb_instance){0};
        return false;
    }
    instance->debug_utils = debug_utils;
    if (messages && !create_messenger(&messenger_info, instance, error)) {
        vkb_instance_destroy(instance);
        return false;
    }
    return true;
}

void vkb_instance_destroy(struct vkb_instance *instance)
{
    if (instance->messenger) {
        const PFN_vkDestroyDebugUtilsMessengerEXT destroy =
            (PFN_vkDestroyDebugUtilsMessengerEXT) (void (*)(void)) vkGetInstanceProcAddr(
                instance->handle, "vkDestroyDebugUtilsMessengerEXT");
        if (destroy)
            destroy(instance->handle, instance->messenger, NULL);
    }
    if (instance->handle)
        vkDestroyInstance(instance->handle, NULL);
    *instance = (struct vkb_instance){0};
}
