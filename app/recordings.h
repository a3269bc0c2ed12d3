/* recordings.h: drawing commands recorded once for each slot and image.
 *
 * As long as nothing changes, a frame is submitted with the commands that drew
 * the same slot into the same image before. Thread rule: main thread.
 */
#ifndef APP_RECORDINGS_H
#define APP_RECORDINGS_H

#include "app/camera.h"
#include "app/renderer.h"
#include "vkbase/commands.h"

/* What commands depend on beside slot and image. */
struct recordings_scene {
    struct camera_view view;
    uint64_t generation; /* of the renderer: its target, style and pipelines */
};

struct recordings {
    struct vkb_commands commands; /* one for each frame in flight, then one for each pair */
    uint32_t frames_in_flight;
    uint32_t slots, images; /* 0: each frame is recorded anew */
    struct recording {
        struct recordings_scene scene;
        uint64_t used; /* frame + 1 of its last use; 0: never recorded */
    } * entries;       /* slots * images */
};

/* With `once` false, or where there are too many pairs of slot and image, every
 * frame is recorded anew. */
bool recordings_create(const struct vkb_device *device, uint32_t frames_in_flight, uint32_t slots,
                       uint32_t images, bool once, struct recordings *recordings,
                       struct error *error);
void recordings_destroy(const struct vkb_device *device, struct recordings *recordings);

/* The index of the commands for frame `frame`, of which all below `finished` are
 * finished; *record: they must be recorded first, with `scene`. */
uint32_t recordings_take(struct recordings *recordings, uint64_t frame, uint64_t finished,
                         uint32_t slot, uint32_t image, const struct recordings_scene *scene,
                         bool *record);

#endif
