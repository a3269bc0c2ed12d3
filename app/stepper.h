/* stepper.h: fills height maps; one interface for CUDA and Vulkan.
 *
 * A stepper enqueues and returns: step never waits for the device.
 * Thread rule: one thread at a time per stepper.
 */
#ifndef APP_STEPPER_H
#define APP_STEPPER_H

#include "app/handoff_semaphores.h"
#include "app/options.h"
#include "app/ring.h"
#include "app/wave.h"

struct stepper;

/* A batch with what its frames show. */
struct stepper_batch {
    struct handoff_batch handoff;
    const uint32_t *slots;           /* handoff.count entries */
    const struct wave_phase *phases; /* the same */
};

struct stepper_ops {
    const char *name; /* "cuda" or "vulkan" */
    /* Takes the semaphores into use, or lets go of them; they stay the
     * caller's. Nothing may be in flight. */
    bool (*attach)(struct stepper *stepper, const struct handoff_semaphores *semaphores,
                   struct error *error);
    void (*detach)(struct stepper *stepper);
    /* Enqueues: wait for free, fill the slots, signal ready. */
    bool (*step)(struct stepper *stepper, const struct stepper_batch *batch, struct error *error);
    /* Signals ready from outside of a step: what a failed run still owes. */
    bool (*raise_ready)(struct stepper *stepper, const struct interop_point *point,
                        struct error *error);
    /* How many steps the device has filled the slots of since the stepper was
     * made, without waiting; the signals may still be out. */
    bool (*steps_done)(struct stepper *stepper, uint64_t *count, struct error *error);
    /* Waits at most `timeout_ms`; *done: all enqueued work is finished. */
    bool (*wait)(struct stepper *stepper, uint32_t timeout_ms, bool *done, struct error *error);
    /* How long the device took to fill the slots of a batch, in microseconds:
     * each finished batch once, the oldest first. False: none more, or nothing
     * is measured. Never waits. */
    bool (*time)(struct stepper *stepper, double *microseconds);
    void (*destroy)(struct stepper *stepper);
};

struct stepper {
    const struct stepper_ops *ops;
};

struct stepper_params {
    const struct vkb_device *device;
    const uint8_t *device_uuid;
    const struct ring *ring;
    VkPipelineCache cache;         /* may be null */
    bool measure;                  /* for `time` */
    const struct options *options; /* of these only the test options are read */
};

bool stepper_vulkan_create(const struct stepper_params *params, struct stepper **stepper,
                           struct error *error);
bool stepper_cuda_create(const struct stepper_params *params, struct stepper **stepper,
                         struct error *error);

/* Which stepper and which semaphore type a run uses. */
struct stepper_choice {
    bool cuda;
    enum interop_semaphore_type semaphore;
    /* Why the handoff cannot use semaphores of this type (by enum
     * interop_semaphore_type), as a clause; NULL: it can. */
    const char *lacking[2];
};

/* Decides by the options, by what the device can export and by what CUDA can
 * import; says in one line why not CUDA where it was to be decided. Asks
 * nothing of CUDA for --compute vulkan. What was asked for by name and cannot
 * be had is ERROR_UNAVAILABLE. */
bool stepper_choose(const struct options *options, const struct vkb_device_info *info,
                    struct stepper_choice *choice, struct error *error);

#endif
