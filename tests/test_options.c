/* The command line: defaults, good and bad values of every option,
 * contradictions, and the help. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/options.h"
#include "app/options_table.h"
#include "app/pattern.h"
#include "app/text.h"

enum { ARGUMENTS_MAX = 24 };

/* Parses the words of `line`; "''" stands for an empty one, '~' for a space. */
static bool parse(const char *line, struct options *options, struct error *error)
{
    static char words[1024];
    char *argv[ARGUMENTS_MAX] = {(char[]){"sinewave"}};
    int argc = 1;
    char *save = NULL;
    assert_true(strlen(line) < sizeof words);
    memcpy(words, line, strlen(line) + 1);
    for (char *word = strtok_r(words, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        assert_true(argc < ARGUMENTS_MAX);
        for (char *c = word; *c; c++)
            *c = *c == '~' ? ' ' : *c;
        if (strcmp(word, "''") == 0)
            *word = '\0';
        argv[argc++] = word;
    }
    *error = (struct error){0};
    return options_parse(argc, argv, options, error);
}

static struct options accepts(const char *line)
{
    struct options options;
    struct error error;
    if (!parse(line, &options, &error))
        fail_msg("\"%s\" was refused: %s", line, error.text);
    return options;
}

/* The error must be one line in three parts that contains `part`. */
static void refuses(const char *line, const char *part)
{
    struct options options;
    struct error error;
    if (parse(line, &options, &error))
        fail_msg("\"%s\" was accepted", line);
    assert_int_equal(error.kind, ERROR_USAGE);
    if (!strstr(error.text, part))
        fail_msg("\"%s\" gave \"%s\", which lacks \"%s\"", line, error.text, part);
    assert_null(strchr(error.text, '\n'));
    const char *colon = strstr(error.text, ": ");
    assert_non_null(colon);
    assert_non_null(strstr(colon, "; "));
}

static void same_double(double a, double b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

static void defaults_in_a_window(void **state)
{
    (void) state;
    struct options o = accepts("");
    assert_int_equal(o.action, OPTIONS_RUN);
    assert_int_equal(o.semaphore, INTEROP_SEMAPHORE_TIMELINE);
    assert_false(o.semaphore_given);
    assert_int_equal(o.compute, COMPUTE_AUTO);
    assert_null(o.device);
    assert_int_equal(o.grid_width, 256);
    assert_int_equal(o.grid_height, 256);
    assert_int_equal(o.width, 1280);
    assert_int_equal(o.height, 800);
    assert_int_equal(o.style, STYLE_SURFACE);
    assert_int_equal(o.memory, MEMORY_DEDICATED);
    assert_int_equal(o.heightmap, HEIGHTMAP_BUFFER);
    assert_int_equal(o.batch, 1);
    assert_false(o.batch_given);
    assert_int_equal(o.samples, 0);
    assert_int_equal(o.present_mode, PRESENT_FIFO);
    assert_false(o.headless);
    assert_int_equal(o.frames, 0);
    assert_int_equal(o.first_frame, 0);
    same_double(o.start_time, 0.0);
    same_double(o.time_step, 1.0 / 60.0);
    assert_false(o.time_step_given);
    assert_null(o.screenshot);
    assert_null(o.heights);
    assert_null(o.output);
    assert_null(o.compare);
    assert_null(o.with);
    assert_null(o.diff);
    assert_null(o.stats);
    assert_false(o.bless);
    assert_int_equal(o.threshold, 2);
    same_double(o.max_diff_ratio, 0.005);
    assert_false(o.validation || o.quiet || o.verbose || o.test_validation_error);
    assert_int_equal(o.test_kernel_delay_ms, 0);
    assert_int_equal(o.test_submit_delay_ms, 0);
    assert_int_equal(o.test_ring_slots, 0);
    assert_int_equal(o.test_drop_signal, 0);
    assert_int_equal(o.test_toggle_every, 0);
    assert_int_equal(o.test_snapshot_every, 0);
}

static void defaults_headless(void **state)
{
    (void) state;
    struct options o = accepts("--headless");
    assert_true(o.headless);
    assert_int_equal(o.frames, 1);
    assert_int_equal(o.batch, 8);
    assert_false(o.batch_given);
    same_double(o.time_step, 1.0 / 60.0);
    assert_false(o.time_step_given);
    o = accepts("--frames 7 --batch 3 --headless");
    assert_int_equal(o.frames, 7);
    assert_int_equal(o.batch, 3);
    assert_true(o.batch_given);
}

static void choices(void **state)
{
    (void) state;
    struct options o = accepts("--semaphore binary");
    assert_int_equal(o.semaphore, INTEROP_SEMAPHORE_BINARY);
    assert_true(o.semaphore_given);
    o = accepts("--semaphore=timeline");
    assert_int_equal(o.semaphore, INTEROP_SEMAPHORE_TIMELINE);
    assert_true(o.semaphore_given);
    assert_int_equal(accepts("--compute auto").compute, COMPUTE_AUTO);
    assert_int_equal(accepts("--compute cuda").compute, COMPUTE_CUDA);
    assert_int_equal(accepts("--compute=vulkan").compute, COMPUTE_VULKAN);
    assert_int_equal(accepts("--style surface").style, STYLE_SURFACE);
    assert_int_equal(accepts("--style wireframe").style, STYLE_WIREFRAME);
    assert_int_equal(accepts("--style points").style, STYLE_POINTS);
    assert_int_equal(accepts("").renderer, RENDERER_RASTER);
    assert_int_equal(accepts("--renderer compute").renderer, RENDERER_COMPUTE);
    assert_int_equal(accepts("--renderer auto").renderer, RENDERER_AUTO);
    assert_int_equal(accepts("--memory dedicated").memory, MEMORY_DEDICATED);
    assert_int_equal(accepts("--memory suballocated").memory, MEMORY_SUBALLOCATED);
    assert_int_equal(accepts("--heightmap buffer").heightmap, HEIGHTMAP_BUFFER);
    assert_int_equal(accepts("--heightmap image").heightmap, HEIGHTMAP_IMAGE);
    refuses("--memory shared", "dedicated|suballocated");
    refuses("--heightmap texture", "buffer|image");

    refuses("--semaphore both",
            "--semaphore both: no such choice; give --semaphore timeline|binary");
    refuses("--semaphore Binary", "no such choice");
    refuses("--semaphore binary,", "no such choice");
    refuses("--semaphore ''", "is empty");
    refuses("--semaphore", "needs a value; give --semaphore timeline|binary");
    refuses("--compute opencl", "auto|cuda|vulkan");
    refuses("--compute=", "is empty");
    refuses("--style solid", "surface|wireframe|points");
}

static void pairs(void **state)
{
    (void) state;
    struct options o = accepts("--grid 1x1 --size 1x1");
    assert_int_equal(o.grid_width, 1);
    assert_int_equal(o.grid_height, 1);
    assert_int_equal(o.width, 1);
    assert_int_equal(o.height, 1);
    o = accepts("--grid=65536x3 --size=16384x2");
    assert_int_equal(o.grid_width, 65536);
    assert_int_equal(o.grid_height, 3);
    assert_int_equal(o.width, 16384);
    assert_int_equal(o.height, 2);
    assert_int_equal(accepts("--grid 5x65536").grid_height, 65536);

    refuses("--grid 0x5", "--grid 0x5: width must be 1 to 65536; give --grid WIDTHxHEIGHT");
    refuses("--grid 5x0", "height must be 1 to 65536");
    refuses("--grid 65537x5", "width must be");
    refuses("--grid 5x65537", "height must be");
    refuses("--grid 99999999x99999999", "width must be 1 to 65536");
    refuses("--grid 4294967297x1", "width must be");
    refuses("--grid 18446744073709551617x1", "width must be");
    refuses("--grid 1x99999999999999999999999999", "height must be");
    refuses("--size 16385x1", "width must be 1 to 16384");
    refuses("--size 1x16385", "height must be 1 to 16384");
    static const char *const malformed[] = {
        "256",  "256X256", "256*256", "x",        "x5", "5x",   "-1x5", "5x-1", "+1x5", "5x5x5",
        "5x5 ", "1.5x2",   "0x10x10", "256x256a", "''", "~5x5", "5~x5", "5x~5", "5,5",  "axb"};
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        char line[64];
        (void) snprintf(line, sizeof line, "--grid %s", malformed[i]);
        if (strcmp(malformed[i], "5x5 ") == 0)
            (void) snprintf(line, sizeof line, "--grid 5x5~");
        refuses(line, "must be two whole numbers such as 256x256");
    }
    refuses("--grid", "needs a value");
    refuses("--size", "needs a value");
}

static void integers(void **state)
{
    (void) state;
    assert_int_equal(accepts("--frames 1").frames, 1);
    assert_int_equal(accepts("--frames=1000000000000000").frames, UINT64_C(1000000000000000));
    assert_int_equal(accepts("--frames 0060").frames, 60);
    struct options o = accepts("--frames 2 --first-frame 0 --headless");
    assert_int_equal(o.first_frame, 0);
    assert_int_equal(accepts("--frames 2 --first-frame 99 --headless").first_frame, 99);
    assert_int_equal(accepts("--batch 1").batch, 1);
    assert_int_equal(accepts("--batch 1024").batch, 1024);
    assert_int_equal(accepts("--compare a --threshold 0").threshold, 0);
    assert_int_equal(accepts("--compare a --threshold 255").threshold, 255);
    assert_int_equal(accepts("--test-kernel-delay 0").test_kernel_delay_ms, 0);
    assert_int_equal(accepts("--test-kernel-delay 250").test_kernel_delay_ms, 250);
    assert_int_equal(accepts("--test-submit-delay 60000").test_submit_delay_ms, 60000);
    assert_int_equal(accepts("--test-ring-slots 32").test_ring_slots, 32);
    assert_int_equal(accepts("--test-drop-signal 3").test_drop_signal, 3);
    assert_int_equal(accepts("--test-toggle-every 30").test_toggle_every, 30);
    assert_int_equal(accepts("--test-snapshot-every 7").test_snapshot_every, 7);

    static const char *const bad[] = {"-1",
                                      "+1",
                                      "''",
                                      "~1",
                                      "1~",
                                      "1x",
                                      "0x5",
                                      "1e3",
                                      "1.0",
                                      "ten",
                                      "1,0",
                                      "--",
                                      "18446744073709551616",
                                      "99999999999999999999999999999999999999"};
    static const char *const names[] = {"--frames",
                                        "--first-frame",
                                        "--batch",
                                        "--threshold",
                                        "--test-kernel-delay",
                                        "--test-submit-delay",
                                        "--test-ring-slots",
                                        "--test-drop-signal",
                                        "--test-toggle-every",
                                        "--test-snapshot-every"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
            char line[128];
            (void) snprintf(line, sizeof line, "--compare a %s %s", names[n], bad[i]);
            refuses(line, strcmp(bad[i], "--") == 0 ? "needs a value" : "must be a whole number");
        }
    }
    refuses("--frames -1", "--frames -1: must be a whole number from 1 to");
    refuses("--frames 0", "from 1 to");
    refuses("--frames 1000000000000001", "from 1 to 1000000000000000;");
    refuses("--batch 0", "from 1 to 1024");
    refuses("--batch 1025", "from 1 to 1024");
    refuses("--batch 4294967297", "from 1 to 1024");
    refuses("--compare a --threshold 256", "from 0 to 255");
    refuses("--test-kernel-delay 60001", "from 0 to 60000");
    refuses("--test-submit-delay 60001", "from 0 to 60000");
    refuses("--test-drop-signal 0", "from 1 to");
    refuses("--test-toggle-every 0", "from 1 to");
    refuses("--test-snapshot-every 0", "from 1 to");
}

static void doubles(void **state)
{
    (void) state;
    struct options o = accepts("--time-step 0.04");
    assert_true(o.time_step_given);
    same_double(o.time_step, 0.04);
    same_double(accepts("--start-time -1.5e3").start_time, -1500.0);
    same_double(accepts("--start-time=1000000").start_time, 1e6);
    same_double(accepts("--start-time +.5").start_time, 0.5);
    same_double(accepts("--start-time 5.").start_time, 5.0);
    same_double(accepts("--start-time 1e-400").start_time, 0.0);
    same_double(accepts("--compare a --max-diff-ratio 0").max_diff_ratio, 0.0);
    same_double(accepts("--compare a --max-diff-ratio 1").max_diff_ratio, 1.0);

    static const char *const bad[] = {"0,5", "nan", "inf",   "-inf",  "NAN",    "infinity", "0x1p3",
                                      "''",  "~1",  "1~",    "1s",    "1e",     "1e+",      ".",
                                      "-",   "e5",  "1.5.2", "1e999", "-1e999", "1_000",    "--1"};
    static const char *const names[] = {"--time-step", "--start-time", "--max-diff-ratio"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
            char line[128];
            (void) snprintf(line, sizeof line, "--compare a %s %s", names[n], bad[i]);
            refuses(line, strcmp(bad[i], "--1") == 0 ? "needs a value" : "must be a number from");
        }
    }
    refuses("--time-step 0", "from 1e-06 to 1e+06");
    refuses("--time-step -0.1", "from 1e-06");
    refuses("--time-step 1e7", "to 1e+06");
    refuses("--start-time 1.1e9", "to 1e+09");
    refuses("--compare a --max-diff-ratio 1.01", "from 0 to 1 ");
    refuses("--compare a --max-diff-ratio -0.01", "from 0 to 1 ");
}

static void flags(void **state)
{
    (void) state;
    assert_true(accepts("--validation").validation);
    assert_true(accepts("--quiet").quiet);
    assert_true(accepts("--verbose").verbose);
    assert_true(accepts("--test-validation-error").test_validation_error);
    assert_true(accepts("--compare a --bless").bless);
    refuses("--headless=1", "takes no value; give --headless alone");
    refuses("--quiet=", "takes no value");
    refuses("--help=all", "takes no value");
}

static void texts(void **state)
{
    (void) state;
    assert_string_equal(accepts("--device 0").device, "0");
    assert_string_equal(accepts("--device GPU-1234").device, "GPU-1234");
    assert_string_equal(accepts("--device=a=b").device, "a=b");
    assert_string_equal(accepts("--screenshot a.png").screenshot, "a.png");
    assert_string_equal(accepts("--screenshot=--odd").screenshot, "--odd");
    assert_string_equal(accepts("--heights h.npy").heights, "h.npy");
    struct options o = accepts("--compare a.png --diff d.png");
    assert_string_equal(o.compare, "a.png");
    assert_string_equal(o.diff, "d.png");
    static const char *const names[] = {"--device",  "--screenshot", "--heights", "--output",
                                        "--compare", "--with",       "--diff"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        char line[64];
        (void) snprintf(line, sizeof line, "%s ''", names[n]);
        refuses(line, "is empty");
        (void) snprintf(line, sizeof line, "%s=", names[n]);
        refuses(line, "is empty");
        (void) snprintf(line, sizeof line, "%s", names[n]);
        refuses(line, "needs a value");
        (void) snprintf(line, sizeof line, "%s --quiet", names[n]);
        refuses(line, "needs a value");
        if (strcmp(names[n], "--device") != 0 && strcmp(names[n], "--output") != 0) {
            (void) snprintf(line, sizeof line, "%s -", names[n]);
            refuses(line, "needs a file, not standard output");
        }
    }
}

static void output(void **state)
{
    (void) state;
    assert_string_equal(accepts("--headless --output -").output, "-");
    refuses("--time-step 0.04 --output -", "add --headless");
    assert_string_equal(accepts("--headless --output f-%d.png").output, "f-%d.png");
    assert_string_equal(accepts("--headless --output %05d").output, "%05d");
    accepts("--headless --output a/%020d.png");
    accepts("--headless --output a/%3d.png");
    refuses("--output -", "add --headless");
    static const char *const bad[] = {"frame.png",
                                      "%s.png",
                                      "%d-%d.png",
                                      "%",
                                      "a%%d",
                                      "%5.3d",
                                      "%ld.png",
                                      "%-5d.png",
                                      "%021d",
                                      "%0d",
                                      "%n",
                                      "a%05x",
                                      "%+d",
                                      "%d%",
                                      "%00005",
                                      "%*d",
                                      "%999999999999999999999d"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char line[64];
        (void) snprintf(line, sizeof line, "--headless --output %s", bad[i]);
        refuses(line, "must hold one %d or %05d and no other %; give --output frame-%05d.png");
    }
}

static void patterns(void **state)
{
    (void) state;
    char path[32];
    assert_true(pattern_path("frame-%05d.png", 42, path, sizeof path));
    assert_string_equal(path, "frame-00042.png");
    assert_true(pattern_path("%d", UINT64_MAX, path, sizeof path));
    assert_string_equal(path, "18446744073709551615");
    assert_true(pattern_path("a%3db", 7, path, sizeof path));
    assert_string_equal(path, "a  7b");
    assert_true(pattern_path("a%03d", 12345, path, sizeof path));
    assert_string_equal(path, "a12345");
    assert_false(pattern_path("0123456789012345678901234%09d", 1, path, sizeof path));
    assert_string_equal(path, "");
    assert_false(pattern_path("%s", 1, path, sizeof path));
    assert_false(pattern_path("%d", 1, path, 0));

    assert_true(pattern_names("f-%05d.png", "f-00007.png"));
    assert_true(pattern_names("f-%05d.png", "f-123456.png"));
    assert_true(pattern_names("f%3d", "f  7"));
    assert_false(pattern_names("f-%05d.png", "f-0007.png"));
    assert_false(pattern_names("f-%d.png", "f-007.png"));
    assert_false(pattern_names("f-%d.png", "f-.png"));
    assert_false(pattern_names("f-%d.png", "f-x.png"));
    assert_false(pattern_names("f-%d.png", "g-7.png"));
    assert_false(pattern_names("f-%d.png", "f-7.jpg"));
    assert_false(pattern_names("aa%daa", "aaa"));
    assert_false(pattern_names("f", "f"));
}

static void contradictions(void **state)
{
    (void) state;
    refuses("--quiet --verbose", "--quiet: contradicts --verbose; leave one of them out");
    refuses("--with b", "--with: needs --compare; add --compare REF.png");
    refuses("--bless", "needs --compare");
    refuses("--diff d", "needs --compare");
    refuses("--threshold 3", "needs --compare");
    refuses("--max-diff-ratio 0.1", "needs --compare");
    refuses("--compare a --with b --bless", "--bless: contradicts --with");
    refuses("--compare a --with b --headless", "--headless: contradicts --with");
    refuses("--compare a --with b --frames 3", "--frames: contradicts --with");
    refuses("--compare a --with b --screenshot c", "--screenshot: contradicts --with");
    refuses("--headless --first-frame 5", "--first-frame: needs --frames; add --frames N");
    refuses("--frames 3 --first-frame 5", "add --time-step S or --headless");
    refuses("--compare a --screenshot a", "--screenshot a: would write over the file of --compare");
    refuses("--compare a --diff a", "would write over");
    refuses("--compare a --heights a", "would write over");
    refuses("--compare a --with b --diff b", "would write over the file of --with");
    refuses("--headless --compare f-00003 --output f-%05d", "would write over");
    refuses("--screenshot a --heights a", "is the file of --screenshot too");
    accepts("--screenshot /dev/null --heights /dev/null");
    accepts("--compare a --bless --threshold 3 --diff d");
    accepts("--headless --compare f-3 --output f-%05d");
    struct options o = accepts("--compare a --with b --diff d --threshold 1 --quiet");
    assert_int_equal(o.action, OPTIONS_COMPARE_FILES);
    assert_string_equal(o.with, "b");
    refuses("--renderer compute --samples 4", "contradicts --renderer compute");
    (void) accepts("--renderer compute --samples 1");
    (void) accepts("--renderer auto --samples 4");
}

static void actions(void **state)
{
    (void) state;
    assert_int_equal(accepts("--help").action, OPTIONS_HELP);
    assert_int_equal(accepts("--version").action, OPTIONS_VERSION);
    assert_int_equal(accepts("--help-tests").action, OPTIONS_HELP_TESTS);
    assert_int_equal(accepts("--list-devices --frames 3 --headless").action, OPTIONS_LIST_DEVICES);
    assert_int_equal(accepts("--list-devices --version --help-tests --help").action, OPTIONS_HELP);
    assert_int_equal(accepts("--version --bless").action, OPTIONS_VERSION);
    refuses("--help --frames 0", "must be a whole number");
}

static void each_option_once(void **state)
{
    (void) state;
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *row = &option_table[i];
        static const char *const values[] = {
            [OPTION_KIND_UINT32] = "1", [OPTION_KIND_UINT64] = "1", [OPTION_KIND_DOUBLE] = "0.5",
            [OPTION_KIND_PAIR] = "2x2", [OPTION_KIND_TEXT] = "a",   [OPTION_KIND_FILE] = "a",
            [OPTION_KIND_STREAM] = "a"};
        assert_non_null(row->name);
        const char *value = row->kind == OPTION_KIND_FLAG     ? ""
                            : row->kind == OPTION_KIND_CHOICE ? row->choices[0].word
                                                              : values[row->kind];
        char line[160], part[64];
        (void) snprintf(line, sizeof line, "%s %s %s %s", row->name, value, row->name, value);
        (void) snprintf(part, sizeof part, "%s: given twice; give it once", row->name);
        refuses(line, part);
    }
}

static void unknown(void **state)
{
    (void) state;
    refuses("--frame 3", "--frame: unknown option; did you mean --frames?");
    refuses("--semaphores binary", "did you mean --semaphore?");
    refuses("--hepl", "did you mean --help?");
    refuses("--screenshto=a", "did you mean --screenshot?");
    refuses("--zzzzzzzzzzzzzz", "--zzzzzzzzzzzzzz: unknown option; see --help");
    refuses("-h", "unknown option; see --help");
    refuses("--", "unknown option");
    refuses("-", "unknown option");
    refuses("scene.png", "scene.png: is not an option");
    refuses("''", "is not an option");
    refuses("--rendere", "did you mean --renderer?");
}

static void messages_stay_one_line(void **state)
{
    (void) state;
    char longest[600];
    memset(longest, 'a', sizeof longest);
    memcpy(longest, "--frames ", 9);
    longest[599] = '\0';
    refuses(longest, "...: must be a whole number");
    memcpy(longest, "--", 2);
    longest[8] = 'b';
    refuses(longest, "...: unknown option; see --help");
    refuses("--frames 1\n2\x1b[31m", "--frames 1?2?[31m: must be");
    refuses("--out\nput", "unknown option; did you mean --output?");
}

static void distances(void **state)
{
    (void) state;
    assert_int_equal(text_distance("", ""), 0);
    assert_int_equal(text_distance("abc", ""), 3);
    assert_int_equal(text_distance("", "abc"), 3);
    assert_int_equal(text_distance("abc", "abc"), 0);
    assert_int_equal(text_distance("abc", "acb"), 1);
    assert_int_equal(text_distance("kitten", "sitting"), 3);
    assert_int_equal(text_distance("ca", "abc"), 3);
}

/* What a printer writes, as a string of static storage. */
static const char *printed(void (*print)(FILE *))
{
    static char text[16384];
    FILE *stream = tmpfile();
    assert_non_null(stream);
    print(stream);
    rewind(stream);
    size_t length = fread(text, 1, sizeof text - 1, stream);
    text[length] = '\0';
    assert_int_equal(fclose(stream), 0);
    assert_true(length > 0);
    return text;
}

static void fits_80_columns(const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (length > 80 || (length > 0 && text[length - 1] == ' '))
            fail_msg("a line of %zu columns: %.*s", length, (int) length, text);
        text += length + (text[length] == '\n');
    }
}

static void help(void **state)
{
    (void) state;
    const char *text = printed(options_print_help);
    fits_80_columns(text);
    for (int i = 0; i < OPTION_COUNT; i++) {
        char entry[64];
        (void) snprintf(entry, sizeof entry, "\n  %s", option_table[i].name);
        bool expected = option_table[i].group != OPTION_GROUP_TESTS;
        if (expected != (strstr(text, entry) != NULL))
            fail_msg("%s %s in the help", option_table[i].name, expected ? "is not" : "is");
    }
    assert_non_null(strstr(text, "(default: 256x256)"));
    assert_non_null(strstr(text, "  130, 143 "));
    assert_non_null(strstr(text, "  Esc "));
    text = printed(options_print_test_help);
    fits_80_columns(text);
    assert_non_null(strstr(text, "--test-drop-signal N"));
    assert_null(strstr(text, "--grid"));
    assert_memory_equal(printed(options_print_version), "sinewave ", 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_in_a_window),
        cmocka_unit_test(defaults_headless),
        cmocka_unit_test(choices),
        cmocka_unit_test(pairs),
        cmocka_unit_test(integers),
        cmocka_unit_test(doubles),
        cmocka_unit_test(flags),
        cmocka_unit_test(texts),
        cmocka_unit_test(output),
        cmocka_unit_test(patterns),
        cmocka_unit_test(contradictions),
        cmocka_unit_test(actions),
        cmocka_unit_test(each_option_once),
        cmocka_unit_test(unknown),
        cmocka_unit_test(messages_stay_one_line),
        cmocka_unit_test(distances),
        cmocka_unit_test(help),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
