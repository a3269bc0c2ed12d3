#include "app/checksums.h"

#include <inttypes.h>

#include "app/checksum.h"

bool checksums_create(const struct vkb_device *device, VkDeviceSize size, uint32_t frames_in_flight,
                      uint64_t first_frame, struct checksums *checksums, struct error *error)
{
    *checksums = (struct checksums){.first_frame = first_frame};
    for (; checksums->count < frames_in_flight; checksums->count++) {
        if (!vkb_readback_create(device, size, "checksum buffer",
                                 &checksums->buffers[checksums->count], error)) {
            checksums_destroy(device, checksums);
            return false;
        }
    }
    return true;
}

void checksums_destroy(const struct vkb_device *device, struct checksums *checksums)
{
    for (uint32_t i = 0; i < checksums->count; i++)
        vkb_buffer_destroy(device, &checksums->buffers[i]);
    *checksums = (struct checksums){0};
}

const struct vkb_buffer *checksums_buffer(const struct checksums *checksums, uint64_t frame)
{
    return checksums->count ? &checksums->buffers[frame % checksums->count] : NULL;
}

void checksums_tell(struct checksums *checksums, uint64_t finished)
{
    for (; checksums->count && checksums->told < finished; checksums->told++) {
        const struct vkb_buffer *buffer = &checksums->buffers[checksums->told % checksums->count];
        (void) fprintf(stderr, "sinewave: frame %" PRIu64 " heights %016" PRIx64 "\n",
                       checksums->first_frame + checksums->told,
                       checksum(buffer->mapped, (size_t) buffer->size));
    }
}
