/* surface_push.h: what is pushed to surface.vert and surface.frag, laid out as in
 * surface_push.glsl.
 *
 * Thread rule: a pure function, any thread.
 */
#ifndef APP_SURFACE_PUSH_H
#define APP_SURFACE_PUSH_H

#include "app/camera.h"

struct surface_push {
    float view_projection[16];
    float ray_corner[3], point_size; /* pixels */
    float ray_right[3], unused;
    float ray_down[3], unused_too;
    uint32_t grid[2]; /* vertices: width, height */
};

/* For a grid of width x height vertices and points of `point_size` pixels. */
struct surface_push surface_push(const struct camera_view *view, uint32_t width, uint32_t height,
                                 float point_size);

#endif
