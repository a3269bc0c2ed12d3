/* text.h: numbers and names that a user typed.
 *
 * Locale-independent as long as nothing calls setlocale(), which this program
 * never does. Pure functions: any thread.
 */
#ifndef APP_TEXT_H
#define APP_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TEXT_SHOWN_SIZE = 204 }; /* bytes that text_shown() needs */

/* What a number is. TEXT_RANGE: well-formed but too large for the type. */
enum text_result { TEXT_OK = 0, TEXT_MALFORMED, TEXT_RANGE };

/* Decimal digits and nothing else, of which there are `length`. */
enum text_result text_to_u64(const char *text, size_t length, uint64_t *value);

/* [sign] digits [. digits] [e [sign] digits]; no spaces, no hexadecimal, no
 * inf or nan, no decimal comma. What is too small becomes 0. */
enum text_result text_to_double(const char *text, double *value);

/* Copies `text` in a form fit for a one-line message: control characters become
 * '?', what is too long ends in "...". Returns `shown`. */
const char *text_shown(const char *text, char shown[TEXT_SHOWN_SIZE]);

/* Edit distance where an insertion, a removal, a change, and a swap of two
 * neighbours count 1 each (optimal string alignment). Only the first 63 bytes
 * of each text are looked at. */
unsigned text_distance(const char *a, const char *b);

#endif
