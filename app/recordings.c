#include "app/recordings.h"

#include <stdlib.h>
#include <string.h>

bool recordings_create(const struct vkb_device *device, uint32_t frames_in_flight, uint32_t slots,
                       uint32_t images, bool once, struct recordings *recordings,
                       struct error *error)
{
    *recordings = (struct recordings){.frames_in_flight = frames_in_flight};
    const uint64_t pairs = (uint64_t) slots * images;
    if (once && pairs > 0 && pairs + frames_in_flight <= VKB_COMMANDS_MAX) {
        recordings->entries = calloc((size_t) pairs, sizeof *recordings->entries);
        if (!recordings->entries)
            return error_set(error, ERROR_RUNTIME,
                             "cannot create the frame commands: out of memory; free memory and "
                             "run again");
        recordings->slots = slots;
        recordings->images = images;
    }
    const uint32_t count = frames_in_flight + recordings->slots * recordings->images;
    if (!vkb_commands_create(device, count, "frame", &recordings->commands, error)) {
        recordings_destroy(device, recordings);
        return false;
    }
    return true;
}

void recordings_destroy(const struct vkb_device *device, struct recordings *recordings)
{
    vkb_commands_destroy(device, &recordings->commands);
    free(recordings->entries);
    *recordings = (struct recordings){0};
}

static bool same_scene(const struct recordings_scene *a, const struct recordings_scene *b)
{
    /* Bit for bit: what differs by a bit may draw another picture. */
    return a->generation == b->generation && memcmp(&a->view, &b->view, sizeof a->view) == 0;
}

uint32_t recordings_take(struct recordings *recordings, uint64_t frame, uint64_t finished,
                         uint32_t slot, uint32_t image, const struct recordings_scene *scene,
                         bool *record)
{
    const uint32_t fallback = (uint32_t) (frame % recordings->frames_in_flight);
    *record = true;
    if (slot >= recordings->slots || image >= recordings->images)
        return fallback;
    const uint32_t index = slot * recordings->images + image;
    struct recording *entry = &recordings->entries[index];
    if (entry->used > finished) /* may still be pending */
        return fallback;
    *record = entry->used == 0 || !same_scene(&entry->scene, scene);
    entry->scene = *scene;
    entry->used = frame + 1;
    return recordings->frames_in_flight + index;
}
