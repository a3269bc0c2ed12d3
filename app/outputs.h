/* outputs.h: the files of a run's last frame.
 *
 * Thread rule: main thread, after frame_loop_run; nothing is in flight.
 */
#ifndef APP_OUTPUTS_H
#define APP_OUTPUTS_H

#include "app/image.h"
#include "app/simulation.h"

/* Tells before the run whether the files that the options name can be written. */
bool outputs_probe(const struct options *options, struct error *error);

/* The last frame's picture, which the caller destroys. Headless it is read
 * back; a window's is drawn once more offscreen from the same height map, with
 * the same size, format and samples, as the presentation engine owns the
 * image that was shown. */
bool outputs_picture(struct simulation *simulation, struct image *image, struct error *error);

/* Writes what the options ask of the last frame (screenshot, heights, statistics)
 * and compares it with the reference of compare_prepare. *differs: the comparison
 * failed. A run that a signal ended before its last frame is neither compared nor
 * blessed. */
bool outputs_write(struct simulation *simulation, const struct image *reference, bool *differs,
                   struct error *error);

#endif
