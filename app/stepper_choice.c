#include "app/messages.h"
#include "app/stepper.h"
#include "kernels/cuda_device.h"

/* Why CUDA cannot step on this device, as a clause. */
static bool cuda_possible(const struct vkb_device_info *info, struct cuda_device *cuda,
                          struct error *why)
{
    struct error quiet = {0};
    if (info->group_size != 1)
        return error_set(why, ERROR_UNAVAILABLE,
                         "the Vulkan device belongs to a group of %u devices, which CUDA cannot "
                         "share",
                         info->group_size);
    if (cuda_device_find(info->uuid, cuda, why) != CUDA_DEVICE_FOUND)
        return false;
    if (!vkb_device_has_extension(info->handle, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME, &quiet) ||
        !ring_export_support(info->handle, false).exportable)
        return error_set(why, ERROR_UNAVAILABLE,
                         "the Vulkan device cannot export memory as a file descriptor");
    if (!vkb_device_has_extension(info->handle, VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME,
                                  &quiet) ||
        !vkb_semaphore_exportable(info->handle, INTEROP_SEMAPHORE_BINARY))
        return error_set(why, ERROR_UNAVAILABLE,
                         "the Vulkan device cannot export semaphores as file descriptors");
    return true;
}

bool stepper_choose(const struct options *options, const struct vkb_device_info *info,
                    struct stepper_choice *choice, struct error *error)
{
    *choice = (struct stepper_choice){.semaphore = options->semaphore};
    if (options->compute == COMPUTE_VULKAN)
        return true;

    struct cuda_device cuda = {0};
    struct error why = {0};
    choice->cuda = cuda_possible(info, &cuda, &why);
    if (!choice->cuda) {
        if (options->compute == COMPUTE_CUDA)
            return error_set(error, ERROR_UNAVAILABLE,
                             "--compute cuda: %s; use --compute vulkan or another --device",
                             why.text);
        message_note("stepping with Vulkan: %s", why.text);
        return true;
    }

    const char *lacking = !cuda.timeline_semaphores
                              ? "CUDA cannot import timeline semaphores on this device"
                          : !vkb_semaphore_exportable(info->handle, INTEROP_SEMAPHORE_TIMELINE)
                              ? "the Vulkan device cannot export timeline semaphores"
                              : NULL;
    choice->no_timeline = lacking;
    if (lacking && options->semaphore == INTEROP_SEMAPHORE_TIMELINE) {
        if (options->semaphore_given)
            return error_set(error, ERROR_UNAVAILABLE,
                             "--semaphore timeline: %s; use --semaphore binary or --compute vulkan",
                             lacking);
        message_note("binary semaphores instead of timeline: %s", lacking);
        choice->semaphore = INTEROP_SEMAPHORE_BINARY;
    }
    if (options->compute == COMPUTE_AUTO)
        message_note("stepping with CUDA: device %d, %s, has this UUID", cuda.ordinal, cuda.name);
    return true;
}
