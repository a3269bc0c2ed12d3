#include "app/surface_push.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* As in surface_push.glsl, and no more than every device takes. */
static_assert(offsetof(struct surface_push, grid) == 112, "laid out otherwise");
static_assert(sizeof(struct surface_push) <= 128, "too large");

struct surface_push surface_push(const struct camera_view *view, uint32_t width, uint32_t height,
                                 float point_size)
{
    struct surface_push push = {.point_size = point_size, .grid = {width, height}};
    memcpy(push.view_projection, view->view_projection, sizeof push.view_projection);
    memcpy(push.ray_corner, view->ray_corner, sizeof push.ray_corner);
    memcpy(push.ray_right, view->ray_right, sizeof push.ray_right);
    memcpy(push.ray_down, view->ray_down, sizeof push.ray_down);
    return push;
}
