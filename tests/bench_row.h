/* bench_row.h: how benchmarks print what they measured: a line for people, or with
 * --json an object on a line of its own, which bench.py gathers. */
#ifndef TESTS_BENCH_ROW_H
#define TESTS_BENCH_ROW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BENCH_AGAINST_MAX = 3 };

struct bench_row {
    const char *name; /* without quotation marks and backslashes, as all names here */
    double us;
    double bytes; /* that were written; 0: what was measured does not just write */
    struct {
        const char *name; /* NULL: none */
        double us;
    } against[BENCH_AGAINST_MAX];
};

/* Takes an option away that the first argument may be. */
static inline bool bench_option(int *argc, char ***argv, const char *name)
{
    if (*argc < 2 || strcmp((*argv)[1], name) != 0)
        return false;
    (*argc)--;
    (*argv)++;
    return true;
}

/* For people: how many times as fast as each of the others. */
static inline void bench_row_print(bool json, const struct bench_row *row)
{
    (void) printf(json ? "{\"name\": \"%s\", \"us\": %.4f" : "%-52s %11.2f us", row->name, row->us);
    if (row->bytes > 0.0)
        (void) printf(json ? ", \"gb_per_s\": %.2f" : " %8.1f GB/s", row->bytes * 1e-3 / row->us);
    if (json)
        (void) printf(", \"against\": {");
    for (size_t i = 0; i < BENCH_AGAINST_MAX && row->against[i].name; i++) {
        if (json)
            (void) printf("%s\"%s\": %.4f", i > 0 ? ", " : "", row->against[i].name,
                          row->against[i].us);
        else
            (void) printf("  %s %.3fx", row->against[i].name, row->against[i].us / row->us);
    }
    (void) printf(json ? "}}\n" : "\n");
    (void) fflush(stdout);
}

#endif
