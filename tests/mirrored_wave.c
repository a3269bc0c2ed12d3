/* Linked into a sinewave of its own, whose wave runs the wrong way in x: the
 * linker sends calls of wave_tables_create() here (--wrap). The references must
 * tell it from the right one.
 */
#include "app/wave.h"

/* The linker's names. */
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
bool __real_wave_tables_create(uint32_t width, uint32_t height, struct wave_tables *tables,
                               struct error *error);
bool __wrap_wave_tables_create(uint32_t width, uint32_t height, struct wave_tables *tables,
                               struct error *error);
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

static void reverse(float *values, uint32_t count)
{
    for (uint32_t i = 0; i < count / 2; i++) {
        const float kept = values[i];
        values[i] = values[count - 1 - i];
        values[count - 1 - i] = kept;
    }
}

bool __wrap_wave_tables_create(uint32_t width, uint32_t height, struct wave_tables *tables,
                               struct error *error)
{
    if (!__real_wave_tables_create(width, height, tables, error))
        return false;
    reverse(tables->column_sin, width);
    reverse(tables->column_cos, width);
    return true;
}
