#include "app/messages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "vkbase/instance.h"

static bool is_quiet;
static bool is_verbose;
static atomic_uint validation_count;
static atomic_bool error_told;

/* A closed one is opened such that using it fails as before, but for messages,
 * which nobody wants to read. */
void messages_keep_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void) open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
    }
}

void messages_init(bool quiet, bool verbose)
{
    is_quiet = quiet;
    is_verbose = verbose;
}

/* One call of fputs, so that lines of several threads do not mix. Control
 * characters in names or texts of a driver must not reach a terminal. */
static void print_line(const char *prefix, const char *text)
{
    char line[4096];
    int length = snprintf(line, sizeof line - 1, "sinewave: %s%s", prefix, text);
    if (length < 0)
        return;
    if (length > (int) sizeof line - 2)
        length = (int) sizeof line - 2;
    for (int i = 0; i < length; i++) {
        if ((unsigned char) line[i] < ' ' || line[i] == 127)
            line[i] = ' ';
    }
    line[length] = '\n';
    line[length + 1] = '\0';
    (void) fputs(line, stderr);
}

__attribute__((format(printf, 1, 0))) static void print_formatted(const char *format,
                                                                  va_list arguments)
{
    char text[2048];
    (void) vsnprintf(text, sizeof text, format, arguments);
    print_line("", text);
}

void message_note(const char *format, ...)
{
    if (is_quiet)
        return;
    va_list arguments;
    va_start(arguments, format);
    print_formatted(format, arguments);
    va_end(arguments);
}

void message_detail(const char *format, ...)
{
    if (!is_verbose)
        return;
    va_list arguments;
    va_start(arguments, format);
    print_formatted(format, arguments);
    va_end(arguments);
}

void message_error(const struct error *error)
{
    atomic_store(&error_told, true);
    print_line("error: ", error->text);
}

bool messages_error_told(void)
{
    return atomic_load(&error_told);
}

void messages_from_vulkan(void *user, const struct vkb_message *message)
{
    char text[3072];
    (void) user;
    if (message->is_general && !is_verbose)
        return;
    if (!message->is_general)
        atomic_fetch_add(&validation_count, 1);
    (void) snprintf(text, sizeof text, "%s: %s",
                    message->is_general ? "Vulkan loader"
                    : message->is_error ? "validation error"
                                        : "validation warning",
                    message->text);
    print_line("", text);
}

unsigned messages_validation_count(void)
{
    return atomic_load(&validation_count);
}
