/* frame_loop.h: steps and draws frame after frame.
 *
 * Thread rule: main thread. In the steady loop nothing is allocated and the
 * host waits for one thing only: that the frame before the last ones in flight
 * is done (a timeline that Vulkan signals).
 */
#ifndef APP_FRAME_LOOP_H
#define APP_FRAME_LOOP_H

#include "app/simulation.h"

/* Draws until all frames are drawn, the window is closed or a signal asks to
 * stop; then waits for the last frame. */
bool frame_loop_run(struct simulation *simulation, struct error *error);

#endif
