#include "app/stats.h"

#include <errno.h>
#include <stdio.h>
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

/* A JSON string (RFC 8259); bytes that are no UTF-8 become U+FFFD. NULL: null. */
static void put_string(FILE *text, const char *string)
{
    const unsigned char *at = (const unsigned char *) string;
    if (!string) {
        (void) fputs("null", text);
        return;
    }
    (void) fputc('"', text);
    while (*at) {
        const size_t length = utf8_length(at);
        if (length == 0)
            (void) fputs("\\ufffd", text);
        else if (*at == '"' || *at == '\\')
            (void) fprintf(text, "\\%c", *at);
        else if (*at < 0x20 || *at == 0x7F)
            (void) fprintf(text, "\\u%04x", *at);
        else
            (void) fwrite(at, 1, length, text);
        at += length ? length : 1;
    }
    (void) fputc('"', text);
}

static void put_member(FILE *text, const char *name, const char *string)
{
    (void) fprintf(text, "    \"%s\": ", name);
    put_string(text, string);
    (void) fputs(",\n", text);
}

/* "13.0", of 1000 * major + 10 * minor. 0: null. */
static void put_cuda_version(FILE *text, const char *name, int version, const char *after)
{
    char string[32];
    (void) snprintf(string, sizeof string, "%d.%d", version / 1000, version % 1000 / 10);
    (void) fprintf(text, "    \"%s\": ", name);
    put_string(text, version ? string : NULL);
    (void) fputs(after, text);
}

static void put_stage(FILE *text, const char *name, const struct histogram *histogram, bool last)
{
    (void) fprintf(text,
                   "    \"%s\": {\"count\": %llu, \"mean\": %.3f, \"min\": %.3f, \"p50\": %.3f, "
                   "\"p95\": %.3f, \"p99\": %.3f, \"max\": %.3f}%s\n",
                   name, (unsigned long long) histogram->count, histogram_mean(histogram),
                   histogram->least, histogram_percentile(histogram, 0.50),
                   histogram_percentile(histogram, 0.95), histogram_percentile(histogram, 0.99),
                   histogram->greatest, last ? "" : ",");
}

static void put_options(FILE *text, const struct options *options, const struct stats_facts *facts)
{
    put_member(text, "stepper", facts->stepper);
    put_member(text, "semaphore", facts->semaphore);
    put_member(text, "renderer", facts->renderer);
    put_member(text, "style", options_word(OPTIONS_STYLE, options->style));
    put_member(text, "memory", options_word(OPTIONS_MEMORY, options->memory));
    put_member(text, "heightmap", options_word(OPTIONS_HEIGHTMAP, options->heightmap));
    put_member(text, "present_mode",
               options->headless ? NULL : options_word(OPTIONS_PRESENT_MODE, facts->present_mode));
    (void) fprintf(text,
                   "    \"grid\": [%u, %u],\n    \"size\": [%u, %u],\n    \"samples\": %u,\n"
                   "    \"batch\": %u,\n    \"slots\": %u,\n    \"frames_in_flight\": %u,\n",
                   options->grid_width, options->grid_height, facts->width, facts->height,
                   facts->samples, facts->batch, facts->slots, facts->frames_in_flight);
    if (options->headless || options->time_step_given)
        (void) fprintf(text, "    \"time_step\": %.17g,\n", options->time_step);
    else
        (void) fputs("    \"time_step\": null,\n", text);
    (void) fprintf(text, "    \"headless\": %s,\n    \"validation\": %s\n",
                   options->headless ? "true" : "false", options->validation ? "true" : "false");
}

static void put_all(FILE *text, const struct stats *stats, const struct options *options,
                    const struct stats_facts *facts)
{
    static const char *const names[STATS_STAGES] = {"frame", "host", "pacing",
                                                    "draw",  "step", "handoff_wait"};
    char uuid[VKB_UUID_TEXT_SIZE];
    vkb_uuid_text(facts->uuid, uuid);
    (void) fprintf(text, "{\n  \"schema\": %d,\n  \"version\": ", STATS_SCHEMA);
    put_string(text, options_version());
    (void) fputs(",\n  \"device\": {\n", text);
    put_member(text, "name", facts->device);
    put_member(text, "type", facts->device_type);
    put_member(text, "driver", facts->driver);
    put_member(text, "driver_info", facts->driver_info);
    (void) fprintf(text, "    \"uuid\": \"%s\"\n  },\n  \"cuda\": {\n", uuid);
    put_cuda_version(text, "driver", facts->cuda_driver, ",\n");
    put_cuda_version(text, "runtime", facts->cuda_runtime, "\n  },\n  \"options\": {\n");
    put_options(text, options, facts);
    (void) fprintf(
        text,
        "  },\n  \"frames\": %llu,\n  \"warmup_frames\": %llu,\n  \"first_frame_seconds\": %.3f,\n"
        "  \"microseconds\": {\n",
        (unsigned long long) stats->frames,
        (unsigned long long) (stats->frames < stats->warmup ? stats->frames : stats->warmup),
        stats->first_frame_s);
    for (int i = 0; i < STATS_STAGES; i++)
        put_stage(text, names[i], &stats->stages[i], i == STATS_STAGES - 1);
    (void) fputs("  }\n}\n", text);
}

static bool write_text(const char *path, const char *bytes, size_t size, struct error *error)
{
    if (strcmp(path, "-") == 0) {
        const int number = output_file_write_all(STDOUT_FILENO, bytes, size);
        return number == 0 || error_set(error, ERROR_RUNTIME,
                                        "cannot write the statistics to standard output: %s; %s",
                                        strerror(number), output_file_advice(number));
    }
    struct output_file *file = malloc(sizeof *file);
    if (!file)
        return error_set(error, ERROR_RUNTIME,
                         "cannot write the statistics: out of memory; free memory and run again");
    bool ok = output_file_open(file, path, error);
    if (ok && !output_file_write(file, bytes, size, error)) {
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
    char *bytes = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&bytes, &size);
    bool ok = text != NULL;
    if (text) {
        put_all(text, stats, options, facts);
        ok = ferror(text) == 0;
        ok = fclose(text) == 0 && ok;
    }
    ok = ok ? write_text(options->stats, bytes, size, error)
            : error_set(error, ERROR_RUNTIME,
                        "cannot write the statistics: out of memory; free memory and run again");
    free(bytes);
    return ok;
}
