#include "kernels/wave_layout.h"

enum { SHIFTS = 4, ROWS_PAD = 16 };

/* Rounded up to 64 floats, so that each table begins at a 256-byte boundary. */
static size_t table_floats(size_t count)
{
    return (count + 63) / 64 * 64;
}

static size_t row_floats(uint32_t height)
{
    return table_floats(2 * ((size_t) height + ROWS_PAD));
}

struct wave_layout wave_layout_make(uint32_t width, uint32_t height)
{
    const size_t stride = table_floats((size_t) width + SHIFTS - 1);
    return (struct wave_layout){
        .width = width,
        .height = height,
        .stride = (uint32_t) stride,
        .bytes = (stride * 2 * SHIFTS + row_floats(height)) * sizeof(float),
    };
}

static float *fill_columns(float *table, const struct wave_layout *layout, const float *values,
                           uint32_t shift)
{
    for (size_t i = 0; i < layout->stride; i++)
        table[i] = values[(i + shift) % layout->width];
    return table + layout->stride;
}

void wave_layout_fill(const struct wave_layout *layout, const float *column_sin,
                      const float *column_cos, const float *row_sin, const float *row_cos,
                      float *block)
{
    const size_t rows = row_floats(layout->height) / 2;
    float *next = block;
    for (uint32_t shift = 0; shift < SHIFTS; shift++) {
        next = fill_columns(next, layout, column_sin, shift);
        next = fill_columns(next, layout, column_cos, shift);
    }
    for (size_t y = 0; y < rows; y++) {
        *next++ = y < layout->height ? row_sin[y] : 0.0F;
        *next++ = y < layout->height ? row_cos[y] : 0.0F;
    }
}
