#include "app/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/output_file.h"
#include "app/outputs.h"
#include "app/pacing.h"
#include "app/png_file.h"

enum { NAMES_A_SECOND = 1000 };

/* Takes a name that nobody has, by an empty file of that name. */
static bool reserve(char name[SNAPSHOT_NAME_SIZE], struct error *error)
{
    char stamp[24] = "";
    const time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local))
        (void) strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &local);
    int number = EEXIST;
    for (int i = 1; number == EEXIST && i <= NAMES_A_SECOND; i++) {
        if (i == 1)
            (void) snprintf(name, SNAPSHOT_NAME_SIZE, "sinewave-%s.png", stamp);
        else
            (void) snprintf(name, SNAPSHOT_NAME_SIZE, "sinewave-%s-%d.png", stamp, i);
        const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0) {
            (void) close(fd);
            return true;
        }
        number = errno;
    }
    return error_set(error, ERROR_RUNTIME, "cannot save a screenshot: %s: %s; %s", name,
                     strerror(number), output_file_advice(number));
}

bool snapshot_save(struct simulation *simulation, char name[SNAPSHOT_NAME_SIZE],
                   struct error *error)
{
    struct image image = {0};
    if (!pacing_wait(simulation, simulation->handoff.drawn, error) ||
        !outputs_picture(simulation, &image, error))
        return false;
    bool ok = reserve(name, error);
    if (ok && !png_file_write(name, image.width, image.height, PIXELS_RGBA, image.pixels, error)) {
        ok = false;
        (void) unlink(name);
    }
    image_destroy(&image);
    return ok;
}
