/* options.h: the command line, parsed.
 *
 * Parsing touches neither device nor display nor file. Strings point into
 * argv. Thread rule: call from the main thread before any other is started.
 */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include <stdint.h>
#include <stdio.h>

#include "vkbase/error.h"
#include "vkbase/interop.h"

enum options_action {
    OPTIONS_RUN = 0,
    OPTIONS_HELP,
    OPTIONS_HELP_TESTS,
    OPTIONS_VERSION,
    OPTIONS_LIST_DEVICES,
    OPTIONS_COMPARE_FILES, /* --compare with --with: no device is needed */
};

enum options_compute { COMPUTE_AUTO = 0, COMPUTE_CUDA, COMPUTE_VULKAN };
enum options_style { STYLE_SURFACE = 0, STYLE_WIREFRAME, STYLE_POINTS, STYLE_COUNT };
enum options_renderer { RENDERER_RASTER = 0, RENDERER_COMPUTE, RENDERER_AUTO };
enum options_memory { MEMORY_DEDICATED = 0, MEMORY_SUBALLOCATED };
enum options_heightmap { HEIGHTMAP_BUFFER = 0, HEIGHTMAP_IMAGE };
enum options_present_mode { PRESENT_FIFO = 0, PRESENT_MAILBOX, PRESENT_IMMEDIATE };

enum {
    GRID_SIDE_MAX = 65536, /* vertices */
    SIZE_SIDE_MAX = 16384, /* pixels */
    BATCH_MAX = 1024,
    DELAY_MS_MAX = 60000,
};

struct options {
    enum options_action action;

    enum interop_semaphore_type semaphore;
    bool semaphore_given; /* asked for by name: then it must not be replaced */
    enum options_compute compute;
    const char *device; /* NULL: the best one */
    uint32_t grid_width, grid_height;
    uint32_t width, height; /* pixels */
    enum options_style style;
    enum options_renderer renderer;
    enum options_memory memory;
    enum options_heightmap heightmap;
    uint32_t batch; /* slots per handoff; filled in by mode when not given */
    bool batch_given;
    uint32_t samples; /* 1 or 4; 0: not given */
    enum options_present_mode present_mode;

    bool headless;
    uint64_t frames;      /* 0: until closed; 1 to 10^15 */
    uint64_t first_frame; /* absolute index of the first frame drawn */
    double start_time;    /* seconds */
    double time_step;     /* seconds, 1/60 when not given; a window then follows the wall clock */
    bool time_step_given;

    const char *screenshot; /* files: NULL where not asked for */
    const char *heights;
    const char *output; /* a pattern with one %d, or "-" for y4m on standard output */
    const char *compare;
    const char *with;
    const char *diff;
    bool bless;
    uint32_t threshold;    /* of 255 */
    double max_diff_ratio; /* 0 to 1 */
    const char *stats;     /* a file, or "-" */

    bool validation;
    bool quiet, verbose;

    /* Options that exist for tests. */
    bool test_validation_error;
    bool test_present; /* make a swapchain for a window that is not shown, and exit */
    uint32_t test_kernel_delay_ms;
    uint64_t test_drop_signal;     /* from the n-th on, ready signals are left out; 0: none */
    uint32_t test_ring_slots;      /* 0: as many as suit the stepper and the target */
    uint32_t test_submit_delay_ms; /* between the stepper's and the renderer's submission */
    uint64_t test_toggle_every;    /* switch the semaphore type every n frames; 0: never */
    uint64_t test_snapshot_every;  /* save a screenshot every n frames; 0: never */
    bool test_idle;                /* a line when a held window is drawn whole */
    bool test_checksums;           /* a line for the heights of each frame drawn */
    bool test_draw_alone;          /* step each slot once, then draw without handoffs */
};

/* Fills `options` from argv (argv[0] is skipped) with defaults for what was not
 * given. An option that is unknown, given twice, out of range or in contradiction
 * to another fails with error->kind ERROR_USAGE; the values in `options`
 * are then unspecified. Of several actions the one that comes first in
 * help, help-tests, version, list-devices, compare files is taken. */
bool options_parse(int argc, char *const *argv, struct options *options, struct error *error);

/* What --help (at most 80 columns), --help-tests and --version print. Write
 * errors stay in the stream: check ferror() or fclose(). */
void options_print_help(FILE *stream);
void options_print_test_help(FILE *stream);
void options_print_version(FILE *stream);

/* The program's version, such as "0.1.0". Static storage. */
const char *options_version(void);

/* The command line's word for a value of these options. Static storage. */
enum options_worded { OPTIONS_STYLE = 0, OPTIONS_MEMORY, OPTIONS_HEIGHTMAP, OPTIONS_PRESENT_MODE };
const char *options_word(enum options_worded option, uint32_t value);

#endif
