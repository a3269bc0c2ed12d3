/* messages.h: what the program tells on standard error.
 *
 * One line per message, "sinewave: ..." before it. Thread rule: init from the
 * main thread; the others from any.
 */
#ifndef APP_MESSAGES_H
#define APP_MESSAGES_H

#include <stdbool.h>

#include "vkbase/error.h"

struct vkb_message;

/* First of all: without standard input, output or error, the next file or
 * device opened would become one of them, and be written to. */
void messages_keep_streams(void);

void messages_init(bool quiet, bool verbose);

/* A thing worth knowing; not with --quiet. */
void message_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Only with --verbose. */
void message_detail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "sinewave: error: ...", always. */
void message_error(const struct error *error);
/* Whether one has been told. */
bool messages_error_told(void);

/* For vkb_instance_params: prints the message and counts those of type
 * VALIDATION or PERFORMANCE; GENERAL ones show with --verbose only. */
void messages_from_vulkan(void *user, const struct vkb_message *message);
/* How many have been counted. */
unsigned messages_validation_count(void);

#endif
