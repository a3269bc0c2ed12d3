/* median.h: of measured times. */
#ifndef TESTS_MEDIAN_H
#define TESTS_MEDIAN_H

#include <stdlib.h>

static inline int median_ascending(const void *a, const void *b)
{
    const double x = *(const double *) a;
    const double y = *(const double *) b;
    return (x > y) - (x < y);
}

/* Sorts `count` samples, at least one, and returns the one in the middle (of two
 * the greater). */
static inline double median(double *samples, size_t count)
{
    qsort(samples, count, sizeof *samples, median_ascending);
    return samples[count / 2];
}

#endif
