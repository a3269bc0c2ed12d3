#include "app/options.h"

#include <inttypes.h>
#include <string.h>

#include "app/options_table.h"
#include "app/pattern.h"
#include "app/text.h"

struct parser {
    struct options *options;
    struct error *error;
    bool given[OPTION_COUNT];
};

static bool value_fails(const struct parser *parser, const struct option_row *row,
                        const char *value, const char *why)
{
    char shown[TEXT_SHOWN_SIZE];
    return error_set(parser->error, ERROR_USAGE, "%s %s: %s; give %s %s", row->name,
                     text_shown(value, shown), why, row->name, row->argument);
}

static void store(const struct parser *parser, size_t offset, const void *value, size_t size)
{
    memcpy((char *) parser->options + offset, value, size);
}

static bool parse_choice(struct parser *parser, const struct option_row *row, const char *value)
{
    for (const struct option_choice *choice = row->choices; choice->word; choice++) {
        if (strcmp(choice->word, value) == 0) {
            store(parser, row->offset, &choice->value, sizeof choice->value);
            return true;
        }
    }
    return value_fails(parser, row, value, value[0] ? "no such choice" : "is empty");
}

static bool parse_integer(struct parser *parser, const struct option_row *row, const char *value)
{
    uint64_t number = 0;
    if (text_to_u64(value, strlen(value), &number) != TEXT_OK || number < row->least ||
        number > row->most) {
        char why[96];
        (void) snprintf(why, sizeof why, "must be a whole number from %" PRIu64 " to %" PRIu64,
                        row->least, row->most);
        return value_fails(parser, row, value, why);
    }
    if (row->kind == OPTION_KIND_UINT32) {
        uint32_t narrow = (uint32_t) number;
        store(parser, row->offset, &narrow, sizeof narrow);
    } else {
        store(parser, row->offset, &number, sizeof number);
    }
    return true;
}

static bool parse_double(struct parser *parser, const struct option_row *row, const char *value)
{
    double number = 0;
    if (text_to_double(value, &number) != TEXT_OK || number < row->lowest ||
        number > row->highest) {
        char why[96];
        (void) snprintf(why, sizeof why, "must be a number from %g to %g such as 0.25", row->lowest,
                        row->highest);
        return value_fails(parser, row, value, why);
    }
    store(parser, row->offset, &number, sizeof number);
    return true;
}

static bool parse_pair(struct parser *parser, const struct option_row *row, const char *value)
{
    static const char *const side[2] = {"width", "height"};
    const char *cross = strchr(value, 'x');
    if (!cross)
        return value_fails(parser, row, value, "must be two whole numbers such as 256x256");
    const char *text[2] = {value, cross + 1};
    const size_t length[2] = {(size_t) (cross - value), strlen(cross + 1)};
    const size_t offset[2] = {row->offset, row->second};
    uint64_t number[2] = {0, 0};
    enum text_result result[2];
    for (int i = 0; i < 2; i++) {
        result[i] = text_to_u64(text[i], length[i], &number[i]);
        if (result[i] == TEXT_MALFORMED)
            return value_fails(parser, row, value, "must be two whole numbers such as 256x256");
    }
    for (int i = 0; i < 2; i++) {
        if (result[i] != TEXT_OK || number[i] < row->least || number[i] > row->most) {
            char why[64];
            (void) snprintf(why, sizeof why, "%s must be %" PRIu64 " to %" PRIu64, side[i],
                            row->least, row->most);
            return value_fails(parser, row, value, why);
        }
        uint32_t narrow = (uint32_t) number[i];
        store(parser, offset[i], &narrow, sizeof narrow);
    }
    return true;
}

static bool parse_text(struct parser *parser, const struct option_row *row, const char *value)
{
    if (value[0] == '\0')
        return value_fails(parser, row, "\"\"", "is empty");
    if (row->kind == OPTION_KIND_FILE && strcmp(value, "-") == 0)
        return value_fails(parser, row, value, "needs a file, not standard output");
    store(parser, row->offset, &value, sizeof value);
    return true;
}

static bool parse_value(struct parser *parser, const struct option_row *row, const char *value)
{
    switch (row->kind) {
    case OPTION_KIND_FLAG:
        break;
    case OPTION_KIND_CHOICE:
        return parse_choice(parser, row, value);
    case OPTION_KIND_UINT32:
    case OPTION_KIND_UINT64:
        return parse_integer(parser, row, value);
    case OPTION_KIND_DOUBLE:
        return parse_double(parser, row, value);
    case OPTION_KIND_PAIR:
        return parse_pair(parser, row, value);
    case OPTION_KIND_TEXT:
    case OPTION_KIND_FILE:
    case OPTION_KIND_STREAM:
        return parse_text(parser, row, value);
    }
    return true;
}

static bool unknown_option(const struct parser *parser, const char *name)
{
    char shown[TEXT_SHOWN_SIZE];
    const char *nearest = NULL;
    unsigned distance = 0;

    if (name[0] != '-')
        return error_set(parser->error, ERROR_USAGE,
                         "%s: is not an option; options start with --, see --help",
                         text_shown(name, shown));
    for (int i = 0; i < OPTION_COUNT; i++) {
        unsigned other = text_distance(name, option_table[i].name);
        if (!nearest || other < distance) {
            nearest = option_table[i].name;
            distance = other;
        }
    }
    /* Where half of it would have to change, a guess is no help. */
    if (nearest && distance <= strlen(nearest) / 2)
        return error_set(parser->error, ERROR_USAGE,
                         "%s: unknown option; did you mean %s? See --help", text_shown(name, shown),
                         nearest);
    return error_set(parser->error, ERROR_USAGE, "%s: unknown option; see --help",
                     text_shown(name, shown));
}

static int find_option(const char *name, size_t length)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (strlen(option_table[i].name) == length &&
            strncmp(option_table[i].name, name, length) == 0)
            return i;
    }
    return -1;
}

/* Parses the option at argv[*at] and moves *at past it and its value. */
static bool parse_option(struct parser *parser, int argc, char *const *argv, int *at)
{
    const char *argument = argv[(*at)++];
    const char *equals = strchr(argument, '=');
    size_t length = equals ? (size_t) (equals - argument) : strlen(argument);
    int id = find_option(argument, length);
    if (id < 0)
        return unknown_option(parser, argument);
    const struct option_row *row = &option_table[id];
    if (parser->given[id])
        return error_set(parser->error, ERROR_USAGE, "%s: given twice; give it once", row->name);
    parser->given[id] = true;

    if (row->kind == OPTION_KIND_FLAG) {
        bool on = true;
        if (equals)
            return error_set(parser->error, ERROR_USAGE, "%s: takes no value; give %s alone",
                             row->name, row->name);
        if (row->offset != SIZE_MAX)
            store(parser, row->offset, &on, sizeof on);
        return true;
    }
    if (equals)
        return parse_value(parser, row, equals + 1);
    /* What looks like an option is one: a forgotten value must not eat it. */
    if (*at >= argc || strncmp(argv[*at], "--", 2) == 0)
        return error_set(parser->error, ERROR_USAGE, "%s: needs a value; give %s %s", row->name,
                         row->name, row->argument);
    return parse_value(parser, row, argv[(*at)++]);
}

/* `option` makes sense only beside `needed`. */
static bool needs(const struct parser *parser, enum option_id option, enum option_id needed)
{
    if (!parser->given[option] || parser->given[needed])
        return true;
    const struct option_row *row = &option_table[needed];
    return error_set(parser->error, ERROR_USAGE, "%s: needs %s; add %s%s%s",
                     option_table[option].name, row->name, row->name, row->argument ? " " : "",
                     row->argument ? row->argument : "");
}

static bool excludes(const struct parser *parser, enum option_id option, enum option_id other)
{
    if (!parser->given[option] || !parser->given[other])
        return true;
    return error_set(parser->error, ERROR_USAGE, "%s: contradicts %s; leave one of them out",
                     option_table[option].name, option_table[other].name);
}

static bool check_with(const struct parser *parser)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (parser->given[i] && !option_table[i].for_files)
            return error_set(parser->error, ERROR_USAGE,
                             "%s: contradicts --with, which compares two files and draws nothing; "
                             "leave one of them out",
                             option_table[i].name);
    }
    return true;
}

static bool check_output(const struct parser *parser)
{
    const struct options *options = parser->options;
    char shown[TEXT_SHOWN_SIZE];
    if (!options->output)
        return true;
    if (!options->headless)
        return error_set(parser->error, ERROR_USAGE,
                         "--output: frames of one size are written, and a window's may change; add "
                         "--headless");
    if (strcmp(options->output, "-") == 0) {
        if (options->stats && strcmp(options->stats, "-") == 0)
            return error_set(parser->error, ERROR_USAGE,
                             "--output -: contradicts --stats -, standard output takes one of "
                             "them; give --stats FILE.json");
        return true;
    }
    if (!pattern_valid(options->output))
        return error_set(parser->error, ERROR_USAGE,
                         "--output %s: must hold one %%d or %%05d and no other %%; give --output "
                         "frame-%%05d.png or --output -",
                         text_shown(options->output, shown));
    return true;
}

/* No two outputs in one file, and no output where a reference is: only --bless
 * writes one. Files are told apart by name only. */
static bool check_paths(const struct parser *parser)
{
    static const enum option_id outputs[] = {OPTION_SCREENSHOT, OPTION_HEIGHTS, OPTION_DIFF,
                                             OPTION_STATS};
    enum { COUNT = sizeof outputs / sizeof outputs[0] };
    const struct options *options = parser->options;
    const char *const paths[COUNT] = {options->screenshot, options->heights, options->diff,
                                      options->stats};
    const char *const references[2] = {options->compare, options->with};
    char shown[TEXT_SHOWN_SIZE];

    for (int r = 0; r < 2; r++) {
        const char *name = r == 0 ? "--compare" : "--with";
        if (!references[r])
            continue;
        for (int i = 0; i < COUNT; i++) {
            if (paths[i] && strcmp(paths[i], references[r]) == 0)
                return error_set(parser->error, ERROR_USAGE,
                                 "%s %s: would write over the file of %s; give another file",
                                 option_table[outputs[i]].name, text_shown(paths[i], shown), name);
        }
        if (options->output && pattern_names(options->output, references[r]))
            return error_set(parser->error, ERROR_USAGE,
                             "--output %s: would write over the file of %s; give another pattern",
                             text_shown(options->output, shown), name);
    }
    for (int i = 0; i < COUNT; i++) {
        for (int j = 0; j < i; j++) {
            /* Devices take all that comes; so does standard output. */
            if (paths[i] && paths[j] && strcmp(paths[i], paths[j]) == 0 &&
                strncmp(paths[i], "/dev/", 5) != 0)
                return error_set(parser->error, ERROR_USAGE,
                                 "%s %s: is the file of %s too; give another file",
                                 option_table[outputs[i]].name, text_shown(paths[i], shown),
                                 option_table[outputs[j]].name);
        }
    }
    return true;
}

static bool check(const struct parser *parser)
{
    const bool *given = parser->given;
    if (!excludes(parser, OPTION_QUIET, OPTION_VERBOSE) ||
        !needs(parser, OPTION_WITH, OPTION_COMPARE) ||
        !needs(parser, OPTION_BLESS, OPTION_COMPARE) ||
        !needs(parser, OPTION_DIFF, OPTION_COMPARE) ||
        !needs(parser, OPTION_THRESHOLD, OPTION_COMPARE) ||
        !needs(parser, OPTION_MAX_DIFF_RATIO, OPTION_COMPARE) ||
        !needs(parser, OPTION_FIRST_FRAME, OPTION_FRAMES))
        return false;
    if (given[OPTION_WITH] && !check_with(parser))
        return false;
    if (given[OPTION_FIRST_FRAME] && !given[OPTION_HEADLESS] && !given[OPTION_TIME_STEP])
        return error_set(parser->error, ERROR_USAGE,
                         "--first-frame: a window that follows the wall clock has no frame K; add "
                         "--time-step S or --headless");
    if (parser->options->renderer == RENDERER_COMPUTE && parser->options->samples == 4)
        return error_set(parser->error, ERROR_USAGE,
                         "--samples 4: contradicts --renderer compute, which takes one sample for "
                         "each pixel; give --samples 1 or --renderer raster");
    return check_output(parser) && check_paths(parser);
}

static enum options_action choose_action(const bool *given)
{
    if (given[OPTION_HELP])
        return OPTIONS_HELP;
    if (given[OPTION_HELP_TESTS])
        return OPTIONS_HELP_TESTS;
    if (given[OPTION_VERSION])
        return OPTIONS_VERSION;
    if (given[OPTION_LIST_DEVICES])
        return OPTIONS_LIST_DEVICES;
    return given[OPTION_WITH] ? OPTIONS_COMPARE_FILES : OPTIONS_RUN;
}

bool options_parse(int argc, char *const *argv, struct options *options, struct error *error)
{
    struct parser parser = {.options = options, .error = error};
    *options = (struct options){
        .grid_width = 256,
        .grid_height = 256,
        .width = 1280,
        .height = 800,
        .time_step = 1.0 / 60.0,
        .threshold = 2,
        .max_diff_ratio = 0.005,
    };
    for (int at = 1; at < argc;) {
        if (!parse_option(&parser, argc, argv, &at))
            return false;
    }
    options->action = choose_action(parser.given);
    options->semaphore_given = parser.given[OPTION_SEMAPHORE];
    options->batch_given = parser.given[OPTION_BATCH];
    options->time_step_given = parser.given[OPTION_TIME_STEP];
    if (!options->batch_given)
        options->batch = options->headless ? 8 : 1;
    if (options->headless && !parser.given[OPTION_FRAMES])
        options->frames = 1;
    /* Who asks for help gets it, however odd the rest. */
    bool text_only = options->action == OPTIONS_HELP || options->action == OPTIONS_HELP_TESTS ||
                     options->action == OPTIONS_VERSION;
    return text_only || check(&parser);
}

const char *options_word(enum options_worded option, uint32_t value)
{
    static const enum option_id ids[] = {
        [OPTIONS_STYLE] = OPTION_STYLE,
        [OPTIONS_MEMORY] = OPTION_MEMORY,
        [OPTIONS_HEIGHTMAP] = OPTION_HEIGHTMAP,
        [OPTIONS_PRESENT_MODE] = OPTION_PRESENT_MODE,
    };
    const struct option_choice *choice = option_table[ids[option]].choices;
    while (choice->word && choice->value != value)
        choice++;
    return choice->word;
}
