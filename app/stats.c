#include "app/stats.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/output_file.h"
#include "vkbase/device_choice.h"

void stats_init(struct stats *stats, bool enabled, uint64_t frames)
{
    *stats = (struct stats){.enabled = enabled, .warmup = STATS_WARMUP_FRAMES};
    if (frames && frames / 4 < stats->warmup)
        stats->warmup = frames / 4;
}

void stats_add(struct stats *stats, enum stats_stage stage, uint64_t frame, double microseconds)
{
    if (stats->enabled && frame >= stats->warmup)
        histogram_add(&stats->stages[stage], microseconds);
}

double stats_process_age(void)
{
    /* Field 22 of /proc/self/stat, behind the name in parentheses, which may
     * hold anything: proc(5). */
    char text[1024];
    double age = 0.0;
    FILE *file = fopen("/proc/self/stat", "re");
    if (!file)
        return 0.0;
    const size_t length = fread(text, 1, sizeof text - 1, file);
    (void) fclose(file);
    text[length] = '\0';
    const char *at = strrchr(text, ')');
    for (int field = 2; at && field < 22; field++) {
        at = strchr(at, ' ');
        at = at ? at + 1 : NULL;
    }
    struct timespec now;
    if (at && clock_gettime(CLOCK_BOOTTIME, &now) == 0)
        age = (double) now.tv_sec + (double) now.tv_nsec * 1e-9 -
              (double) strtoull(at, NULL, 10) / (double) sysconf(_SC_CLK_TCK);
    return age > 0.0 ? age : 0.0;
}

/* Text that grows; `failed` once memory ran out. */
struct text {
    char *bytes;
    size_t used, size;
    bool failed;
};

__attribute__((format(printf, 2, 3))) static void append(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char piece[256];
    const int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (text->failed || length < 0 || (size_t) length >= sizeof piece) {
        text->failed = true;
        return;
    }
    if (text->used + (size_t) length >= text->size) {
        const size_t size = 2 * text->size + sizeof piece;
        char *bytes = realloc(text->bytes, size);
        if (!bytes) {
            text->failed = true;
            return;
        }
        text->bytes = bytes;
        text->size = size;
    }
    memcpy(text->bytes + text->used, piece, (size_t) length);
    text->used += (size_t) length;
}

/* Length of the UTF-8 sequence at `at`, 0 where there is none (RFC 3629). */
static size_t utf8_length(const unsigned char *at)
{
    static const unsigned char low[4] = {0, 0xC2, 0xE0, 0xF0};
    size_t length = at[0] < 0x80 ? 1 : at[0] >= 0xF0 ? 4 : at[0] >= 0xE0 ? 3 : 2;
    if (length > 1 && (at[0] < low[length - 1] || at[0] > 0xF4))
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    }
    if ((at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xED && at[1] > 0x9F) ||
        (at[0] == 0xF0 && at[1] < 0x90) || (at[0] == 0xF4 && at[1] > 0x8F))
        return 0;
    return length;
}

/* A JSON string (RFC 8259); bytes that are no UTF-8 become U+FFFD. */
static void append_string(struct text *text, const char *string)
{
    const unsigned char *at = (const unsigned char *) string;
    append(text, "\"");
    while (*at) {
        const size_t length = utf8_length(at);
        if (length == 0)
            append(text, "\\ufffd");
        else if (*at == '"' || *at == '\\')
            append(text, "\\%c", *at);
        else if (*at < 0x20 || *at == 0x7F)
            append(text, "\\u%04x", *at);
        else
            append(text, "%.*s", (int) length, (const char *) at);
        at += length ? length : 1;
    }
    append(text, "\"");
}

static void append_member(struct text *text, const char *name, const char *string)
{
    append(text, "    \"%s\": ", name);
    append_string(text, string);
    append(text, ",\n");
}

static void append_stage(struct text *text, const char *name, const struct histogram *histogram,
                         bool last)
{
    append(text,
           "    \"%s\": {\"count\": %llu, \"mean\": %.3f, \"min\": %.3f, \"p50\": %.3f, "
           "\"p95\": %.3f, \"p99\": %.3f, \"max\": %.3f}%s\n",
           name, (unsigned long long) histogram->count, histogram_mean(histogram), histogram->least,
           histogram_percentile(histogram, 0.50), histogram_percentile(histogram, 0.95),
           histogram_percentile(histogram, 0.99), histogram->greatest, last ? "" : ",");
}

static void append_all(struct text *text, const struct stats *stats, const struct options *options,
                       const struct stats_facts *facts)
{
    static const char *const names[STATS_STAGES] = {"frame", "host", "pacing",
                                                    "draw",  "step", "handoff_wait"};
    char uuid[VKB_UUID_TEXT_SIZE];
    vkb_uuid_text(facts->uuid, uuid);
    append(text, "{\n  \"schema\": %d,\n  \"device\": {\n", STATS_SCHEMA);
    append_member(text, "name", facts->device);
    append_member(text, "type", facts->device_type);
    append_member(text, "driver", facts->driver);
    append_member(text, "driver_info", facts->driver_info);
    append(text, "    \"uuid\": \"%s\"\n  },\n  \"options\": {\n", uuid);
    append_member(text, "stepper", facts->stepper);
    append_member(text, "semaphore", facts->semaphore);
    append_member(text, "renderer", facts->renderer);
    append_member(text, "style",
                  options->style == STYLE_SURFACE     ? "surface"
                  : options->style == STYLE_WIREFRAME ? "wireframe"
                                                      : "points");
    append(text,
           "    \"grid\": [%u, %u],\n    \"size\": [%u, %u],\n    \"samples\": %u,\n"
           "    \"batch\": %u,\n    \"slots\": %u,\n    \"frames_in_flight\": %u,\n",
           options->grid_width, options->grid_height, facts->width, facts->height, facts->samples,
           facts->batch, facts->slots, facts->frames_in_flight);
    append(text, "    \"headless\": %s,\n    \"validation\": %s\n  },\n",
           options->headless ? "true" : "false", options->validation ? "true" : "false");
    append(text,
           "  \"frames\": %llu,\n  \"warmup_frames\": %llu,\n  \"first_frame_seconds\": %.3f,\n"
           "  \"microseconds\": {\n",
           (unsigned long long) stats->frames,
           (unsigned long long) (stats->frames < stats->warmup ? stats->frames : stats->warmup),
           stats->first_frame_s);
    for (int i = 0; i < STATS_STAGES; i++)
        append_stage(text, names[i], &stats->stages[i], i == STATS_STAGES - 1);
    append(text, "  }\n}\n");
}

static bool write_text(const char *path, const struct text *text, struct error *error)
{
    if (strcmp(path, "-") == 0) {
        const int number = output_file_write_all(STDOUT_FILENO, text->bytes, text->used);
        return number == 0 || error_set(error, ERROR_RUNTIME,
                                        "cannot write the statistics to standard output: %s; %s",
                                        strerror(number), output_file_advice(number));
    }
    struct output_file *file = malloc(sizeof *file);
    if (!file)
        return error_set(error, ERROR_RUNTIME,
                         "cannot write the statistics: out of memory; free memory and run again");
    bool ok = output_file_open(file, path, error);
    if (ok && !output_file_write(file, text->bytes, text->used, error)) {
        output_file_abort(file);
        ok = false;
    } else if (ok) {
        ok = output_file_commit(file, error);
    }
    free(file);
    return ok;
}

bool stats_write(const struct stats *stats, const struct options *options,
                 const struct stats_facts *facts, struct error *error)
{
    struct text text = {0};
    append_all(&text, stats, options, facts);
    const bool ok = text.failed
                        ? error_set(error, ERROR_RUNTIME,
                                    "cannot write the statistics: out of memory; free memory and "
                                    "run again")
                        : write_text(options->stats, &text, error);
    free(text.bytes);
    return ok;
}
