/* wave.h: the wave's formula, and the tables from which steppers evaluate it.
 *
 * For column x and row y of a width x height grid, u = 2x/width - 1 and
 * v = 2y/height - 1: height = A * sin(f*u + t) * cos(f*v + t), A = 0.5, f = 4
 * (the formula of NVIDIA's simpleVulkan sample). No device computes a sine:
 * Vulkan promises only 2^-11 for it. By the angle sum formulas
 *   sin(f*u + t) = sin(f*u) cos t + cos(f*u) sin t
 *   cos(f*v + t) = cos(f*v) cos t - sin(f*v) sin t
 * a stepper needs the four tables and sin t, cos t, all made here in double.
 * Thread rule: pure functions, any thread.
 */
#ifndef APP_WAVE_H
#define APP_WAVE_H

#include <stdint.h>

#include "vkbase/error.h"

struct wave_tables {
    uint32_t width, height;         /* vertices */
    float *column_sin, *column_cos; /* of f*u, `width` floats each */
    float *row_sin, *row_cos;       /* of f*v, `height` floats each */
};

/* Fills the tables; out of memory is ERROR_RUNTIME. */
bool wave_tables_create(uint32_t width, uint32_t height, struct wave_tables *tables,
                        struct error *error);
void wave_tables_destroy(struct wave_tables *tables);

struct wave_phase {
    float sin_t, cos_t;
};

/* sin and cos of t (seconds), as smooth at 10^6 as at 0. */
struct wave_phase wave_phase(double t);

/* The height that a stepper must write, to the bit: the steppers' expression in
 * the steppers' order. */
float wave_height(const struct wave_tables *tables, struct wave_phase phase, uint32_t column,
                  uint32_t row);

/* The formula in double precision; wave_height is within 1e-6 of it. */
double wave_height_exact(uint32_t width, uint32_t height, uint32_t column, uint32_t row, double t);

#endif
