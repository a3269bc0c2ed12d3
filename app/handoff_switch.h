/* handoff_switch.h: another semaphore type while the run goes on.
 *
 * Thread rule: main thread, between two frames.
 */
#ifndef APP_HANDOFF_SWITCH_H
#define APP_HANDOFF_SWITCH_H

#include "vkbase/error.h"

struct simulation;

/* Waits for what is in flight, puts semaphores of the other type in the place
 * of the present ones and begins the handoff anew. Where the stepper cannot
 * have that type, says so in a line and leaves all as it is. */
bool handoff_switch(struct simulation *simulation, struct error *error);

#endif
