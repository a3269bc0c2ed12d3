/* fuzz_options.c: the command line, arguments apart by newlines. What is
 * accepted keeps the bounds that the rest of the program relies on. */
#include <stdlib.h>
#include <string.h>

#include "app/options.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { ARGUMENTS_MAX = 64 };
    char name[] = "sinewave";
    char *arguments[ARGUMENTS_MAX + 2] = {name};
    int count = 1;
    struct options options;
    struct error error = {0};
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    for (char *at = text; at && count <= ARGUMENTS_MAX;) {
        char *next = strchr(at, '\n');
        if (next)
            *next++ = '\0';
        arguments[count++] = at;
        at = next;
    }
    if (options_parse(count, arguments, &options, &error)) {
        expect(error.kind == ERROR_NONE);
        if (options.action == OPTIONS_RUN) {
            expect(options.grid_width >= 1 && options.grid_width <= GRID_SIDE_MAX);
            expect(options.grid_height >= 1 && options.grid_height <= GRID_SIDE_MAX);
            expect(options.width >= 1 && options.width <= SIZE_SIDE_MAX);
            expect(options.height >= 1 && options.height <= SIZE_SIDE_MAX);
            expect(options.batch >= 1 && options.batch <= BATCH_MAX);
            expect(options.frames <= UINT64_C(1000000000000000));
            expect(options.first_frame <= UINT64_C(1000000000000000));
            expect(options.time_step > 0 && options.time_step <= 1e6);
            expect(options.start_time >= -1e9 && options.start_time <= 1e9);
            expect(options.threshold <= 255);
            expect(options.max_diff_ratio >= 0 && options.max_diff_ratio <= 1);
            expect(!options.headless || options.frames > 0);
        }
    } else {
        expect(error.kind == ERROR_USAGE && error.text[0]);
        expect(!strchr(error.text, '\n'));
    }
    free(text);
    return 0;
}
