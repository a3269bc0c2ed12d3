/* loop_allocations: counts what our own objects allocate while frames are drawn.
 *
 *     loop_allocations [OPTION...]
 *
 * The options are those of the program (--headless is added). Linked with
 * --wrap, so only calls of our own code count, not those of drivers. Prints one
 * line. Exit code 0: none in the frame loop; 1: some; that of the error where
 * the run failed; 77: no device that fits. */
#include <stdlib.h>

#include "app/frame_loop.h"
#include "app/messages.h"
#include "app/simulation.h"

enum { OPTIONS_GIVEN_MAX = 32 };

static unsigned long allocations;

/* The names are the linker's: --wrap makes them. */
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void *__wrap_malloc(size_t size)
{
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    allocations++;
    return __real_realloc(memory, size);
}

// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

int main(int argc, char **argv)
{
    char headless[] = "--headless";
    char *words[OPTIONS_GIVEN_MAX + 2] = {argv[0], headless};
    struct options options;
    struct simulation simulation;
    struct error error = {0};
    if (argc > OPTIONS_GIVEN_MAX)
        return ERROR_USAGE;
    for (int i = 1; i < argc; i++)
        words[i + 1] = argv[i];
    if (!options_parse(argc + 1, words, &options, &error) ||
        !simulation_create(&options, &simulation, &error)) {
        message_error(&error);
        return error.kind == ERROR_UNAVAILABLE ? 77 : (int) error.kind;
    }
    const unsigned long made = allocations;
    const bool ok = frame_loop_run(&simulation, &error);
    const unsigned long in_loop = allocations - made;
    const unsigned long long frames = simulation.handoff.drawn;
    if (!ok)
        message_error(&error);
    simulation_destroy(&simulation);
    (void) printf("%lu allocations to make the run, %lu in %llu frames\n", made, in_loop, frames);
    if (!ok)
        return (int) error.kind;
    /* A count that never counts would pass too. */
    return made > 0 && in_loop == 0 ? 0 : 1;
}
