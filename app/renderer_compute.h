/* renderer_compute.h: how the compute renderer divides its work; for benchmarks.
 *
 * Pictures do not depend on it. Thread rule: as in renderer.h.
 */
#ifndef APP_RENDERER_COMPUTE_H
#define APP_RENDERER_COMPUTE_H

#include "app/renderer.h"

struct renderer_compute_tuning {
    uint32_t invocations; /* of a workgroup that draws; a multiple of 32 */
    uint32_t tile_width;  /* vertices of a workgroup; neighbours share a row or column */
    uint32_t tile_height;
    uint32_t small_limit; /* pixels in the box of a primitive drawn by one invocation */
    uint32_t look_first;  /* 0 or 1: look at the depth there before the atomic minimum */
    uint32_t slices;      /* workgroups for a tile, among which large primitives are split */
    uint32_t resolve_width, resolve_height; /* of a workgroup that colours pixels */
};

/* What is used where nothing else is asked for. Pure. */
struct renderer_compute_tuning renderer_compute_tuning(uint32_t grid_width, uint32_t grid_height);

/* As renderer_compute_create. */
bool renderer_compute_create_tuned(const struct renderer_params *params,
                                   const struct renderer_compute_tuning *tuning,
                                   struct renderer **renderer, struct error *error);

#endif
