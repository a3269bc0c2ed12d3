/* pacing.h: the host's waits for the device, all with a time-out.
 *
 * The host waits for `frame_done` alone, which Vulkan signals; never for a
 * semaphore of CUDA. Thread rule: main thread.
 */
#ifndef APP_PACING_H
#define APP_PACING_H

#include "app/simulation.h"

/* Waits until `count` frames are finished, for as long as the device finishes one
 * now and then (watch.h). A time-out is ERROR_RUNTIME and names the semaphore that
 * did not arrive. */
bool pacing_wait(struct simulation *simulation, uint64_t count, struct error *error);

/* Waits until the stepper, which is ahead of the frames, has finished all it was
 * given. A time-out is ERROR_RUNTIME. */
bool pacing_wait_stepper(struct simulation *simulation, struct error *error);

/* Waits until nothing is in flight, raising a signal that the stepper still
 * owes. False: the device is stuck for good. A lost device counts as drained. */
bool pacing_drain(struct simulation *simulation, struct error *error);

#endif
