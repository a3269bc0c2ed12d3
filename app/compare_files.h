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
 * output of the run leads to the reference by another name. Does nothing
 * without --compare. Fails with ERROR_USAGE, or ERROR_RUNTIME for outputs. */
bool compare_prepare(const struct options *options, struct error *error);

/* Compares the last frame with the file that --compare names and writes the
 * --diff picture, differing or not; with --bless writes the file instead.
 * *differs: more pixels than allowed, or another size (then there is no
 * difference picture): exit code 1. Returns false where it could not tell:
 * ERROR_USAGE for the reference, ERROR_RUNTIME for a file to write. */
bool compare_image_with_file(const struct image *image, const struct options *options,
                             bool *differs, struct error *error);

/* The same for the file that --with names, in place of a frame. */
bool compare_files(const struct options *options, bool *differs, struct error *error);

#endif
