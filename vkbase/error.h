/* error.h: the one way a failure travels up to the caller.
 *
 * A function that can fail returns bool (true: done) and takes a
 * `struct error *` as its last parameter. On failure it fills the error and
 * leaves nothing behind that the caller would have to release; outputs are
 * then zeroed or untouched. The text is one line of the form
 * "what failed: why; what to do", without program name or newline.
 *
 * Header only, so that vkbase/ and kernels/ can each be lifted out whole.
 * Thread rule: an error belongs to the thread that passes it.
 */
#ifndef VKBASE_ERROR_H
#define VKBASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/* The values are the program's exit codes. */
enum error_kind {
    ERROR_NONE = 0,
    ERROR_CHECK = 1,       /* a check that the user asked for failed */
    ERROR_USAGE = 2,       /* bad input from the user */
    ERROR_UNAVAILABLE = 3, /* no usable device, driver, display, layer or feature */
    ERROR_RUNTIME = 4,     /* failed while running: device lost, out of memory, disk full */
};

struct error {
    enum error_kind kind;
    char text[640];
};

/* Fills `error` (which may be NULL) unless it holds one already: the first
 * failure is the cause, those met during clean-up are not. Always returns
 * false, so that `return error_set(...)` reads well. */
__attribute__((format(printf, 3, 4))) static inline bool error_set(struct error *error,
                                                                   enum error_kind kind,
                                                                   const char *format, ...)
{
    if (error && error->kind == ERROR_NONE) {
        va_list arguments;
        va_start(arguments, format);
        error->kind = kind;
        (void) vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return false;
}

#endif
