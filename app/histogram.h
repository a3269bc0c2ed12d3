/* histogram.h: percentiles of durations in constant memory.
 *
 * Buckets grow by 1 %, from 10 ns to more than 100 s, so a percentile is right
 * to 1 %; count, mean, least and greatest are exact. Thread rule: one thread.
 */
#ifndef APP_HISTOGRAM_H
#define APP_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_BUCKETS = 2400 };

struct histogram {
    uint64_t count;
    double sum, least, greatest; /* microseconds */
    uint64_t buckets[HISTOGRAM_BUCKETS];
};

/* Adds a duration in microseconds; a negative one or no number counts as 0. */
void histogram_add(struct histogram *histogram, double microseconds);

/* The value that `share` (0 to 1) of the durations do not exceed; 0 without
 * any. */
double histogram_percentile(const struct histogram *histogram, double share);
double histogram_mean(const struct histogram *histogram);

#endif
