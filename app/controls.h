/* controls.h: what the user does in the window, and what its title tells.
 *
 * Thread rule: main thread, between two frames.
 */
#ifndef APP_CONTROLS_H
#define APP_CONTROLS_H

#include <stdint.h>

#include "vkbase/error.h"

struct simulation;

struct controls {
    uint64_t wanted_until; /* frames to draw even though time is held */
    uint64_t keys;         /* pressed so far */
    uint64_t keys_told;    /* by --test-idle */
    double title_s;        /* host time of the title's last change; 0: none yet */
    uint64_t title_drawn;  /* frames drawn by then */
};

/* Handles what came from the user, and waits a moment where there is nothing to
 * draw: the window is minimised, or time is held and all is shown. *draw tells
 * whether there is. Does nothing more once the window is closed. */
bool controls_update(struct simulation *simulation, bool *draw, struct error *error);

/* Saves the last frame (snapshot.h). Not being able to is told, and no reason to
 * end; not being able to draw into the window after it is one. */
bool controls_save_screenshot(struct simulation *simulation, struct error *error);

/* The picture has to be drawn anew although time may be held. */
void controls_want_frames(struct simulation *simulation);

#endif
