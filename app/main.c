/* sinewave: a sine wave stepped by CUDA or Vulkan and drawn by Vulkan. */
#include <errno.h>
#include <string.h>

#include "app/compare_files.h"
#include "app/frame_loop.h"
#include "app/list_devices.h"
#include "app/messages.h"
#include "app/outputs.h"
#include "app/stop.h"

/* Prints an error once. */
static void report(struct error *error)
{
    static bool reported;
    if (!reported)
        message_error(error);
    reported = true;
}

static bool run(const struct options *options, bool *differs, struct error *error)
{
    struct simulation simulation;
    struct image reference = {0};
    if (!outputs_probe(options, error) || !compare_prepare(options, &reference, error) ||
        !simulation_create(options, &simulation, error)) {
        image_destroy(&reference);
        return false;
    }
    const bool ok = frame_loop_run(&simulation, error) &&
                    outputs_write(&simulation, &reference, differs, error);
    image_destroy(&reference);
    /* Before anything is destroyed: that may end the process where the device
     * is stuck. */
    if (!ok)
        report(error);
    simulation_destroy(&simulation);
    return ok;
}

/* For a printer of help and the like. */
static bool print(void (*printer)(FILE *), struct error *error)
{
    printer(stdout);
    if (fflush(stdout) != 0 || ferror(stdout))
        return error_set(error, ERROR_RUNTIME,
                         "cannot write to standard output: %s; look at where it goes",
                         strerror(errno));
    return true;
}

static bool act(const struct options *options, bool *differs, struct error *error)
{
    switch (options->action) {
    case OPTIONS_HELP:
        return print(options_print_help, error);
    case OPTIONS_HELP_TESTS:
        return print(options_print_test_help, error);
    case OPTIONS_VERSION:
        return print(options_print_version, error);
    case OPTIONS_LIST_DEVICES:
        return list_devices(options, error);
    case OPTIONS_COMPARE_FILES:
        return compare_files(options, differs, error);
    default:
        if (options->test_present)
            return simulation_try_presenting(options, error);
        return run(options, differs, error);
    }
}

int main(int argc, char **argv)
{
    struct options options;
    struct error error = {0};
    messages_keep_streams();
    stop_install();
    if (!options_parse(argc, argv, &options, &error)) {
        message_error(&error);
        return (int) error.kind;
    }
    messages_init(options.quiet, options.verbose);
    bool differs = false;
    if (!act(&options, &differs, &error)) {
        report(&error);
        return (int) error.kind;
    }
    const unsigned messages = messages_validation_count();
    if (messages > 0) {
        error_set(&error, ERROR_CHECK,
                  "--validation: %u message%s, see above; the run broke a rule of Vulkan", messages,
                  messages == 1 ? "" : "s");
        message_error(&error);
        return (int) error.kind;
    }
    if (differs)
        return ERROR_CHECK;
    return stop_signal() ? 128 + stop_signal() : 0;
}
