/* capture.h: reads every frame back and hands it to the sequence.
 *
 * The copy is recorded behind the drawing of a frame; the host takes it once
 * the frame is finished, frames in flight later. Thread rule: main thread.
 */
#ifndef APP_CAPTURE_H
#define APP_CAPTURE_H

#include "app/progress.h"
#include "app/sequence.h"
#include "vkbase/readback.h"
#include "vkbase/target.h"

struct capture {
    struct sequence *sequence; /* NULL: nothing is captured */
    struct vkb_buffer buffers[VKB_FRAMES_MAX];
    uint32_t count; /* of buffers: frames in flight */
    size_t frame_bytes;
    uint64_t first_frame; /* absolute index of the run's first frame */
    uint64_t taken;       /* frames of the run that were handed over */
};

struct capture_params {
    const struct vkb_device *device;
    const struct vkb_target *target; /* offscreen */
    uint32_t frames_in_flight;
    const char *output; /* a pattern, or "-" */
    double time_step;   /* seconds */
    uint64_t first_frame;
};

bool capture_create(const struct capture_params *params, struct capture *capture,
                    struct error *error);

/* Records the copy of a target image that was just drawn, for frame `frame` of
 * the run. Does nothing without a sequence. */
void capture_record(const struct capture *capture, VkCommandBuffer commands,
                    const struct vkb_target *target, uint32_t image, uint64_t frame);

/* Hands over all frames below `finished`, which the device must have done. */
bool capture_take(struct capture *capture, uint64_t finished, struct error *error);

/* Waits until all that was handed over is written. */
bool capture_finish(struct capture *capture, struct error *error);

/* Before the process leaves without destroying anything: waits for that, but
 * for `seconds` at most. */
void capture_settle(struct capture *capture, int seconds);
void capture_destroy(const struct vkb_device *device, struct capture *capture);

#endif
