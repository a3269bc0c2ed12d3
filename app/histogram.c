#include "app/histogram.h"

#include <math.h>

static const double lowest = 0.01; /* microseconds */
static const double growth = 1.01;

void histogram_add(struct histogram *histogram, double microseconds)
{
    if (!(microseconds > 0.0))
        microseconds = 0.0;
    double position = microseconds > lowest ? log(microseconds / lowest) / log(growth) : 0.0;
    if (position > HISTOGRAM_BUCKETS - 1)
        position = HISTOGRAM_BUCKETS - 1;
    histogram->buckets[(int) position]++;
    if (histogram->count == 0 || microseconds < histogram->least)
        histogram->least = microseconds;
    if (histogram->count == 0 || microseconds > histogram->greatest)
        histogram->greatest = microseconds;
    histogram->sum += microseconds;
    histogram->count++;
}

double histogram_mean(const struct histogram *histogram)
{
    return histogram->count ? histogram->sum / (double) histogram->count : 0.0;
}

double histogram_percentile(const struct histogram *histogram, double share)
{
    const double wanted = share * (double) histogram->count;
    double seen = 0.0;
    for (int i = 0; i < HISTOGRAM_BUCKETS; i++) {
        seen += (double) histogram->buckets[i];
        if (seen >= wanted && histogram->buckets[i]) {
            /* The bucket's middle, within what was really seen. */
            const double middle = i ? lowest * pow(growth, i + 0.5) : 0.0;
            return fmin(fmax(middle, histogram->least), histogram->greatest);
        }
    }
    return histogram->greatest;
}
