/* compare_files.h: what --compare, --with, --diff and --bless do with files.
 *
 * The result is one line on stderr: a note where the pictures are alike (none
 * with --quiet), an error where they differ. Thread rule: main thread.
 */
#ifndef APP_COMPARE_FILES_H
#define APP_COMPARE_FILES_H

#include "app/image.h"
#include "app/options.h"
#include "vkbase/error.h"

/* To be called before a run that ends in a comparison: the reference can be
 * read (with --bless: written), the difference picture can be written, and no
 * output of the run leads to the reference by another name. *reference is read
 * here, once, as it may come through a pipe; the caller destroys it. It is empty
 * without --compare, where nothing is done, and with --bless. Fails with ERROR_USAGE,
 * or ERROR_RUNTIME for outputs and for want of memory. */
bool compare_prepare(const struct options *options, struct image *reference, struct error *error);

/* Compares the last frame with the reference and writes the --diff picture,
 * differing or not; with --bless writes the file that --compare names instead.
 * *differs: more pixels than allowed, or another size (then there is no
 * difference picture): exit code 1. Fails with ERROR_RUNTIME. */
bool compare_or_bless(const struct image *image, const struct image *reference,
                      const struct options *options, bool *differs, struct error *error);

/* All of it for the file that --with names, in place of a frame. */
bool compare_files(const struct options *options, bool *differs, struct error *error);

#endif
