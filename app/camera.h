/* camera.h: where the surface is seen from.
 *
 * The surface spans [-1, 1] in x and y, heights are z, which points up.
 * Thread rule: pure functions, any thread.
 */
#ifndef APP_CAMERA_H
#define APP_CAMERA_H

#include <stdint.h>

struct camera {
    float azimuth;   /* radians around z; 0 looks along +x */
    float elevation; /* radians above the surface's plane */
    float distance;  /* from the surface's middle */
};

/* What shaders need of it, laid out as in surface_push.glsl. */
struct camera_view {
    float view_projection[16]; /* column-major; clip space of Vulkan: y down, depth 0 to 1 */
    /* From the eye through the point x, y of the picture, in pixels from its top left
     * corner: ray_corner + x * ray_right + y * ray_down, of any length. The last
     * component of each is 0. */
    float ray_corner[4], ray_right[4], ray_down[4];
};

struct camera camera_default(void);

/* Turns by angles in radians; the elevation stops short of the poles. */
void camera_orbit(struct camera *camera, float azimuth, float elevation);
/* Multiplies the distance, within limits. */
void camera_zoom(struct camera *camera, float factor);

/* The view for a picture of width x height pixels. The surface keeps its
 * proportions; a narrow picture is seen from a wider angle, so that nothing is
 * cut off. */
struct camera_view camera_view(const struct camera *camera, uint32_t width, uint32_t height);

#endif
