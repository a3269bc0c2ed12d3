/* present_probe.h: whether a device can present to this display, tried out in
 * a process of its own.
 *
 * Some drivers crash when they are asked about a surface of an X server that
 * lacks their part of it, and nothing tells beforehand: a layer between may
 * make it work all the same. So this program is started once more with
 * --test-present, which goes as far as a swapchain for a window that is never
 * seen; a crash or a hang is then an answer. Costs about the time of a start.
 * Thread rule: main thread.
 */
#ifndef APP_PRESENT_PROBE_H
#define APP_PRESENT_PROBE_H

#include <stdint.h>

#include "vkbase/error.h"

/* False with `why` as a clause, also where a signal asked the run to stop. */
bool present_probe(const uint8_t *uuid, struct error *why);

#endif
