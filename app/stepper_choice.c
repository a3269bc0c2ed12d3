#include "app/stepper_choice.h"

#include "app/messages.h"

/* Why CUDA cannot step on this device, as a clause. */
static bool cuda_possible(const struct options *options, const struct stepper_facts *facts,
                          struct error *why)
{
    const bool image = options->heightmap == HEIGHTMAP_IMAGE;
    if (facts->group_size != 1)
        return error_set(why, ERROR_UNAVAILABLE,
                         "the Vulkan device belongs to a group of %u devices, which CUDA cannot "
                         "share",
                         facts->group_size);
    if (facts->cuda != CUDA_DEVICE_FOUND)
        return error_set(why, ERROR_UNAVAILABLE, "%s", facts->cuda_why.text);
    if (!facts->memory_fd || !facts->slots.exportable)
        return error_set(why, ERROR_UNAVAILABLE,
                         "the Vulkan device cannot export %s as a file descriptor",
                         facts->memory_fd && image ? "an image's memory" : "memory");
    if (!facts->semaphore_fd || (!facts->exports_semaphore[INTEROP_SEMAPHORE_TIMELINE] &&
                                 !facts->exports_semaphore[INTEROP_SEMAPHORE_BINARY]))
        return error_set(why, ERROR_UNAVAILABLE,
                         "the Vulkan device cannot export semaphores as file descriptors");
    if (options->memory == MEMORY_SUBALLOCATED && facts->slots.dedicated_only)
        return error_set(why, ERROR_UNAVAILABLE,
                         "--memory suballocated: the Vulkan device exports %s in dedicated "
                         "allocations only",
                         image ? "images" : "buffers");
    return true;
}

static void find_lacking(const struct stepper_facts *facts, struct stepper_choice *choice)
{
    if (!facts->cuda_device.timeline_semaphores)
        choice->lacking[INTEROP_SEMAPHORE_TIMELINE] =
            "CUDA cannot import timeline semaphores on this device";
    else if (!facts->exports_semaphore[INTEROP_SEMAPHORE_TIMELINE])
        choice->lacking[INTEROP_SEMAPHORE_TIMELINE] =
            "the Vulkan device cannot export timeline semaphores";
    if (!facts->exports_semaphore[INTEROP_SEMAPHORE_BINARY])
        choice->lacking[INTEROP_SEMAPHORE_BINARY] =
            "the Vulkan device cannot export binary semaphores";
}

/* The type asked for, or the other one where it was only the default. */
static bool decide_semaphore(const struct options *options, struct stepper_choice *choice,
                             struct stepper_notes *notes, struct error *error)
{
    const enum interop_semaphore_type wish = options->semaphore;
    const enum interop_semaphore_type other =
        wish == INTEROP_SEMAPHORE_TIMELINE ? INTEROP_SEMAPHORE_BINARY : INTEROP_SEMAPHORE_TIMELINE;
    const char *lacking = choice->lacking[wish];
    if (!lacking)
        return true;
    if (options->semaphore_given || choice->lacking[other])
        return error_set(error, ERROR_UNAVAILABLE, "--semaphore %s: %s; use %s%s--compute vulkan",
                         vkb_semaphore_type_name(wish), lacking,
                         choice->lacking[other]                ? ""
                         : other == INTEROP_SEMAPHORE_TIMELINE ? "--semaphore timeline"
                                                               : "--semaphore binary",
                         choice->lacking[other] ? "" : " or ");
    choice->semaphore = other;
    (void) snprintf(notes->semaphore, sizeof notes->semaphore, "%s semaphores instead of %s: %s",
                    vkb_semaphore_type_name(other), vkb_semaphore_type_name(wish), lacking);
    return true;
}

bool stepper_decide(const struct options *options, const struct stepper_facts *facts,
                    struct stepper_choice *choice, struct stepper_notes *notes, struct error *error)
{
    struct error why = {0};
    *choice = (struct stepper_choice){.semaphore = options->semaphore};
    *notes = (struct stepper_notes){0};
    if (!cuda_possible(options, facts, &why)) {
        if (options->compute == COMPUTE_CUDA)
            return error_set(error, ERROR_UNAVAILABLE,
                             "--compute cuda: %s; use --compute vulkan or another --device",
                             why.text);
        (void) snprintf(notes->stepper, sizeof notes->stepper, "stepping with Vulkan: %s",
                        why.text);
        return true;
    }
    find_lacking(facts, choice);
    if (!decide_semaphore(options, choice, notes, error))
        return false;
    choice->cuda = true;
    if (options->compute == COMPUTE_AUTO)
        (void) snprintf(notes->stepper, sizeof notes->stepper,
                        "stepping with CUDA: device %d, %s, has this UUID",
                        facts->cuda_device.ordinal, facts->cuda_device.name);
    return true;
}

/* Nothing is made; a device that cannot be asked answers no. */
static void gather(const struct options *options, const struct vkb_device_info *info,
                   struct stepper_facts *facts)
{
    struct error quiet = {0};
    *facts = (struct stepper_facts){.group_size = info->group_size};
    facts->cuda = cuda_device_find(info->uuid, &facts->cuda_device, &facts->cuda_why);
    facts->memory_fd =
        vkb_device_has_extension(info->handle, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME, &quiet);
    facts->semaphore_fd =
        vkb_device_has_extension(info->handle, VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME, &quiet);
    facts->slots = ring_export_support(info->handle, options->heightmap == HEIGHTMAP_IMAGE);
    for (int type = 0; type < 2; type++)
        facts->exports_semaphore[type] =
            vkb_semaphore_exportable(info->handle, (enum interop_semaphore_type) type);
}

bool stepper_choose(const struct options *options, const struct vkb_device_info *info,
                    struct stepper_choice *choice, struct error *error)
{
    struct stepper_facts facts;
    struct stepper_notes notes;
    *choice = (struct stepper_choice){.semaphore = options->semaphore};
    if (options->compute == COMPUTE_VULKAN)
        return true;
    gather(options, info, &facts);
    if (!stepper_decide(options, &facts, choice, &notes, error))
        return false;
    if (notes.semaphore[0])
        message_note("%s", notes.semaphore);
    if (notes.stepper[0])
        message_note("%s", notes.stepper);
    return true;
}
