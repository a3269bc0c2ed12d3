/* surface_push.h: what is pushed to surface.vert and surface.frag, laid out as in
 * surface_push.glsl.
 */
#ifndef APP_SURFACE_PUSH_H
#define APP_SURFACE_PUSH_H

#include <assert.h>
#include <stddef.h>

#include "app/camera.h"

struct surface_push {
    struct camera_view view;
    uint32_t grid[2]; /* vertices: width, height */
    float point_size; /* pixels */
};
static_assert(offsetof(struct surface_push, grid) == 112, "laid out otherwise");
static_assert(sizeof(struct surface_push) <= 128, "more than every device takes");

#endif
