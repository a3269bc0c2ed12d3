/* Where the surface lands in the picture. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/camera.h"
#include "app/wave.h"

struct point {
    double x, y, depth, w; /* x, y: -1 to 1, right and down; depth 0 to 1 */
};

static void transform(const struct camera_view *view, double x, double y, double z, double clip[4])
{
    for (int row = 0; row < 4; row++)
        clip[row] =
            (double) view->view_projection[row] * x + (double) view->view_projection[4 + row] * y +
            (double) view->view_projection[8 + row] * z + (double) view->view_projection[12 + row];
}

static struct point project(const struct camera_view *view, double x, double y, double z)
{
    double clip[4];
    transform(view, x, y, z, clip);
    return (struct point){clip[0] / clip[3], clip[1] / clip[3], clip[2] / clip[3], clip[3]};
}

static void near_to(double value, double expected, double bound)
{
    if (!(fabs(value - expected) <= bound))
        fail_msg("%.9g is more than %g from %.9g", value, bound, expected);
}

/* What the wave covers of the picture, over a whole period. */
static void extremes(const struct camera_view *view, struct point *least, struct point *most)
{
    enum { SIDE = 33, TIMES = 32 };
    *least = (struct point){2, 2, 2, 1e9};
    *most = (struct point){-2, -2, -2, -1e9};
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint32_t x = i % SIDE;
        const uint32_t y = i / SIDE;
        for (int t = 0; t < TIMES; t++) {
            const double height = wave_height_exact(SIDE, SIDE, x, y, 3.14159265 * t / TIMES);
            const struct point p =
                project(view, 2.0 * x / (SIDE - 1) - 1, 2.0 * y / (SIDE - 1) - 1, height);
            *least = (struct point){fmin(least->x, p.x), fmin(least->y, p.y),
                                    fmin(least->depth, p.depth), fmin(least->w, p.w)};
            *most = (struct point){fmax(most->x, p.x), fmax(most->y, p.y),
                                   fmax(most->depth, p.depth), fmax(most->w, p.w)};
        }
    }
}

static void nothing_is_cut_off(void **state)
{
    static const uint32_t sizes[][2] = {{1280, 800}, {1920, 1080}, {640, 640},
                                        {800, 600},  {400, 1200},  {1200, 400},
                                        {1, 1},      {100, 1600},  {3840, 400}};
    const struct camera camera = camera_default();
    (void) state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct camera_view view = camera_view(&camera, sizes[i][0], sizes[i][1]);
        struct point least, most;
        extremes(&view, &least, &most);
        if (!(least.w > 0 && least.x > -1 && most.x < 1 && least.y > -1 && most.y < 1 &&
              least.depth > 0 && most.depth < 1))
            fail_msg("%ux%u: the surface spans %g to %g, %g to %g, depth %g to %g", sizes[i][0],
                     sizes[i][1], least.x, most.x, least.y, most.y, least.depth, most.depth);
        /* And it is no dot in the middle: it nearly fills one of the sides. */
        if (fmax(most.x - least.x, most.y - least.y) < 1.5)
            fail_msg("%ux%u: the surface covers %g x %g", sizes[i][0], sizes[i][1],
                     most.x - least.x, most.y - least.y);
    }
}

/* A pixel is as wide as it is high, whatever the picture's shape. */
static void proportions_are_kept(void **state)
{
    static const uint32_t sizes[][2] = {{1280, 800}, {400, 1200}, {16384, 100}, {1, 1}};
    const struct camera camera = {.distance = 4};
    (void) state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct camera_view view = camera_view(&camera, sizes[i][0], sizes[i][1]);
        const struct point a = project(&view, 0, 0.01, -0.13);
        const struct point b = project(&view, 0, -0.01, -0.13);
        const struct point c = project(&view, 0, 0, -0.12);
        const struct point d = project(&view, 0, 0, -0.14);
        near_to(fabs(a.x - b.x) * sizes[i][0] / (fabs(c.y - d.y) * sizes[i][1]), 1.0, 1e-3);
    }
}

static void place_eye(const struct camera *camera, double eye[3])
{
    const double azimuth = (double) camera->azimuth;
    const double elevation = (double) camera->elevation;
    eye[0] = -(double) camera->distance * cos(elevation) * cos(azimuth);
    eye[1] = -(double) camera->distance * cos(elevation) * sin(azimuth);
    eye[2] = (double) camera->distance * sin(elevation);
}

/* The one point that lands nowhere in the picture. */
static void the_eye_is_in_place(const struct camera *camera, const struct camera_view *view)
{
    double eye[3];
    double clip[4];
    place_eye(camera, eye);
    transform(view, eye[0], eye[1], eye[2], clip);
    near_to(clip[0], 0, 1e-5);
    near_to(clip[1], 0, 1e-5);
    near_to(clip[3], 0, 1e-5);
}

/* From x < 0 along +x: +y is to the left, up is up, far is deeper. */
static void directions(void **state)
{
    const struct camera camera = {.azimuth = 0, .elevation = 0, .distance = 4};
    const struct camera_view view = camera_view(&camera, 1000, 1000);
    (void) state;
    the_eye_is_in_place(&camera, &view);
    assert_true(project(&view, 0, 0.5, 0).x < 0);
    assert_true(project(&view, 0, 0, 0.5).y < project(&view, 0, 0, -0.5).y);
    assert_true(project(&view, 0.5, 0, 0).depth > project(&view, -0.5, 0, 0).depth);
}

static void the_eye_follows_the_angles(void **state)
{
    const struct camera camera = {.azimuth = 0.7F, .elevation = 0.4F, .distance = 3};
    const struct camera_view view = camera_view(&camera, 640, 400);
    (void) state;
    the_eye_is_in_place(&camera, &view);
}

/* Going from the eye along a pixel's ray one lands in that pixel. */
static void rays_go_through_their_pixels(void **state)
{
    static const uint32_t sizes[][2] = {{1280, 800}, {400, 1200}, {16384, 100}, {1, 1}};
    const struct camera camera = {.azimuth = 0.7F, .elevation = 0.4F, .distance = 3};
    double eye[3];
    (void) state;
    place_eye(&camera, eye);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct camera_view view = camera_view(&camera, sizes[i][0], sizes[i][1]);
        for (int k = 0; k < 9; k++) {
            const int column = k % 3;
            const int row = k / 3;
            const double x = (0.1 + 0.4 * column) * sizes[i][0];
            const double y = (0.1 + 0.4 * row) * sizes[i][1];
            double at[3];
            for (int axis = 0; axis < 3; axis++)
                at[axis] = eye[axis] + 1.5 * ((double) view.ray_corner[axis] +
                                              x * (double) view.ray_right[axis] +
                                              y * (double) view.ray_down[axis]);
            const struct point p = project(&view, at[0], at[1], at[2]);
            assert_true(p.w > 0);
            near_to((p.x + 1) / 2 * sizes[i][0], x, 1e-5 * sizes[i][0]);
            near_to((p.y + 1) / 2 * sizes[i][1], y, 1e-5 * sizes[i][1]);
        }
    }
}

static void orbit_stops_short_of_the_poles(void **state)
{
    struct camera camera = camera_default();
    const float azimuth = camera.azimuth;
    (void) state;
    camera_orbit(&camera, 0.25F, 0);
    near_to((double) camera.azimuth, (double) azimuth + 0.25, 1e-6);
    camera_orbit(&camera, 0, 100);
    assert_true((double) camera.elevation < 1.5708);
    struct camera_view view = camera_view(&camera, 100, 100);
    double eye[3];
    the_eye_is_in_place(&camera, &view);
    place_eye(&camera, eye);
    near_to(eye[2], (double) camera.distance, 1e-2);
    camera_orbit(&camera, 0, -200);
    assert_true((double) camera.elevation > -1.5708);
    view = camera_view(&camera, 100, 100);
    the_eye_is_in_place(&camera, &view);
    place_eye(&camera, eye);
    near_to(eye[2], -(double) camera.distance, 1e-2);
    /* No precision is lost however long one turns. */
    for (int i = 0; i < 100000; i++)
        camera_orbit(&camera, 3, 0);
    assert_true(fabs((double) camera.azimuth) < 6.2832);
}

static void zoom_has_limits(void **state)
{
    struct camera camera = camera_default();
    (void) state;
    const double before = (double) camera.distance;
    camera_zoom(&camera, 0.5F);
    near_to((double) camera.distance, before / 2, 1e-5);
    for (int i = 0; i < 1000; i++)
        camera_zoom(&camera, 0.9F);
    assert_true((double) camera.distance > 0.1);
    for (int i = 0; i < 1000; i++)
        camera_zoom(&camera, 1.1F);
    assert_true((double) camera.distance < 49); /* the far plane */
    camera_zoom(&camera, INFINITY);
    assert_true(isfinite(camera.distance));
}

static void extreme_pictures_are_finite(void **state)
{
    static const uint32_t sizes[][2] = {{1, 16384}, {16384, 1}, {16384, 16384}, {1, 1}};
    const struct camera camera = camera_default();
    (void) state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct camera_view view = camera_view(&camera, sizes[i][0], sizes[i][1]);
        for (int k = 0; k < 16; k++)
            assert_true(isfinite(view.view_projection[k]));
        for (int k = 0; k < 3; k++)
            assert_true(isfinite(view.ray_corner[k] + view.ray_right[k] + view.ray_down[k]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_cut_off),
        cmocka_unit_test(proportions_are_kept),
        cmocka_unit_test(directions),
        cmocka_unit_test(the_eye_follows_the_angles),
        cmocka_unit_test(rays_go_through_their_pixels),
        cmocka_unit_test(orbit_stops_short_of_the_poles),
        cmocka_unit_test(zoom_has_limits),
        cmocka_unit_test(extreme_pictures_are_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
