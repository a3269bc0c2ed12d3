#include "app/controls.h"

#include <inttypes.h>
#include <math.h>

#include "app/handoff_switch.h"
#include "app/messages.h"
#include "app/simulation.h"
#include "app/snapshot.h"

static const float radians_per_unit = 0.006F; /* a drag across 1000 units turns by 340 degrees */
static const double zoom_per_notch = 0.9;
static const double idle_wait_seconds = 0.1;
static const double title_seconds = 0.5;

void controls_want_frames(struct simulation *simulation)
{
    /* What has been stepped already comes first. */
    simulation->controls.wanted_until = simulation->handoff.drawn + simulation->ring.count + 1;
}

bool controls_save_screenshot(struct simulation *simulation, struct error *error)
{
    struct renderer *renderer = simulation->renderer;
    char name[SNAPSHOT_NAME_SIZE];
    struct error why = {0};
    frame_times_interrupt(&simulation->times);
    if (simulation->handoff.drawn == 0) {
        message_note("no frame was drawn yet, so there is no screenshot to save");
        return true;
    }
    if (snapshot_save(simulation, name, &why)) {
        message_note("saved %s", name);
        return true;
    }
    message_error(&why);
    return renderer->ops->set_target(renderer, simulation->target, error);
}

static bool press(struct simulation *simulation, char key, struct error *error)
{
    struct clock *clock = &simulation->clock;
    struct renderer *renderer = simulation->renderer;
    switch (key) {
    case 'R':
        simulation->camera = camera_default();
        return true;
    case ' ':
        clock_pause(clock, !clock->paused, clock_now());
        return true;
    case '.':
        clock_single_step(clock, clock_now());
        return true;
    case 'W':
        return renderer->ops->set_style(
            renderer, (enum options_style)((renderer->params.style + 1) % STYLE_COUNT), error);
    case 'T':
        return handoff_switch(simulation, error);
    case 'F':
        window_toggle_full_screen(simulation->window);
        return true;
    default:
        return true;
    }
}

static bool apply(struct simulation *simulation, const struct window_events *events,
                  struct error *error)
{
    bool change = events->damaged || events->key_count > 0;
    simulation->controls.keys += events->key_count;
    /* First, while the frame that the user saw is still the last one. */
    for (uint32_t i = 0; i < events->key_count; i++) {
        if (events->keys[i] == 'P' && !controls_save_screenshot(simulation, error))
            return false;
    }
    for (uint32_t i = 0; i < events->key_count; i++) {
        if (!press(simulation, events->keys[i], error))
            return false;
    }
    /* The surface follows the pointer: the camera goes the other way. */
    const float dx = (float) events->drag_x;
    const float dy = (float) events->drag_y;
    if (fabsf(dx) + fabsf(dy) > 0.0F) {
        camera_orbit(&simulation->camera, -dx * radians_per_unit, dy * radians_per_unit);
        change = true;
    }
    if (fabs(events->wheel) > 0.0) {
        camera_zoom(&simulation->camera, (float) pow(zoom_per_notch, events->wheel));
        change = true;
    }
    if (change)
        controls_want_frames(simulation);
    return true;
}

static void update_title(struct simulation *simulation)
{
    struct controls *controls = &simulation->controls;
    const uint64_t drawn = simulation->handoff.drawn;
    const double now = clock_now();
    const double passed = now - controls->title_s;
    if (passed < title_seconds)
        return;
    char title[400];
    char rate[32] = "";
    if (simulation->clock.paused)
        (void) snprintf(rate, sizeof rate, " - paused");
    else if (controls->title_s > 0.0)
        (void) snprintf(rate, sizeof rate, " - %.1f fps",
                        (double) (drawn - controls->title_drawn) / passed);
    (void) snprintf(title, sizeof title, "sinewave%s - %s stepper - %s semaphores - %s", rate,
                    simulation->stepper->ops->name,
                    vkb_semaphore_type_name(simulation->handoff.type), simulation->info.name);
    window_set_title(simulation->window, title);
    controls->title_s = now;
    controls->title_drawn = drawn;
}

/* For tests: once for each number of keys. */
static void tell_idle(struct simulation *simulation)
{
    struct controls *controls = &simulation->controls;
    if (!simulation->options->test_idle || controls->keys == controls->keys_told)
        return;
    (void) fprintf(stderr, "sinewave: idle after %" PRIu64 " keys\n", controls->keys);
    controls->keys_told = controls->keys;
}

bool controls_update(struct simulation *simulation, bool *draw, struct error *error)
{
    struct window *window = simulation->window;
    const struct controls *controls = &simulation->controls;
    struct window_events events;
    const bool hidden = simulation->target->extent.width == 0 || window_iconified(window);
    const bool idle =
        simulation->clock.paused && simulation->handoff.drawn >= controls->wanted_until;
    if (idle)
        tell_idle(simulation);
    window_poll(window, hidden || idle ? idle_wait_seconds : 0.0, &events);
    *draw = false;
    if (window_closed(window))
        return true;
    if (!apply(simulation, &events, error))
        return false;
    update_title(simulation);
    *draw = !window_iconified(window) &&
            (!simulation->clock.paused || simulation->handoff.drawn < controls->wanted_until);
    if (hidden || idle || !*draw)
        frame_times_interrupt(&simulation->times);
    return true;
}
