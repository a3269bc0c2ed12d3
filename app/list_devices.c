#include "app/list_devices.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "app/messages.h"
#include "kernels/cuda_device.h"
#include "vkbase/device_choice.h"
#include "vkbase/instance.h"

/* Names come from drivers and need not be clean text. */
static void print_clean(const char *text)
{
    for (; *text; text++)
        (void) putchar((unsigned char) *text < ' ' || *text == 127 ? '?' : *text);
}

static void print_device(const struct vkb_device_info *info)
{
    char uuid[VKB_UUID_TEXT_SIZE];
    struct cuda_device cuda = {0};
    struct error why = {0};
    vkb_uuid_text(info->uuid, uuid);
    (void) printf("%u: ", info->index);
    print_clean(info->name);
    (void) printf("\n   UUID:    %s\n   type:    %s\n   driver:  ", uuid,
                  vkb_device_type_name(info->type));
    print_clean(info->driver_name);
    (void) putchar(' ');
    print_clean(info->driver_info);
    (void) printf("\n   Vulkan:  %u.%u.%u\n   group:   %u device%s\n",
                  VK_API_VERSION_MAJOR(info->api_version), VK_API_VERSION_MINOR(info->api_version),
                  VK_API_VERSION_PATCH(info->api_version), info->group_size,
                  info->group_size == 1 ? "" : "s");
    if (cuda_device_find(info->uuid, &cuda, &why) == CUDA_DEVICE_FOUND) {
        (void) printf("   CUDA:    device %d, ", cuda.ordinal);
        print_clean(cuda.name);
        (void) printf("%s\n", info->group_size == 1 ? "" : " (not used: the group is shared)");
    } else {
        (void) printf("   CUDA:    none: %s\n", why.text);
    }
    if (info->no_graphics)
        (void) printf("   only:    --headless --renderer compute (no queue for graphics)\n");
    if (info->unusable[0])
        (void) printf("   unusable: %s\n", info->unusable);
}

bool list_devices(const struct options *options, struct error *error)
{
    struct vkb_instance instance = {0};
    struct vkb_device_info *list = NULL;
    uint32_t count = 0;
    const struct vkb_instance_params params = {
        .application_name = "sinewave",
        .validation = options->validation,
        .message = options->validation || options->verbose ? messages_from_vulkan : NULL,
    };
    if (!vkb_instance_create(&params, &instance, error))
        return false;
    bool ok = vkb_devices_list(instance.handle, &list, &count, error);
    for (uint32_t i = 0; i < count; i++)
        print_device(&list[i]);
    if (ok && (fflush(stdout) != 0 || ferror(stdout)))
        ok = error_set(error, ERROR_RUNTIME,
                       "cannot write the list of devices: %s; look at where "
                       "standard output goes",
                       strerror(errno));
    free(list);
    vkb_instance_destroy(&instance);
    return ok;
}
