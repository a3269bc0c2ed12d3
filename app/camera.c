#include "app/camera.h"

#include <string.h>

#define CGLM_FORCE_DEPTH_ZERO_TO_ONE
#include <cglm/cglm.h>

static const float elevation_limit = 1.55F; /* at pi/2 "up" would have no direction */
static const float distance_min = 0.4F;
static const float distance_max = 20.0F;

struct camera camera_default(void)
{
    return (struct camera){
        .azimuth = glm_rad(57.0F),
        .elevation = glm_rad(33.0F),
        .distance = 4.55F,
    };
}

void camera_orbit(struct camera *camera, float azimuth, float elevation)
{
    camera->azimuth = fmodf(camera->azimuth + azimuth, 2.0F * GLM_PIf);
    camera->elevation = glm_clamp(camera->elevation + elevation, -elevation_limit, elevation_limit);
}

void camera_zoom(struct camera *camera, float factor)
{
    camera->distance = glm_clamp(camera->distance * factor, distance_min, distance_max);
}

struct camera_view camera_view(const struct camera *camera, uint32_t width, uint32_t height)
{
    vec3 target = {0.0F, 0.0F, -0.13F};
    vec3 up = {0.0F, 0.0F, 1.0F};
    vec3 eye = {
        -cosf(camera->elevation) * cosf(camera->azimuth) * camera->distance,
        -cosf(camera->elevation) * sinf(camera->azimuth) * camera->distance,
        sinf(camera->elevation) * camera->distance,
    };
    const float aspect = (float) width / (float) height;
    const float widest = 1.45F; /* from here on the height decides */
    const float half = tanf(glm_rad(32.0F) / 2.0F) * fmaxf(1.0F, widest / aspect);
    mat4 view;
    mat4 projection;
    mat4 product;
    glm_lookat(eye, target, up, view);
    glm_perspective(2.0F * atanf(half), aspect, 0.1F, 50.0F, projection);
    projection[1][1] = -projection[1][1]; /* Vulkan's y points down */
    glm_mat4_mul(projection, view, product);

    struct camera_view result = {0};
    memcpy(result.view_projection, product, sizeof result.view_projection);
    for (int i = 0; i < 3; i++) {
        /* Rows of the view's rotation, right, up and back, to the picture's border. */
        const float right = view[i][0] / projection[0][0];
        const float upward = view[i][1] / -projection[1][1];
        result.ray_corner[i] = -view[i][2] - right + upward;
        result.ray_right[i] = 2.0F * right / (float) width;
        result.ray_down[i] = -2.0F * upward / (float) height;
    }
    return result;
}
