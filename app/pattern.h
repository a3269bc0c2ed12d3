/* pattern.h: file names of a sequence, such as frame-%05d.png.
 *
 * A pattern holds exactly one conversion, %d or %0Nd or %Nd with N from 1 to
 * 20, and no other '%'. It is never handed to printf(). Pure functions: any
 * thread.
 */
#ifndef APP_PATTERN_H
#define APP_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether `pattern` is one. */
bool pattern_valid(const char *pattern);

/* The name of frame `index`. Returns false, with an empty `path`, where the
 * pattern is not valid or `size` bytes are too few. */
bool pattern_path(const char *pattern, uint64_t index, char *path, size_t size);

/* Whether some frame's name is `path`, letter by letter. */
bool pattern_names(const char *pattern, const char *path);

#endif
