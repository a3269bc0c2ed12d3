/* instance.h: the Vulkan instance, with the validation layer when asked for.
 *
 * Thread rule: create and destroy from one thread; the message function may be
 * called from any thread that is inside a Vulkan call.
 * Source: Vulkan 1.3 specification, "Instances", "Debugging".
 */
#ifndef VKBASE_INSTANCE_H
#define VKBASE_INSTANCE_H

#include <vulkan/vulkan.h>

#include "vkbase/error.h"

/* One message of the loader, a layer or the driver. The strings live for the
 * time of the call. */
struct vkb_message {
    bool is_error;   /* severity: error */
    bool is_warning; /* severity: warning */
    bool is_general; /* of no other type than GENERAL: the loader's and the like */
    const char *name;
    const char *text;
};

struct vkb_instance_params {
    const char *application_name;
    /* Instance extensions that the caller needs beyond those of this module. */
    const char *const *extensions;
    uint32_t extension_count;
    /* Khronos validation with synchronization checks. */
    bool validation;
    /* Gets messages of severity warning and above; required with validation,
     * else NULL where none are wanted. */
    void (*message)(void *user, const struct vkb_message *message);
    void *user;
};

struct vkb_instance {
    VkInstance handle;
    VkDebugUtilsMessengerEXT messenger;
    bool debug_utils; /* VK_EXT_debug_utils is enabled */
    void (*message)(void *user, const struct vkb_message *message);
    void *user;
};

/* A loader without Vulkan 1.3, no driver, or a missing layer or extension is
 * ERROR_UNAVAILABLE. On failure the instance is zeroed. With
 * messages the struct must not move: the messenger points at it. */
bool vkb_instance_create(const struct vkb_instance_params *params, struct vkb_instance *instance,
                         struct error *error);
/* Accepts a zeroed or half-made instance, and leaves a zeroed one. */
void vkb_instance_destroy(struct vkb_instance *instance);

#endif
