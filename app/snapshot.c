#include "app/snapshot.h"

#include <time.h>

#include "app/output_file.h"
#include "app/outputs.h"
#include "app/pacing.h"
#include "app/png_file.h"

enum { NAMES_A_SECOND = 1000 };

/* The name to try as the i-th, from 1. */
static void make_name(char name[SNAPSHOT_NAME_SIZE], const char *stamp, int i)
{
    if (i == 1)
        (void) snprintf(name, SNAPSHOT_NAME_SIZE, "sinewave-%s.png", stamp);
    else
        (void) snprintf(name, SNAPSHOT_NAME_SIZE, "sinewave-%s-%d.png", stamp, i);
}

/* The name is taken when the picture is whole, so that no end in the midst of
 * it leaves half of one. */
static bool save(const struct image *image, char name[SNAPSHOT_NAME_SIZE], struct error *error)
{
    char stamp[24] = "";
    const time_t now = time(NULL);
    struct tm local;
    struct output_file file;
    if (localtime_r(&now, &local))
        (void) strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &local);
    make_name(name, stamp, 1);
    if (!output_file_open_unnamed(&file, name, error))
        return false;
    bool ok =
        png_file_encode(&file, image->width, image->height, PIXELS_RGBA, image->pixels, error);
    bool taken = ok;
    for (int i = 1; taken && i <= NAMES_A_SECOND; i++) {
        make_name(name, stamp, i);
        ok = output_file_commit_new(&file, name, &taken, error);
    }
    if (ok)
        return true;
    output_file_abort(&file);
    return error_set(error, ERROR_RUNTIME,
                     "cannot write %s: there are %d of this second; wait a second", name,
                     NAMES_A_SECOND);
}

bool snapshot_save(struct simulation *simulation, char name[SNAPSHOT_NAME_SIZE],
                   struct error *error)
{
    struct image image = {0};
    if (!pacing_wait(simulation, simulation->handoff.drawn, error) ||
        !outputs_picture(simulation, &image, error))
        return false;
    const bool ok = save(&image, name, error);
    image_destroy(&image);
    return ok;
}
