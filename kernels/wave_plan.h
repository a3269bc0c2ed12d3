/* wave_plan.h: how a grid is spread over blocks and threads, or, as Vulkan calls
 * them, workgroups and invocations. Plain C: CUDA's kernels and the Vulkan
 * stepper share it, and a unit test without a GPU checks that each vertex is
 * written exactly once.
 *
 * A buffer is cut into chunks of four floats at multiples of 16 bytes, so that
 * a chunk is one 16-byte store whatever the width and the address. A chunk
 * belongs to the row that it begins in; where rows do not begin at such a
 * multiple, a row's last chunk runs on into the next row. Where in a row the
 * first chunk begins repeats every fourth row. A thread therefore fills rows
 * that lie four apart: it reads the columns of its chunk once. Grids narrower
 * than a chunk have one thread per vertex.
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
    WAVE_CHUNK = 4,         /* floats in a 16-byte store; rows until a pattern repeats */
    WAVE_ROWS_MAX = 4,      /* that a thread fills */
    WAVE_GRID_Y_MAX = 65535 /* blocks; CUDA's limit, and the least of Vulkan's */
};

struct wave_tuning {
    uint32_t threads; /* per block; a power of two, 32 to 1024 */
    uint32_t rows;    /* that a thread fills: 1, 2 or 4 */
    bool streaming;   /* stores are marked as not to be read again soon */
};

struct wave_plan {
    uint32_t grid_x, grid_y;   /* blocks */
    uint32_t block_x, block_y; /* threads: chunks x lanes (see wave_first_row) */
};

WAVE_SHARED uint32_t wave_divide_up(uint32_t a, uint32_t b)
{
    return a / b + (a % b != 0);
}

/* `resident`: threads the device runs at once; `cache`: bytes of its L2 cache;
 * `slots` height maps share the launch. Measured: see docs/performance.md. */
WAVE_SHARED struct wave_tuning wave_tuning_default(uint32_t width, uint32_t height, uint32_t slots,
                                                   uint32_t resident, uint64_t cache)
{
    const uint64_t chunks = (uint64_t) wave_divide_up(width, WAVE_CHUNK) * height * slots;
    struct wave_tuning tuning;
    /* A small grid is over when its first threads are: as many of them as there
     * can be. A large one is over when its last byte is written: few threads,
     * each with several stores on their way. */
    const bool small = chunks <= resident / 8;
    tuning.threads = 256;
    tuning.rows = small ? 1 : 4;
    /* What will not be found in the cache by the renderer need not displace
     * anything there. */
    tuning.streaming = (uint64_t) width * height * slots * sizeof(float) > cache / 2;
    return tuning;
}

/* For buffers narrower than a chunk: one thread per vertex, along x. */
WAVE_SHARED struct wave_plan wave_plan_narrow(uint32_t width, uint32_t height,
                                              struct wave_tuning tuning)
{
    struct wave_plan plan;
    plan.block_x = tuning.threads;
    plan.block_y = 1;
    plan.grid_x = wave_divide_up(width * height, tuning.threads);
    plan.grid_y = 1;
    return plan;
}

/* Threads down the rows that cover a grid: those of wave_first_row. */
WAVE_SHARED uint32_t wave_lanes(uint32_t height, uint32_t rows)
{
    return rows == 1 ? height : wave_divide_up(height, WAVE_CHUNK * rows) * (uint32_t) WAVE_CHUNK;
}

/* `tiled`: for images, whose texels lie in tiles: a warp covers 8 chunks of 4
 * rows. */
WAVE_SHARED struct wave_plan wave_plan_make(uint32_t width, uint32_t height, bool tiled,
                                            struct wave_tuning tuning)
{
    struct wave_plan plan;
    const uint32_t chunks = wave_divide_up(width, WAVE_CHUNK);
    const uint32_t lanes = wave_lanes(height, tuning.rows);

    /* Wide blocks, unless that leaves many threads without a column. */
    uint32_t x = tiled ? 8 : tuning.threads;
    while (x > 1 && x / 2 >= chunks)
        x /= 2;
    while (!tiled && x > 8 && wave_divide_up(chunks, x) * x - chunks > chunks / 8)
        x /= 2;
    while (x > 1 && wave_divide_up(lanes, tuning.threads / x) > WAVE_GRID_Y_MAX)
        x /= 2;
    plan.block_x = x;
    plan.block_y = tuning.threads / x;
    plan.grid_x = wave_divide_up(chunks, x);
    plan.grid_y = wave_divide_up(lanes, plan.block_y);
    return plan;
}

/* The first row of a thread, which then fills every fourth one, `rows` in all;
 * `lane` counts threads down the rows. Those of four neighbours interlock, so
 * that what is written at one time lies close together. */
WAVE_SHARED uint32_t wave_first_row(uint32_t lane, uint32_t rows)
{
    return lane / WAVE_CHUNK * (WAVE_CHUNK * rows) + lane % WAVE_CHUNK;
}

/* The column that a row's first chunk begins at, 0 to 3; `address` is where
 * the row begins, in floats (its low bits are enough). */
WAVE_SHARED uint32_t wave_first_column(uint32_t address)
{
    return (0u - address) & (WAVE_CHUNK - 1);
}

#endif
