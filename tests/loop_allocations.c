/* loop_allocations: counts what our own objects allocate while frames are drawn.
 *
 *     loop_allocations [OPTION...]
 *
 * The options are those of the program. Linked with --wrap, so only calls of our
 * own code count, not those of drivers. Prints one line. Exit code 0: none in the
 * frame loop; 1: some; that of the error where the run failed; 77: no device that
 * fits. */
#include <stdlib.h>

#include "app/frame_loop.h"
#include "app/messages.h"
#include "app/simulation.h"

static unsigned long allocations;

/* The names are the linker's: --wrap makes them. */
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
char *__real_strdup(const char *text);
char *__wrap_strdup(const char *text);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **memory, size_t alignment, size_t size);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t size);

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

char *__wrap_strdup(const char *text)
{
    allocations++;
    return __real_strdup(text);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    allocations++;
    return __real_aligned_alloc(alignment, size);
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t size)
{
    allocations++;
    return __real_posix_memalign(memory, alignment, size);
}

// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

int main(int argc, char **argv)
{
    struct options options;
    struct simulation simulation;
    struct error error = {0};
    if (!options_parse(argc, argv, &options, &error) ||
        !simulation_create(&options, &simulation, &error)) {
        message_error(&error);
        return error.kind == ERROR_UNAVAILABLE ? 77 : (int) error.kind;
    }
    const unsigned long made = allocations;
    const bool ok = frame_loop_run(&simulation, &error);
    const unsigned long in_loop = allocations - made;
    const unsigned long long frames = simulation.handoff.drawn;
    const char *where = simulation.window ? "in a window" : "headless";
    if (!ok)
        message_error(&error);
    simulation_destroy(&simulation);
    (void) printf("%lu allocations to make the run, %lu in %llu frames %s\n", made, in_loop, frames,
                  where);
    if (!ok)
        return (int) error.kind;
    /* A count that never counts would pass too. */
    return made > 0 && in_loop == 0 ? 0 : 1;
}
