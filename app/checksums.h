/* checksums.h: a line for each frame's heights as they were drawn; for tests.
 *
 * The copy belongs to the frame's own submission, behind the drawing and before
 * the slot is given back: it sees what the renderer saw, so that a handoff that
 * does not wait shows. Lines go to standard error:
 *
 *     sinewave: frame 12 heights 4b1f3d0c6a58e2f7
 *
 * with the absolute frame index and the FNV-1a 64 of the height map's bytes.
 * Thread rule: main thread.
 */
#ifndef APP_CHECKSUMS_H
#define APP_CHECKSUMS_H

#include <stddef.h>

#include "vkbase/readback.h"
#include "vkbase/target.h"

struct checksums {
    struct vkb_buffer buffers[VKB_FRAMES_MAX];
    uint32_t count;       /* of buffers: frames in flight; 0: no checksums */
    uint64_t first_frame; /* absolute index of the run's first frame */
    uint64_t told;        /* frames of the run whose line is out */
};

/* For height maps of `size` bytes. */
bool checksums_create(const struct vkb_device *device, VkDeviceSize size, uint32_t frames_in_flight,
                      uint64_t first_frame, struct checksums *checksums, struct error *error);
void checksums_destroy(const struct vkb_device *device, struct checksums *checksums);

/* What renderer_record copies frame `frame` of the run into; NULL without
 * checksums. */
const struct vkb_buffer *checksums_buffer(const struct checksums *checksums, uint64_t frame);

/* Prints the lines of all frames below `finished`, which the device must have
 * done. */
void checksums_tell(struct checksums *checksums, uint64_t finished);

#endif
