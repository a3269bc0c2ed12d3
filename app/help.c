#include <string.h>

#include "app/options.h"
#include "app/options_table.h"

#ifndef SINEWAVE_VERSION
#define SINEWAVE_VERSION "unknown"
#endif

enum { WIDTH = 80, INDENT = 26 };

/* Prints words from column *column on, wrapped, later lines indented. */
static void print_wrapped(FILE *stream, size_t *column, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, " ");
        if (*column > INDENT && *column + 1 + length > WIDTH) {
            (void) fprintf(stream, "\n%*s", INDENT, "");
            *column = INDENT;
        } else if (*column > INDENT) {
            (void) fputc(' ', stream);
            *column += 1;
        }
        (void) fprintf(stream, "%.*s", (int) length, text);
        *column += length;
        text += length;
        text += strspn(text, " ");
    }
}

/* `what` in the left column, its explanation in the right one. */
static void print_entry(FILE *stream, const char *what, const char *text, const char *preset)
{
    size_t column = 2 + strlen(what);
    (void) fprintf(stream, "  %s", what);
    if (column + 2 > INDENT) {
        (void) fputc('\n', stream);
        column = 0;
    }
    (void) fprintf(stream, "%*s", (int) (INDENT - column), "");
    column = INDENT;
    print_wrapped(stream, &column, text);
    if (preset) {
        char note[64];
        (void) snprintf(note, sizeof note, "(default: %s)", preset);
        print_wrapped(stream, &column, note);
    }
    (void) fputc('\n', stream);
}

static void print_group(FILE *stream, enum option_group group, const char *title)
{
    (void) fprintf(stream, "\n%s\n", title);
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *row = &option_table[i];
        if (row->group != group)
            continue;
        char what[64];
        (void) snprintf(what, sizeof what, "%s%s%s", row->name, row->argument ? " " : "",
                        row->argument ? row->argument : "");
        print_entry(stream, what, row->text, row->preset);
    }
}

static void print_keys(FILE *stream)
{
    static const struct {
        const char *what, *text;
    } keys[] = {
        {"left-drag", "orbits the view"},
        {"wheel", "zooms"},
        {"R", "resets the view"},
        {"Space", "pauses, and goes on"},
        {".", "pauses, and steps one frame"},
        {"W", "cycles the styles"},
        {"T", "toggles the semaphore type"},
        {"P", "saves a screenshot in the current folder"},
        {"F", "toggles full screen"},
        {"Esc", "closes"},
    };
    (void) fputs("\nIn the window\n", stream);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        print_entry(stream, keys[i].what, keys[i].text, NULL);
}

void options_print_help(FILE *stream)
{
    static const char *const titles[OPTION_GROUP_COUNT] = {
        [OPTION_GROUP_DEVICE] = "Device and handoff",
        [OPTION_GROUP_SCENE] = "What is drawn",
        [OPTION_GROUP_RUN] = "How long",
        [OPTION_GROUP_FILES] = "What is written",
        [OPTION_GROUP_COMPARE] = "Comparing pictures",
        [OPTION_GROUP_GENERAL] = "General",
    };
    (void) fputs("Usage: sinewave [OPTION]...\n"
                 "A sine wave that CUDA, or a Vulkan compute shader, steps in memory that Vulkan\n"
                 "draws from. Values follow an option as --frames 60 or --frames=60.\n",
                 stream);
    for (int group = 0; group < OPTION_GROUP_TESTS; group++)
        print_group(stream, (enum option_group) group, titles[group]);
    print_keys(stream);
    (void) fputs("\n"
                 "Exit codes\n"
                 "  0         success\n"
                 "  1         a check that was asked for failed: the picture differs, or\n"
                 "            validation sent a message\n"
                 "  2         bad usage: an option, its value or a reference picture\n"
                 "  3         no usable device, driver, display, layer or feature\n"
                 "  4         failure while running: device lost, out of memory, disk full, an\n"
                 "            output that cannot be written, time-out\n"
                 "  130, 143  ended by SIGINT, SIGTERM\n",
                 stream);
}

void options_print_test_help(FILE *stream)
{
    (void) fputs("Options made for tests of sinewave; see --help for the others.\n", stream);
    print_group(stream, OPTION_GROUP_TESTS, "Tests");
}

const char *options_version(void)
{
    return SINEWAVE_VERSION;
}

void options_print_version(FILE *stream)
{
    (void) fputs("sinewave " SINEWAVE_VERSION "\n", stream);
}
