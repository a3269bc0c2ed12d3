/* fd_rounds: makes, runs and destroys a whole simulation again and again, and
 * sees that the process ends with as many file descriptors as it began with,
 * and does not grow.
 *
 *     fd_rounds ROUNDS [OPTION...]
 *
 * The options are those of the program (--headless is added); rounds take
 * timeline and binary semaphores in turn. The first rounds are a warm-up: the
 * driver, CUDA and the loader keep descriptors and memory for as long as the
 * process lives.
 *
 * Prints one line. Exit code 0: as many as before; 1: more, or fewer, or too
 * much memory; that of the error where a round failed; 77: no device that fits. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/frame_loop.h"
#include "app/messages.h"
#include "app/simulation.h"
#include "tests/sanitized.h"

enum {
    WARM_UP = 8,            /* rounds */
    OPTIONS_GIVEN_MAX = 32, /* words */
    /* Bytes: what drivers' caches and the heap's holes may take. It finds a height
     * map of 256 kB leaked in each of 90 rounds; small leaks are for sanitizers to
     * find. */
    GROWTH_FREE = 16 << 20,
    GROWTH_PER_ROUND = 16 << 10,
};

/* An address sanitizer keeps freed memory back; it finds leaks itself. */
static const bool memory_tells = !ADDRESS_SANITIZED;

static long count_descriptors(void)
{
    long count = -3; /* ".", ".." and the folder's own */
    DIR *folder = opendir("/proc/self/fd");
    if (!folder)
        return -1;
    while (readdir(folder))
        count++;
    (void) closedir(folder);
    return count;
}

/* What the descriptors lead to, on standard error: to find who keeps them. */
static void list_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    struct dirent *entry = NULL;
    while (folder && (entry = readdir(folder))) {
        char path[300];
        char target[300];
        (void) snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
        const ssize_t length = readlink(path, target, sizeof target - 1);
        if (length > 0)
            (void) fprintf(stderr, "%s: %.*s\n", entry->d_name, (int) length, target);
    }
    if (folder)
        (void) closedir(folder);
}

/* Bytes of this process in memory; 0 where it cannot be told. */
static long resident(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%*s %ld", &pages) != 1) // NOLINT(cert-err34-c): the kernel's own number
        pages = 0;
    (void) fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

/* One whole run. Returns 0 or the error's kind. */
static int run(int argc, char **argv, bool verbose)
{
    struct options options;
    struct simulation simulation;
    struct error error = {0};
    if (!options_parse(argc, argv, &options, &error))
        goto fail;
    messages_init(!verbose, false);
    if (!simulation_create(&options, &simulation, &error))
        goto fail;
    if (!frame_loop_run(&simulation, &error)) {
        message_error(&error);
        simulation_destroy(&simulation);
        return (int) error.kind;
    }
    simulation_destroy(&simulation);
    return 0;
fail:
    message_error(&error);
    return (int) error.kind;
}

int main(int argc, char **argv)
{
    const long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    static char types[2][sizeof "timeline"] = {"timeline", "binary"};
    char *words[OPTIONS_GIVEN_MAX + 5] = {argv[0], (char[]){"--headless"}, (char[]){"--semaphore"}};
    int count = 4;
    if (rounds <= WARM_UP || argc - 2 > OPTIONS_GIVEN_MAX) {
        (void) fprintf(stderr, "usage: fd_rounds ROUNDS [OPTION...], with more than %d rounds\n",
                       WARM_UP);
        return 2;
    }
    for (int i = 2; i < argc; i++)
        words[count++] = argv[i];

    /* One instance stays, so that the driver's libraries do: loaders load them
     * anew with each first instance, and some drivers can be loaded about 70
     * times only in the life of a process (seen on NVIDIA 580.159: then
     * vkCreateInstance returns VK_ERROR_INCOMPATIBLE_DRIVER). */
    struct vkb_instance kept = {0};
    struct error error = {0};
    const struct vkb_instance_params params = {.application_name = "fd_rounds"};
    if (!vkb_instance_create(&params, &kept, &error)) {
        message_error(&error);
        return error.kind == ERROR_UNAVAILABLE ? 77 : (int) error.kind;
    }

    long descriptors = 0;
    long bytes = 0;
    for (long round = 0; round < rounds; round++) {
        if (round == WARM_UP) {
            descriptors = count_descriptors();
            bytes = resident();
        }
        words[3] = types[round % 2];
        const int code = run(count, words, round == 0);
        if (code) {
            list_descriptors();
            (void) printf("round %ld failed with code %d and %ld file descriptors open, %ld after "
                          "the warm-up\n",
                          round + 1, code, count_descriptors(), descriptors);
            return round == 0 && code == ERROR_UNAVAILABLE ? 77 : code;
        }
    }
    const long more = count_descriptors() - descriptors;
    if (more != 0)
        list_descriptors();
    const long growth = resident() - bytes;
    (void) printf("%ld rounds: %ld file descriptors, then %ld more; %ld kB more memory\n", rounds,
                  descriptors, more, growth / 1024);
    vkb_instance_destroy(&kept);
    const long allowed = GROWTH_FREE + (rounds - WARM_UP) * GROWTH_PER_ROUND;
    return more == 0 && (!memory_tells || growth <= allowed) ? 0 : 1;
}
