/* wave_layout.h: the wave's tables as device code reads them. Plain C, as
 * wave_plan.h, and for the Vulkan stepper too.
 *
 * All floats lie in one block. First four pairs of column tables, sin and cos of
 * `stride` floats each: pair k begins at column k and goes round at the end of
 * the grid, so that four columns from 4 * i + k on, a next row's among them, are
 * one 16-byte load of each. Then sin and cos of each row, 16 rows longer than
 * the grid, so that a read may run over its end. Each table begins at a multiple
 * of 256 bytes of the block.
 * Thread rule: pure functions, any thread.
 */
#ifndef KERNELS_WAVE_LAYOUT_H
#define KERNELS_WAVE_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

struct wave_layout {
    uint32_t width, height; /* vertices */
    uint32_t stride;        /* floats of a column table; the rows begin at 8 of it */
    size_t bytes;           /* of the block */
};

/* Sides are 1 to 65536. */
struct wave_layout wave_layout_make(uint32_t width, uint32_t height);

/* Writes all of the block, from front to back. Columns are `width` floats, rows
 * `height`. */
void wave_layout_fill(const struct wave_layout *layout, const float *column_sin,
                      const float *column_cos, const float *row_sin, const float *row_cos,
                      float *block);

#endif
