/* When a frame's commands may be used again, and when they must be recorded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/recordings.h"

enum { IN_FLIGHT = 2, SLOTS = 2, IMAGES = 3, PAIRS = SLOTS * IMAGES };

static struct recording entries[PAIRS];

static struct recordings begin(void)
{
    for (int i = 0; i < PAIRS; i++)
        entries[i] = (struct recording){.used = 0};
    return (struct recordings){
        .frames_in_flight = IN_FLIGHT, .slots = SLOTS, .images = IMAGES, .entries = entries};
}

static uint32_t take(struct recordings *recordings, uint64_t frame, uint64_t finished,
                     uint32_t slot, uint32_t image, const struct recordings_scene *scene,
                     bool *record)
{
    return recordings_take(recordings, frame, finished, slot, image, scene, record);
}

static void the_same_scene_is_recorded_once(void **state)
{
    (void) state;
    struct recordings recordings = begin();
    const struct recordings_scene scene = {.generation = 1};
    bool record = false;
    for (uint64_t frame = 0; frame < 60; frame++) {
        const uint64_t finished = frame < IN_FLIGHT ? 0 : frame - IN_FLIGHT + 1;
        const uint32_t index = take(&recordings, frame, finished, (uint32_t) (frame % SLOTS),
                                    (uint32_t) (frame % IMAGES), &scene, &record);
        assert_int_equal(index, IN_FLIGHT + frame % SLOTS * IMAGES + frame % IMAGES);
        assert_int_equal(record, frame < PAIRS);
    }
}

static void a_changed_scene_is_recorded_anew(void **state)
{
    (void) state;
    struct recordings recordings = begin();
    struct recordings_scene scene = {.generation = 1};
    bool record = false;
    (void) take(&recordings, 0, 0, 1, 1, &scene, &record);
    assert_true(record);
    (void) take(&recordings, 4, 4, 1, 1, &scene, &record);
    assert_false(record);
    scene.generation++;
    (void) take(&recordings, 8, 8, 1, 1, &scene, &record);
    assert_true(record);
    scene.view.view_projection[3] = 0.5F;
    (void) take(&recordings, 12, 12, 1, 1, &scene, &record);
    assert_true(record);
    (void) take(&recordings, 16, 16, 1, 1, &scene, &record);
    assert_false(record);
}

/* Commands that the device may still run are left alone. */
static void pending_commands_are_not_touched(void **state)
{
    (void) state;
    struct recordings recordings = begin();
    const struct recordings_scene scene = {.generation = 1};
    bool record = false;
    assert_true(take(&recordings, 5, 4, 0, 0, &scene, &record) >= IN_FLIGHT);
    assert_int_equal(take(&recordings, 6, 5, 0, 0, &scene, &record), 6 % IN_FLIGHT);
    assert_true(record);
    assert_true(take(&recordings, 7, 6, 0, 0, &scene, &record) >= IN_FLIGHT);
    assert_false(record);
}

/* More images than expected, as a swapchain made anew may have. */
static void unknown_pairs_are_recorded_each_time(void **state)
{
    (void) state;
    struct recordings recordings = begin();
    const struct recordings_scene scene = {.generation = 1};
    bool record = false;
    for (uint64_t frame = 0; frame < 6; frame++) {
        assert_int_equal(take(&recordings, frame, frame, 0, IMAGES, &scene, &record),
                         frame % IN_FLIGHT);
        assert_true(record);
        assert_int_equal(take(&recordings, frame, frame, SLOTS, 0, &scene, &record),
                         frame % IN_FLIGHT);
        assert_true(record);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_scene_is_recorded_once),
        cmocka_unit_test(a_changed_scene_is_recorded_anew),
        cmocka_unit_test(pending_commands_are_not_touched),
        cmocka_unit_test(unknown_pairs_are_recorded_each_time),
    };
    return cmocka_run_group_tests_name("recordings", tests, NULL, NULL);
}
