#include "vkbase/semaphore.h"

#include <fcntl.h>

#include "vkbase/result.h"

static const VkExternalSemaphoreHandleTypeFlagBits export_type =
    VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;

static VkSemaphoreTypeCreateInfo type_info(enum interop_semaphore_type type)
{
    return (VkSemaphoreTypeCreateInfo){
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = type == INTEROP_SEMAPHORE_TIMELINE ? VK_SEMAPHORE_TYPE_TIMELINE
                                                            : VK_SEMAPHORE_TYPE_BINARY,
    };
}

const char *vkb_semaphore_type_name(enum interop_semaphore_type type)
{
    return type == INTEROP_SEMAPHORE_TIMELINE ? "timeline" : "binary";
}

bool vkb_semaphore_exportable(VkPhysicalDevice physical, enum interop_semaphore_type type)
{
    const VkSemaphoreTypeCreateInfo type_chain = type_info(type);
    const VkPhysicalDeviceExternalSemaphoreInfo info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO,
        .pNext = &type_chain,
        .handleType = export_type,
    };
    VkExternalSemaphoreProperties properties = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES,
    };
    vkGetPhysicalDeviceExternalSemaphoreProperties(physical, &info, &properties);
    return (properties.externalSemaphoreFeatures & VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT) !=
           0;
}

bool vkb_semaphore_create(const struct vkb_device *device, enum interop_semaphore_type type,
                          bool exportable, const char *name, struct vkb_semaphore *semaphore,
                          struct error *error)
{
    *semaphore = (struct vkb_semaphore){.type = type};
    (void) snprintf(semaphore->name, sizeof semaphore->name, "%s", name);
    VkSemaphoreTypeCreateInfo type_chain = type_info(type);
    const VkExportSemaphoreCreateInfo export_info = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
        .pNext = &type_chain,
        .handleTypes = export_type,
    };
    const VkSemaphoreCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
        .pNext = exportable ? (const void *) &export_info : (const void *) &type_chain,
    };
    if (!VKB_OK(error, "create a semaphore",
                vkCreateSemaphore(device->handle, &info, NULL, &semaphore->handle))) {
        *semaphore = (struct vkb_semaphore){0};
        return false;
    }
    vkb_name(device, VK_OBJECT_TYPE_SEMAPHORE, VKB_HANDLE(semaphore->handle), "%s",
             semaphore->name);
    return true;
}

void vkb_semaphore_destroy(const struct vkb_device *device, struct vkb_semaphore *semaphore)
{
    if (semaphore->handle)
        vkDestroySemaphore(device->handle, semaphore->handle, NULL);
    *semaphore = (struct vkb_semaphore){0};
}

bool vkb_semaphore_export(const struct vkb_device *device, const struct vkb_semaphore *semaphore,
                          struct interop_semaphore *exported, struct error *error)
{
    *exported = (struct interop_semaphore){.handle.fd = -1, .type = semaphore->type};
    if (!device->get_semaphore_fd)
        return error_set(error, ERROR_UNAVAILABLE,
                         "cannot export a semaphore: the device was not opened for it; report "
                         "this");
    const VkSemaphoreGetFdInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
        .semaphore = semaphore->handle,
        .handleType = export_type,
    };
    int fd = -1;
    if (!vkb_check(device->get_semaphore_fd(device->handle, &info, &fd), error,
                   "export a semaphore", "vkGetSemaphoreFdKHR"))
        return false;
    (void) fcntl(fd, F_SETFD, FD_CLOEXEC);
    exported->handle = (struct interop_handle){.type = INTEROP_HANDLE_OPAQUE_FD, .fd = fd};
    return true;
}

bool vkb_timeline_wait(const struct vkb_device *device, const struct vkb_semaphore *timeline,
                       uint64_t value, uint64_t timeout_ns, bool *reached, struct error *error)
{
    const VkSemaphoreWaitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .semaphoreCount = 1,
        .pSemaphores = &timeline->handle,
        .pValues = &value,
    };
    const VkResult result = vkWaitSemaphores(device->handle, &info, timeout_ns);
    *reached = result == VK_SUCCESS;
    return result == VK_TIMEOUT ||
           vkb_check(result, error, "wait for a semaphore", "vkWaitSemaphores");
}

bool vkb_timeline_value(const struct vkb_device *device, const struct vkb_semaphore *timeline,
                        uint64_t *value, struct error *error)
{
    return VKB_OK(error, "read a semaphore's counter",
                  vkGetSemaphoreCounterValue(device->handle, timeline->handle, value));
}

bool vkb_timeline_signal(const struct vkb_device *device, const struct vkb_semaphore *timeline,
                         uint64_t value, struct error *error)
{
    const VkSemaphoreSignalInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
        .semaphore = timeline->handle,
        .value = value,
    };
    return VKB_OK(error, "signal a semaphore", vkSignalSemaphore(device->handle, &info));
}
