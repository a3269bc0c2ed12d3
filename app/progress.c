#include "app/progress.h"

#include <inttypes.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec time = {0};
    (void) clock_gettime(CLOCK_MONOTONIC, &time);
    return (double) time.tv_sec + (double) time.tv_nsec * 1e-9;
}

void progress_start(struct progress *progress, FILE *stream, uint64_t total, bool quiet)
{
    *progress = (struct progress){.total = total};
    if (quiet || isatty(fileno(stream)) != 1)
        return;
    progress->stream = stream;
    progress->start = now();
    progress->next = progress->start;
}

void progress_text(char *text, size_t size, uint64_t done, uint64_t total, double seconds)
{
    double rate = seconds > 0 ? (double) done / seconds : 0;
    int length = snprintf(text, size, "frame %" PRIu64, done);
    if (total > 0)
        length += snprintf(text + length, size - (size_t) length, "/%" PRIu64, total);
    length += snprintf(text + length, size - (size_t) length, "  %.1f fps", rate);
    if (rate <= 0 || total < done)
        return;
    double left = (double) (total - done) / rate;
    if (left > 359999) /* 100 hours less a second: too far off to tell */
        return;
    uint32_t whole = (uint32_t) (left + 0.5), hours = whole / 3600, minutes = whole / 60 % 60;
    if (hours > 0)
        (void) snprintf(text + length, size - (size_t) length,
                        "  %" PRIu32 ":%02" PRIu32 ":%02" PRIu32 " left", hours, minutes,
                        whole % 60);
    else
        (void) snprintf(text + length, size - (size_t) length, "  %" PRIu32 ":%02" PRIu32 " left",
                        minutes, whole % 60);
}

void progress_update(struct progress *progress, uint64_t done)
{
    if (!progress->stream)
        return;
    double time = now();
    if (time < progress->next)
        return;
    char text[80];
    progress_text(text, sizeof text, done, progress->total, time - progress->start);
    /* To the left edge, text, clear to the right edge (ECMA-48 EL). */
    (void) fprintf(progress->stream, "\r%s\033[K", text);
    (void) fflush(progress->stream);
    progress->next = time + 0.1;
    progress->shown = true;
}

void progress_clear(struct progress *progress)
{
    if (!progress->stream || !progress->shown)
        return;
    (void) fputs("\r\033[K", progress->stream);
    (void) fflush(progress->stream);
    progress->shown = false;
}
