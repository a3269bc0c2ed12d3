/* options_table.h: one row for each option, which parser and help both read.
 * Private to options.c, options_table.c and help.c.
 */
#ifndef APP_OPTIONS_TABLE_H
#define APP_OPTIONS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order of the help. */
enum option_id {
    OPTION_SEMAPHORE = 0,
    OPTION_COMPUTE,
    OPTION_DEVICE,
    OPTION_LIST_DEVICES,
    OPTION_MEMORY,
    OPTION_HEIGHTMAP,
    OPTION_BATCH,
    OPTION_VALIDATION,

    OPTION_GRID,
    OPTION_SIZE,
    OPTION_STYLE,
    OPTION_RENDERER,
    OPTION_SAMPLES,
    OPTION_PRESENT_MODE,

    OPTION_HEADLESS,
    OPTION_FRAMES,
    OPTION_FIRST_FRAME,
    OPTION_START_TIME,
    OPTION_TIME_STEP,

    OPTION_SCREENSHOT,
    OPTION_HEIGHTS,
    OPTION_OUTPUT,
    OPTION_STATS,

    OPTION_COMPARE,
    OPTION_WITH,
    OPTION_THRESHOLD,
    OPTION_MAX_DIFF_RATIO,
    OPTION_DIFF,
    OPTION_BLESS,

    OPTION_QUIET,
    OPTION_VERBOSE,
    OPTION_HELP,
    OPTION_HELP_TESTS,
    OPTION_VERSION,

    OPTION_TEST_VALIDATION_ERROR,
    OPTION_TEST_PRESENT,
    OPTION_TEST_KERNEL_DELAY,
    OPTION_TEST_RING_SLOTS,
    OPTION_TEST_SUBMIT_DELAY,
    OPTION_TEST_DROP_SIGNAL,
    OPTION_TEST_TOGGLE_EVERY,
    OPTION_TEST_SNAPSHOT_EVERY,
    OPTION_TEST_IDLE,
    OPTION_TEST_CHECKSUMS,
    OPTION_TEST_DRAW_ALONE,

    OPTION_COUNT
};

enum option_kind {
    OPTION_KIND_FLAG = 0, /* bool, no value */
    OPTION_KIND_CHOICE,   /* enum or uint32_t: one of `choices` */
    OPTION_KIND_UINT32,   /* least to most */
    OPTION_KIND_UINT64,   /* least to most */
    OPTION_KIND_DOUBLE,   /* lowest to highest */
    OPTION_KIND_PAIR,     /* two uint32_t, least to most each; offset is the first one's */
    OPTION_KIND_TEXT,     /* const char *, not empty */
    OPTION_KIND_FILE,     /* the same, and not "-" */
    OPTION_KIND_STREAM,   /* the same, and "-" is standard output */
};

enum option_group {
    OPTION_GROUP_DEVICE = 0,
    OPTION_GROUP_SCENE,
    OPTION_GROUP_RUN,
    OPTION_GROUP_FILES,
    OPTION_GROUP_COMPARE,
    OPTION_GROUP_GENERAL,
    OPTION_GROUP_TESTS,
    OPTION_GROUP_COUNT
};

struct option_choice {
    const char *word; /* NULL: the end */
    uint32_t value;
};

struct option_row {
    const char *name;
    bool for_files; /* may stand beside --with, which draws nothing */
    enum option_kind kind;
    enum option_group group;
    size_t offset; /* of the value in struct options; FLAG: SIZE_MAX where it has none */
    size_t second; /* PAIR: of the second value */
    uint64_t least, most;
    double lowest, highest;
    const struct option_choice *choices;
    const char *argument; /* as the help shows it; NULL: none */
    const char *text;     /* help */
    const char *preset;   /* the default as the help shows it; NULL: none worth a word */
};

extern const struct option_row option_table[OPTION_COUNT];

#endif
