#include "app/compare_files.h"

#include <inttypes.h>
#include <string.h>

#include "app/compare.h"
#include "app/messages.h"
#include "app/output_file.h"
#include "app/png_file.h"
#include "app/text.h"

bool compare_prepare(const struct options *options, struct image *reference, struct error *error)
{
    *reference = (struct image){0};
    if (!options->compare)
        return true;
    const char *const outputs[] = {options->diff, options->screenshot, options->heights,
                                   options->stats};
    const char *const names[] = {"--diff", "--screenshot", "--heights", "--stats"};
    char shown[TEXT_SHOWN_SIZE];
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        bool taken = outputs[i] && (output_file_same(outputs[i], options->compare) ||
                                    (options->with && output_file_same(outputs[i], options->with)));
        if (taken)
            return error_set(error, ERROR_USAGE,
                             "%s %s: is the file to compare with; give another file", names[i],
                             text_shown(outputs[i], shown));
    }
    if (options->bless)
        return output_file_probe(options->compare, error);
    if (!png_file_read(options->compare, reference, error))
        return false;
    if (!options->diff || output_file_probe(options->diff, error))
        return true;
    image_destroy(reference);
    return false;
}

static void tell(const struct options *options, const struct comparison *result, bool over)
{
    static const char *const channels[] = {"red", "green", "blue", "alpha"};
    char shown[TEXT_SHOWN_SIZE], counts[160], worst[96] = "";
    struct error error = {0};
    (void) text_shown(options->compare, shown);
    (void) snprintf(counts, sizeof counts,
                    "%" PRIu64 " of %" PRIu64
                    " pixels are off by more than %u (ratio %.6f, at most %g)",
                    result->differing, result->pixels, (unsigned) options->threshold, result->ratio,
                    options->max_diff_ratio);
    if (result->worst > 0)
        (void) snprintf(worst, sizeof worst, ", worst %s by %u at x %u, y %u",
                        channels[result->worst_channel], (unsigned) result->worst,
                        (unsigned) result->worst_x, (unsigned) result->worst_y);
    if (!over) {
        message_note("like %s: %s%s", shown, counts, worst);
        return;
    }
    (void) error_set(&error, ERROR_CHECK, "differs from %s: %s%s; %s", shown, counts, worst,
                     options->diff ? "see the --diff picture" : "see where with --diff OUT.png");
    message_error(&error);
}

static bool write_difference(const struct image *image, const struct image *reference,
                             const struct options *options, struct error *error)
{
    struct image difference;
    if (!compare_difference(image, reference, options->threshold, &difference, error))
        return false;
    bool done = png_file_write(options->diff, difference.width, difference.height, PIXELS_RGBA,
                               difference.pixels, error);
    image_destroy(&difference);
    return done;
}

static bool compare(const struct image *image, const struct image *reference,
                    const struct options *options, bool *differs, struct error *error)
{
    struct comparison result = compare_images(image, reference, options->threshold);
    if (!result.same_size) {
        char shown[TEXT_SHOWN_SIZE];
        struct error size = {0};
        (void) error_set(&size, ERROR_CHECK,
                         "differs from %s: this is %" PRIu32 "x%" PRIu32 ", that is %" PRIu32
                         "x%" PRIu32 "; give pictures of one size",
                         text_shown(options->compare, shown), image->width, image->height,
                         reference->width, reference->height);
        message_error(&size);
        *differs = true;
        return true;
    }
    if (options->diff && !write_difference(image, reference, options, error))
        return false;
    *differs = result.ratio > options->max_diff_ratio;
    tell(options, &result, *differs);
    return true;
}

bool compare_or_bless(const struct image *image, const struct image *reference,
                      const struct options *options, bool *differs, struct error *error)
{
    *differs = false;
    if (options->bless) {
        char shown[TEXT_SHOWN_SIZE];
        if (!png_file_write(options->compare, image->width, image->height, PIXELS_RGBA,
                            image->pixels, error))
            return false;
        message_note("blessed: the frame is now %s", text_shown(options->compare, shown));
        return true;
    }
    return compare(image, reference, options, differs, error);
}

bool compare_files(const struct options *options, bool *differs, struct error *error)
{
    struct image image = {0};
    struct image reference;
    *differs = false;
    const bool done = compare_prepare(options, &reference, error) &&
                      png_file_read(options->with, &image, error) &&
                      compare_or_bless(&image, &reference, options, differs, error);
    image_destroy(&image);
    image_destroy(&reference);
    return done;
}
