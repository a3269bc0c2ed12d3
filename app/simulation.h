/* simulation.h: all objects of a run, made and destroyed in order.
 *
 * options -> device -> height maps and semaphores -> stepper -> renderer ->
 * target. frame_loop.h runs it. Thread rule: main thread.
 */
#ifndef APP_SIMULATION_H
#define APP_SIMULATION_H

#include "app/camera.h"
#include "app/capture.h"
#include "app/checksums.h"
#include "app/clock.h"
#include "app/controls.h"
#include "app/cuda_start.h"
#include "app/frame_times.h"
#include "app/handoff_semaphores.h"
#include "app/options.h"
#include "app/pipeline_cache.h"
#include "app/recordings.h"
#include "app/renderer.h"
#include "app/ring.h"
#include "app/stats.h"
#include "app/stepper.h"
#include "app/window.h"
#include "vkbase/commands.h"
#include "vkbase/target.h"
#include "vkbase/timestamps.h"

struct simulation {
    const struct options *options;
    struct window *window; /* NULL: headless */
    struct cuda_start cuda_start;
    struct vkb_instance instance;
    VkSurfaceKHR surface;
    struct vkb_device_info info;
    struct vkb_device device;
    struct pipeline_cache cache;
    struct stepper_choice choice;
    struct handoff handoff;
    struct handoff_semaphores semaphores;
    struct ring ring;
    struct stepper *stepper;
    struct vkb_swapchain swapchain;
    struct vkb_offscreen offscreen;
    struct vkb_target *target; /* one of the two */
    enum options_renderer renderer_kind;
    struct renderer *renderer;
    struct capture capture;     /* with --output only */
    struct checksums checksums; /* with --test-checksums only */
    struct progress progress;
    struct camera camera;
    struct clock clock;
    struct controls controls;

    /* Frames in flight. Frame n signals n + 1 on frame_done, for which alone the host waits. */
    uint32_t frames_in_flight;
    struct recordings recordings;
    struct vkb_semaphore frame_done;
    struct stats stats;
    uint32_t
        commands_used[VKB_FRAMES_MAX]; /* by frame n % frames_in_flight: index of its commands */
    struct vkb_timestamps stamps;      /* of each frame in flight; with --stats only */
    uint64_t finished;                 /* frames that the host has seen finished */
    struct frame_times times;
    VkExtent2D last_extent; /* of the last frame drawn; 0x0: none yet */
    struct camera last_camera;
    enum options_style last_style;
    uint32_t *batch_slots; /* room for a batch */
    struct wave_phase *batch_phases;
    double *slot_times; /* seconds that the frame in a slot shows */
    uint64_t timed;     /* frames that have got a time */
};

/* Makes everything; on failure nothing is left. The struct must not move. Here and
 * in all that waits for set-up or read-back, a device that is stuck for good ends
 * the process as in simulation_destroy. */
bool simulation_create(const struct options *options, struct simulation *simulation,
                       struct error *error);

/* Goes as far as the swapchain, and back: for present_probe.h. */
bool simulation_try_presenting(const struct options *options, struct error *error);

/* Waits for what is in flight, with a time-out, and destroys everything. Where
 * the device is stuck for good, prints why, if no error was told yet, and ends the
 * process with exit code 4: a destruction would hang. Accepts a zeroed simulation. */
void simulation_destroy(struct simulation *simulation);

#endif
