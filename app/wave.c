#include "app/wave.h"

#include <math.h>
#include <stdlib.h>

static const double amplitude = 0.5;
static const double frequency = 4.0;

/* u or v of entry `index` of `count`. */
static double coordinate(uint32_t index, uint32_t count)
{
    return 2.0 * (double) index / (double) count - 1.0;
}

bool wave_tables_create(uint32_t width, uint32_t height, struct wave_tables *tables,
                        struct error *error)
{
    const size_t columns = width;
    const size_t rows = height;
    /* One allocation, columns first. Sides are 32 bits wide: no overflow in 64. */
    float *all = calloc(2 * (columns + rows), sizeof *all);
    *tables = (struct wave_tables){0};
    if (!all)
        return error_set(error, ERROR_RUNTIME,
                         "cannot make the wave's tables: out of memory; take a smaller --grid");
    *tables = (struct wave_tables){
        .width = width,
        .height = height,
        .column_sin = all,
        .column_cos = all + columns,
        .row_sin = all + 2 * columns,
        .row_cos = all + 2 * columns + rows,
    };
    for (uint32_t x = 0; x < width; x++) {
        const double angle = frequency * coordinate(x, width);
        tables->column_sin[x] = (float) sin(angle);
        tables->column_cos[x] = (float) cos(angle);
    }
    for (uint32_t y = 0; y < height; y++) {
        const double angle = frequency * coordinate(y, height);
        tables->row_sin[y] = (float) sin(angle);
        tables->row_cos[y] = (float) cos(angle);
    }
    return true;
}

void wave_tables_destroy(struct wave_tables *tables)
{
    free(tables->column_sin);
    *tables = (struct wave_tables){0};
}

struct wave_phase wave_phase(double t)
{
    return (struct wave_phase){.sin_t = (float) sin(t), .cos_t = (float) cos(t)};
}

float wave_height(const struct wave_tables *tables, struct wave_phase phase, uint32_t column,
                  uint32_t row)
{
    /* Separate statements with volatile: no compiler may contract them. */
    const volatile float a = tables->column_sin[column] * phase.cos_t;
    const volatile float b = tables->column_cos[column] * phase.sin_t;
    const volatile float c = tables->row_cos[row] * phase.cos_t;
    const volatile float d = tables->row_sin[row] * phase.sin_t;
    const volatile float column_term = a + b;
    const volatile float row_term = c - d;
    const volatile float product = column_term * row_term;
    return (float) amplitude * product;
}

double wave_height_exact(uint32_t width, uint32_t height, uint32_t column, uint32_t row, double t)
{
    return amplitude * sin(frequency * coordinate(column, width) + t) *
           cos(frequency * coordinate(row, height) + t);
}
