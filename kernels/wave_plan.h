/* wave_plan.h: how a grid is spread over CUDA blocks and threads. Private to
 * kernels/ and its tests: plain C, so that a unit test without a GPU can check
 * that each vertex is written exactly once.
 *
 * A row is cut into chunks of four floats that begin at a multiple of 16
 * bytes, so that a chunk is one 16-byte store. Where rows do not begin there
 * (odd widths, odd addresses), the first and the last chunk of a row are cut
 * short, and by how much repeats every fourth row. A thread therefore keeps one
 * chunk of columns and walks down rows that lie a multiple of four apart: its
 * column terms stay in registers.
 */
#ifndef KERNELS_WAVE_PLAN_H
#define KERNELS_WAVE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __CUDACC__
#define WAVE_SHARED static __host__ __device__ __forceinline__
#else
#define WAVE_SHARED static inline
#endif

enum {
    WAVE_CHUNK = 4,  /* floats in a 16-byte store */
    WAVE_UNROLL = 4, /* rows a thread has in flight */
};

struct wave_tuning {
    uint32_t threads; /* per block; a power of two, 32 to 1024 */
    uint32_t rows;    /* that a thread fills at most, once the device is full */
    bool banded;      /* a thread's rows lie close together instead of far apart */
};

struct wave_plan {
    uint32_t grid_x, grid_y;   /* blocks */
    uint32_t block_x, block_y; /* threads: chunks x rows */
    /* Rows of a thread: lanes are cut into groups of 2^group_shift; within a
     * round of WAVE_UNROLL rows the next row is `step` away, the next round
     * `round` away. All are multiples of four where chunks are cut short. */
    uint32_t group_shift, step, round;
};

/* What both kinds of slot start from; see wave_kernel.h for measurements. */
WAVE_SHARED struct wave_tuning wave_tuning_default(void)
{
    struct wave_tuning tuning;
    tuning.threads = 256;
    tuning.rows = 16;
    tuning.banded = false;
    return tuning;
}

WAVE_SHARED uint32_t wave_divide_up(uint32_t a, uint32_t b)
{
    return a / b + (a % b != 0);
}

/* `aligned`: every row of every slot begins at a multiple of 16 bytes.
 * `tiled`: for images, whose texels lie in tiles: a warp covers 8 chunks of 4
 * rows. `resident`: threads the device runs at once; `slots` share the launch. */
WAVE_SHARED struct wave_plan wave_plan_make(uint32_t width, uint32_t height, uint32_t slots,
                                            uint32_t resident, bool aligned, bool tiled,
                                            struct wave_tuning tuning)
{
    struct wave_plan plan;
    /* Three floats of the first chunk can lie before the row. */
    const uint32_t chunks = (width + (aligned ? 0 : WAVE_CHUNK - 1) + WAVE_CHUNK - 1) / WAVE_CHUNK;

    /* Wide blocks, unless that leaves many threads without a column. */
    uint32_t x = tiled ? 8 : tuning.threads;
    while (x > 1 && x / 2 >= chunks)
        x /= 2;
    while (!tiled && x > 8 && wave_divide_up(chunks, x) * x - chunks > chunks / 8)
        x /= 2;
    plan.block_x = x;
    plan.block_y = tuning.threads / x;
    plan.grid_x = wave_divide_up(chunks, x);

    /* First fill the device with threads of one row each; only then let a
     * thread have more, up to the point where its start no longer matters. */
    const uint32_t blocks_y = wave_divide_up(height, plan.block_y);
    const uint64_t blocks = (uint64_t) plan.grid_x * blocks_y * slots;
    const uint64_t capacity = resident / tuning.threads > 0 ? resident / tuning.threads : 1;
    uint64_t rows = (blocks + capacity - 1) / capacity;
    if (rows > tuning.rows)
        rows = tuning.rows;
    plan.grid_y = wave_divide_up(blocks_y, (uint32_t) rows);
    while (plan.grid_y * plan.block_y % 4 != 0)
        plan.grid_y++;

    const uint32_t lanes = plan.grid_y * plan.block_y;
    const bool banded = tuning.banded && lanes < height;
    plan.group_shift = banded ? 2 : 31;
    plan.step = banded ? 4 : lanes;
    plan.round = lanes * WAVE_UNROLL;
    return plan;
}

/* The first row of a thread; `lane` counts threads down the rows. */
WAVE_SHARED uint32_t wave_first_row(const struct wave_plan *plan, uint32_t lane)
{
    const uint32_t group = lane >> plan->group_shift;
    const uint32_t place = lane & ((UINT32_C(1) << plan->group_shift) - 1);
    return group * (plan->step * WAVE_UNROLL) + place;
}

/* How far left of column 0 the first chunk of a row begins: 0, -1, -2 or -3.
 * `address` is where the row begins, in floats. */
WAVE_SHARED int32_t wave_chunk_shift(uint64_t address)
{
    return -(int32_t) (address & (WAVE_CHUNK - 1));
}

#endif
