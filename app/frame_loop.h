/* frame_loop.h: steps and draws frame after frame.
 *
 * Thread rule: main thread. In the steady loop nothing is allocated, and of the
 * device the host waits for one thing only: that the frame before the last ones in
 * flight is done (a timeline that Vulkan signals). In a window it also waits for the
 * display, which hands out images and may hold up their presentation.
 */
#ifndef APP_FRAME_LOOP_H
#define APP_FRAME_LOOP_H

#include "app/simulation.h"

/* Draws until all frames are drawn, the window is closed or a signal asks to
 * stop; then waits for the last frame and for what was stepped ahead. */
bool frame_loop_run(struct simulation *simulation, struct error *error);

#endif
