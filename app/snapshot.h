/* snapshot.h: a screenshot in the midst of a run, named by the time of day.
 *
 * Thread rule: main thread, between two frames.
 */
#ifndef APP_SNAPSHOT_H
#define APP_SNAPSHOT_H

#include "vkbase/error.h"

struct simulation;

enum { SNAPSHOT_NAME_SIZE = 48 };

/* Writes the last frame drawn (there must be one) to
 * sinewave-YYYYMMDD-HHMMSS.png in the current folder, with -2, -3, ... where
 * such a file is there already; never writes over one. */
bool snapshot_save(struct simulation *simulation, char name[SNAPSHOT_NAME_SIZE],
                   struct error *error);

#endif
