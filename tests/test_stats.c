/* Percentiles, timestamp spans, and the statistics' file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/stats.h"
#include "vkbase/timestamps.h"

static void percentiles_are_right_to_a_percent(void **state)
{
    (void) state;
    struct histogram *histogram = test_calloc(1, sizeof *histogram);
    assert_true(histogram_percentile(histogram, 0.5) <= 0.0);
    for (int i = 1; i <= 1000; i++)
        histogram_add(histogram, i);
    assert_int_equal(histogram->count, 1000);
    assert_true(fabs(histogram_mean(histogram) - 500.5) < 1e-9);
    assert_true(fabs(histogram_percentile(histogram, 0.50) - 500.0) <= 5.0);
    assert_true(fabs(histogram_percentile(histogram, 0.95) - 950.0) <= 9.5);
    assert_true(fabs(histogram_percentile(histogram, 0.99) - 990.0) <= 9.9);
    assert_true(fabs(histogram_percentile(histogram, 1.0) - 1000.0) <= 10.0);
    assert_true(fabs(histogram_percentile(histogram, 0.0) - 1.0) <= 0.011);
    test_free(histogram);
}

static void odd_durations_do_no_harm(void **state)
{
    (void) state;
    struct histogram *histogram = test_calloc(1, sizeof *histogram);
    histogram_add(histogram, -1.0);
    histogram_add(histogram, (double) NAN);
    histogram_add(histogram, 0.0);
    histogram_add(histogram, 1e12);
    assert_int_equal(histogram->count, 4);
    assert_true(histogram->least <= 0.0);
    assert_true(histogram_percentile(histogram, 0.5) <= 0.0);
    assert_true(histogram_percentile(histogram, 1.0) > 1e8);
    test_free(histogram);
}

static void timestamps_may_wrap(void **state)
{
    (void) state;
    const struct vkb_timestamps whole = {.mask = UINT64_MAX, .period_ns = 2.0};
    assert_true(fabs(vkb_timestamps_span(&whole, 10, 110) - 200.0) < 1e-9);
    assert_true(fabs(vkb_timestamps_span(&whole, UINT64_MAX, 1) - 4.0) < 1e-9);
    /* 36 valid bits, as some devices have. */
    const uint64_t mask = (UINT64_C(1) << 36) - 1;
    const struct vkb_timestamps narrow = {.mask = mask, .period_ns = 1.0};
    assert_true(fabs(vkb_timestamps_span(&narrow, mask - 4, 5) - 10.0) < 1e-9);
    assert_true(fabs(vkb_timestamps_gap(&narrow, mask - 4, 5) - 10.0) < 1e-9);
    /* More than half of what there is. */
    assert_true(fabs(vkb_timestamps_span(&narrow, 10, mask - 10) - (double) (mask - 20)) < 1e-9);
}

static void timestamps_may_overlap(void **state)
{
    (void) state;
    const uint64_t mask = (UINT64_C(1) << 36) - 1;
    const struct vkb_timestamps narrow = {.mask = mask, .period_ns = 1.0};
    assert_true(vkb_timestamps_gap(&narrow, 1000, 900) <= 0.0);
    assert_true(vkb_timestamps_gap(&narrow, 5, mask - 4) <= 0.0);
    assert_true(vkb_timestamps_gap(&narrow, 1000, 1000) <= 0.0);
}

/* Nanoseconds since 1970: doubles of that size are 256 apart. */
static void timestamps_of_an_epoch_are_exact(void **state)
{
    (void) state;
    const uint64_t epoch = UINT64_C(1760000000000000000);
    const struct vkb_timestamps stamps = {.mask = UINT64_MAX, .period_ns = 1.0};
    assert_true(fabs(vkb_timestamps_span(&stamps, epoch + 3, epoch + 104) - 101.0) < 1e-9);
    assert_true(fabs(vkb_timestamps_gap(&stamps, epoch + 3, epoch + 10) - 7.0) < 1e-9);
    assert_true(vkb_timestamps_gap(&stamps, epoch + 10, epoch + 3) <= 0.0);
}

static void warm_up_is_left_out(void **state)
{
    (void) state;
    struct stats *stats = test_calloc(1, sizeof *stats);
    stats_init(stats, true, 0);
    assert_int_equal(stats->warmup, STATS_WARMUP_FRAMES);
    stats_init(stats, true, 8);
    assert_int_equal(stats->warmup, 2);
    for (uint64_t i = 0; i < 8; i++)
        stats_add(stats, STATS_DRAW, i, 100.0);
    assert_int_equal(stats->stages[STATS_DRAW].count, 6);
    stats_init(stats, false, 8);
    stats_add(stats, STATS_DRAW, 7, 100.0);
    assert_int_equal(stats->stages[STATS_DRAW].count, 0);
    test_free(stats);
}

static void the_process_has_an_age(void **state)
{
    (void) state;
    const double age = stats_process_age();
    assert_true(age >= 0.0 && age < 600.0);
}

/* Writes the statistics of a run without frames; the text is the caller's. */
static char *written(const struct options *given, const struct stats_facts *facts)
{
    enum { SIZE = 16384 };
    char path[] = "/tmp/test_stats_XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    (void) close(fd);
    struct stats *stats = test_calloc(1, sizeof *stats);
    struct error error = {0};
    struct options options = *given;
    options.stats = path;
    stats_init(stats, true, 0);
    assert_true(stats_write(stats, &options, facts, &error));
    char *text = test_calloc(1, SIZE);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, SIZE - 1, file) > 0);
    (void) fclose(file);
    (void) unlink(path);
    test_free(stats);
    return text;
}

static const uint8_t some_uuid[INTEROP_UUID_SIZE] = {1, 2, 3};
static const struct stats_facts some_facts = {
    .device = "a \"quoted\\\" \n name \xff\xc3 \xc3\xa9 \xe2\x82\xac",
    .device_type = "software",
    .driver = "",
    .driver_info = "\x01",
    .uuid = some_uuid,
    .stepper = "vulkan",
    .semaphore = "binary",
    .renderer = "raster",
};

/* Names of a driver must not break the file's form. */
static void names_are_escaped(void **state)
{
    (void) state;
    const struct options options = {.grid_width = 3, .grid_height = 5};
    char *text = written(&options, &some_facts);
    assert_non_null(strstr(text, "\"name\": \"a \\\"quoted\\\\\\\" \\u000a name \\ufffd\\ufffd "
                                 "\xc3\xa9 \xe2\x82\xac\""));
    assert_non_null(strstr(text, "\"driver_info\": \"\\u0001\""));
    assert_non_null(strstr(text, "\"grid\": [3, 5]"));
    assert_non_null(strstr(text, "\"schema\": 1"));
    test_free(text);
}

/* Numbers and names of any length. */
static void long_pieces_are_written_whole(void **state)
{
    (void) state;
    char name[2000];
    char member[sizeof name + 32];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    (void) snprintf(member, sizeof member, "\"driver_info\": \"%s\"", name);
    struct stats_facts facts = some_facts;
    facts.driver_info = name;
    const struct options options = {.headless = true, .time_step = 1e300};
    char *text = written(&options, &facts);
    assert_non_null(strstr(text, member));
    assert_non_null(strstr(text, "\"time_step\": 1.0000000000000001e+300"));
    test_free(text);
}

static void options_have_the_words_of_the_command_line(void **state)
{
    (void) state;
    struct options options = {
        .style = STYLE_POINTS,
        .memory = MEMORY_SUBALLOCATED,
        .present_mode = PRESENT_IMMEDIATE,
        .time_step = 0.25,
    };
    struct stats_facts facts = some_facts;
    facts.present_mode = PRESENT_MAILBOX; /* in use */
    facts.cuda_driver = 13010;
    facts.cuda_runtime = 12080;
    char *text = written(&options, &facts);
    assert_non_null(strstr(text, "\"style\": \"points\""));
    assert_non_null(strstr(text, "\"memory\": \"suballocated\""));
    assert_non_null(strstr(text, "\"heightmap\": \"buffer\""));
    assert_non_null(strstr(text, "\"present_mode\": \"mailbox\""));
    assert_non_null(strstr(text, "\"time_step\": null"));
    assert_non_null(strstr(text, "\"driver\": \"13.1\",\n    \"runtime\": \"12.8\""));
    test_free(text);

    /* Headless, stepped by Vulkan. */
    options.headless = true;
    options.memory = MEMORY_DEDICATED;
    options.heightmap = HEIGHTMAP_IMAGE;
    text = written(&options, &some_facts);
    assert_non_null(strstr(text, "\"memory\": \"dedicated\""));
    assert_non_null(strstr(text, "\"heightmap\": \"image\""));
    assert_non_null(strstr(text, "\"present_mode\": null"));
    assert_non_null(strstr(text, "\"time_step\": 0.25"));
    assert_non_null(strstr(text, "\"driver\": null,\n    \"runtime\": null"));
    char version[64];
    (void) snprintf(version, sizeof version, "\"version\": \"%s\"", options_version());
    assert_non_null(strstr(text, version));
    test_free(text);
}

static void an_unwritable_place_is_an_error(void **state)
{
    (void) state;
    const uint8_t uuid[INTEROP_UUID_SIZE] = {0};
    const struct stats_facts facts = {"", "", "", "", uuid, "", "", "", 1, 1, 1, 1, 2, 2, 0, 0, 0};
    const struct options options = {.stats = "/dev/full"};
    struct stats *stats = test_calloc(1, sizeof *stats);
    struct error error = {0};
    assert_false(stats_write(stats, &options, &facts, &error));
    assert_int_equal(error.kind, ERROR_RUNTIME);
    test_free(stats);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percentiles_are_right_to_a_percent),
        cmocka_unit_test(odd_durations_do_no_harm),
        cmocka_unit_test(timestamps_may_wrap),
        cmocka_unit_test(timestamps_may_overlap),
        cmocka_unit_test(timestamps_of_an_epoch_are_exact),
        cmocka_unit_test(warm_up_is_left_out),
        cmocka_unit_test(the_process_has_an_age),
        cmocka_unit_test(names_are_escaped),
        cmocka_unit_test(long_pieces_are_written_whole),
        cmocka_unit_test(options_have_the_words_of_the_command_line),
        cmocka_unit_test(an_unwritable_place_is_an_error),
    };
    return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
