#include "kernels/wave_kernel.h"

namespace
{

constexpr uint32_t jobs_max = 8; // that share a launch

// Kernel parameters. A single job has its own size, for launches cost less the
// less they carry.
template <uint32_t slots> struct jobs_of {
    wave_job job[slots];
};

struct tables {
    const float *columns; // see wave_layout.h
    uint32_t stride;
    uint32_t width, height;
};

struct column_terms {
    float4 sin_u, cos_u;
};

__device__ __forceinline__ const float2 *rows_of(const tables &tables)
{
    return reinterpret_cast<const float2 *>(tables.columns + 8 * tables.stride);
}

__device__ __forceinline__ float column_term(float sin_u, float cos_u, float sin_t, float cos_t)
{
    return __fadd_rn(__fmul_rn(sin_u, cos_t), __fmul_rn(cos_u, sin_t));
}

__device__ __forceinline__ float row_term(float2 v, float sin_t, float cos_t)
{
    return __fsub_rn(__fmul_rn(v.y, cos_t), __fmul_rn(v.x, sin_t));
}

__device__ __forceinline__ float height_of(float column, float row)
{
    return __fmul_rn(0.5f, __fmul_rn(column, row));
}

__device__ __forceinline__ float4 heights_of(float4 column, float row)
{
    return make_float4(height_of(column.x, row), height_of(column.y, row), height_of(column.z, row),
                       height_of(column.w, row));
}

// Of the four columns from x on, where x - shift is a multiple of four.
__device__ __forceinline__ column_terms read_columns(const tables &tables, uint32_t x,
                                                     uint32_t shift)
{
    const float *const place = tables.columns + 2 * shift * tables.stride + (x - shift);
    return {__ldg(reinterpret_cast<const float4 *>(place)),
            __ldg(reinterpret_cast<const float4 *>(place + tables.stride))};
}

__device__ __forceinline__ float4 columns_of(const column_terms &terms, float sin_t, float cos_t)
{
    return make_float4(column_term(terms.sin_u.x, terms.cos_u.x, sin_t, cos_t),
                       column_term(terms.sin_u.y, terms.cos_u.y, sin_t, cos_t),
                       column_term(terms.sin_u.z, terms.cos_u.z, sin_t, cos_t),
                       column_term(terms.sin_u.w, terms.cos_u.w, sin_t, cos_t));
}

template <bool streaming> __device__ __forceinline__ void store(float *place, float4 heights)
{
    if (streaming)
        __stcs(reinterpret_cast<float4 *>(place), heights);
    else
        *reinterpret_cast<float4 *>(place) = heights;
}

// The last chunk of row y, from column x on, which runs on into the next row,
// if there is one: `next` is its term.
__device__ __forceinline__ void fill_last(float *place, const tables &tables, uint32_t x,
                                          uint32_t y, float4 columns, float row, float next)
{
    const uint32_t inside = tables.width - x; // 1 to 3
    const float first = height_of(columns.x, row);
    const float second = height_of(columns.y, inside > 1 ? row : next);
    const float third = height_of(columns.z, inside > 2 ? row : next);
    if (y + 1 < tables.height) {
        store<false>(place, make_float4(first, second, third, height_of(columns.w, next)));
        return;
    }
    place[0] = first;
    if (inside > 1)
        place[1] = second;
    if (inside > 2)
        place[2] = third;
}

// The first `count` heights of all, 0 to 3, which lie before the first chunk.
__device__ __forceinline__ void fill_before(float *heights, uint32_t count, float4 columns,
                                            float row)
{
    if (count > 0)
        heights[0] = height_of(columns.x, row);
    if (count > 1)
        heights[1] = height_of(columns.y, row);
    if (count > 2)
        heights[2] = height_of(columns.z, row);
}

// For grids at least as wide as a chunk.
template <uint32_t slots, uint32_t rows, bool streaming>
__global__ void fill_buffers(const __grid_constant__ tables tables,
                             const __grid_constant__ jobs_of<slots> jobs)
{
    const wave_job &job = jobs.job[slots == 1 ? 0 : blockIdx.z];
    const uint32_t y = wave_first_row(blockIdx.y * blockDim.y + threadIdx.y, rows);
    // The same for all rows of this thread, which lie four apart.
    const uint32_t shift = wave_first_column(
        static_cast<uint32_t>(reinterpret_cast<uintptr_t>(job.heights) / sizeof(float)) +
        y * tables.width);
    const uint32_t x = (blockIdx.x * blockDim.x + threadIdx.x) * WAVE_CHUNK + shift;
    if (x >= tables.width || y >= tables.height)
        return;

    // All reads set out before the first is waited for: in a small grid they
    // are what takes time. That both branches below use all row terms keeps the
    // compiler from putting some off.
    const column_terms terms = read_columns(tables, x, shift);
    float2 v[rows];
#pragma unroll
    for (uint32_t i = 0; i < rows; i++)
        v[i] = __ldg(rows_of(tables) + y + i * WAVE_CHUNK);
    // What few threads read besides: the row after a last chunk's, and the columns
    // before the first chunk. Large grids have time for it later, and no registers.
    const bool whole = x + WAVE_CHUNK <= tables.width;
    const bool first = y == 0 && x == shift;
    float2 after = {};
    column_terms before = {};
    if (rows == 1 && !whole)
        after = __ldg(rows_of(tables) + y + 1);
    if (rows == 1 && first)
        before = read_columns(tables, 0, 0);

    const float sin_t = job.sin_t;
    const float cos_t = job.cos_t;
    const float4 columns = columns_of(terms, sin_t, cos_t);
    float row[rows];
#pragma unroll
    for (uint32_t i = 0; i < rows; i++)
        row[i] = row_term(v[i], sin_t, cos_t);

    const size_t step = static_cast<size_t>(tables.width) * WAVE_CHUNK;
    float *const place = job.heights + static_cast<size_t>(y) * tables.width + x;
    if (whole) {
#pragma unroll
        for (uint32_t i = 0; i < rows; i++) {
            if (i == 0 || y + i * WAVE_CHUNK < tables.height)
                store<streaming>(place + i * step, heights_of(columns, row[i]));
        }
    } else {
#pragma unroll
        for (uint32_t i = 0; i < rows; i++) {
            const uint32_t at = y + i * WAVE_CHUNK;
            if (i > 0 && at >= tables.height)
                break;
            if (rows > 1)
                after = __ldg(rows_of(tables) + at + 1);
            fill_last(place + i * step, tables, x, at, columns, row[i],
                      row_term(after, sin_t, cos_t));
        }
    }

    if (first) {
        if (rows > 1)
            before = read_columns(tables, 0, 0);
        fill_before(job.heights, shift, columns_of(before, sin_t, cos_t), row[0]);
    }
}

// For narrower ones.
__global__ void fill_narrow_buffers(const __grid_constant__ tables tables,
                                    const __grid_constant__ jobs_of<jobs_max> jobs)
{
    const wave_job &job = jobs.job[blockIdx.z];
    const uint32_t vertex = blockIdx.x * blockDim.x + threadIdx.x;
    const uint32_t y = vertex / tables.width;
    const uint32_t x = vertex - y * tables.width;
    if (y >= tables.height)
        return;
    const float sin_u = __ldg(tables.columns + x);
    const float cos_u = __ldg(tables.columns + tables.stride + x);
    const float2 v = __ldg(rows_of(tables) + y);
    job.heights[vertex] = height_of(column_term(sin_u, cos_u, job.sin_t, job.cos_t),
                                    row_term(v, job.sin_t, job.cos_t));
}

template <uint32_t rows>
__global__ void fill_images(const __grid_constant__ tables tables,
                            const __grid_constant__ jobs_of<jobs_max> jobs)
{
    const wave_job &job = jobs.job[blockIdx.z];
    const uint32_t y = wave_first_row(blockIdx.y * blockDim.y + threadIdx.y, rows);
    const uint32_t x = (blockIdx.x * blockDim.x + threadIdx.x) * WAVE_CHUNK;
    if (x >= tables.width || y >= tables.height)
        return;

    const column_terms terms = read_columns(tables, x, 0);
    float2 v[rows];
#pragma unroll
    for (uint32_t i = 0; i < rows; i++)
        v[i] = __ldg(rows_of(tables) + y + i * WAVE_CHUNK);

    const float4 columns = columns_of(terms, job.sin_t, job.cos_t);
    const cudaSurfaceObject_t surface = job.surface;
    // A surface is addressed in bytes along x.
    const int at = static_cast<int>(x * sizeof(float));
#pragma unroll
    for (uint32_t i = 0; i < rows; i++) {
        const int row = static_cast<int>(y + i * WAVE_CHUNK);
        if (y + i * WAVE_CHUNK >= tables.height)
            return;
        const float4 heights = heights_of(columns, row_term(v[i], job.sin_t, job.cos_t));
        if (x + WAVE_CHUNK <= tables.width) {
            surf2Dwrite(heights, surface, at, row);
            continue;
        }
        surf2Dwrite(heights.x, surface, at, row);
        if (x + 1 < tables.width)
            surf2Dwrite(heights.y, surface, at + 4, row);
        if (x + 2 < tables.width)
            surf2Dwrite(heights.z, surface, at + 8, row);
    }
}

__global__ void spin(uint64_t nanoseconds)
{
    uint64_t start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do {
#if __CUDA_ARCH__ >= 700
        __nanosleep(10000);
#endif
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - start < nanoseconds);
}

#define KERNEL(...) reinterpret_cast<const void *>(__VA_ARGS__)
#define BUFFER_KERNELS(slots)                                                                      \
    {                                                                                              \
        {KERNEL(fill_buffers<slots, 1, false>), KERNEL(fill_buffers<slots, 1, true>)},             \
            {KERNEL(fill_buffers<slots, 2, false>), KERNEL(fill_buffers<slots, 2, true>)},         \
            {KERNEL(fill_buffers<slots, 4, false>), KERNEL(fill_buffers<slots, 4, true>)},         \
    }

// By number of jobs (one, more), rows of a thread (1, 2, 4), streaming.
const void *const buffer_kernels[2][3][2] = {BUFFER_KERNELS(1), BUFFER_KERNELS(jobs_max)};

const void *const other_kernels[] = {KERNEL(fill_narrow_buffers), KERNEL(fill_images<1>),
                                     KERNEL(fill_images<4>), KERNEL(spin)};

template <uint32_t slots>
cudaError_t launch(const void *kernel, const tables &tables, const wave_plan &plan,
                   const wave_job *jobs, uint32_t count, cudaStream_t stream)
{
    // The wave_job array itself may be shorter than what the kernel is passed.
    jobs_of<slots> passed = {};
    for (uint32_t i = 0; i < count; i++)
        passed.job[i] = jobs[i];
    void *arguments[] = {const_cast<struct tables *>(&tables), &passed};
    return cudaLaunchKernel(kernel, dim3(plan.grid_x, plan.grid_y, count),
                            dim3(plan.block_x, plan.block_y), arguments, 0, stream);
}

// `tuning`: NULL for what suits the size.
cudaError_t fill(const wave_grid *grid, const wave_job *jobs, uint32_t count, bool images,
                 const wave_tuning *tuning, cudaStream_t stream)
{
    const uint32_t width = grid->width;
    const uint32_t height = grid->height;
    const tables tables = {grid->tables, grid->stride, width, height};
    for (uint32_t first = 0; first < count; first += jobs_max) {
        const uint32_t part = count - first < jobs_max ? count - first : jobs_max;
        const wave_tuning chosen =
            tuning ? *tuning
                   : wave_tuning_default(width, height, part, grid->resident, grid->cache);
        cudaError_t result;
        if (images) {
            const wave_plan plan = wave_plan_make(width, height, true, chosen);
            const void *const kernel =
                chosen.rows == 1 ? KERNEL(fill_images<1>) : KERNEL(fill_images<4>);
            result = launch<jobs_max>(kernel, tables, plan, jobs + first, part, stream);
        } else if (width < WAVE_CHUNK) {
            const wave_plan plan = wave_plan_narrow(width, height, chosen);
            result = launch<jobs_max>(KERNEL(fill_narrow_buffers), tables, plan, jobs + first, part,
                                      stream);
        } else {
            const wave_plan plan = wave_plan_make(width, height, false, chosen);
            const void *const kernel =
                buffer_kernels[part > 1][chosen.rows / 2][chosen.streaming ? 1 : 0];
            result = part == 1 ? launch<1>(kernel, tables, plan, jobs + first, part, stream)
                               : launch<jobs_max>(kernel, tables, plan, jobs + first, part, stream);
        }
        if (result != cudaSuccess)
            return result;
    }
    return cudaSuccess;
}

cudaError_t load(const void *const *kernels, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cudaFuncAttributes attributes;
        const cudaError_t result = cudaFuncGetAttributes(&attributes, kernels[i]);
        if (result != cudaSuccess)
            return result;
    }
    return cudaSuccess;
}

} // namespace

extern "C" cudaError_t wave_kernel_load(void)
{
    const cudaError_t result =
        load(&buffer_kernels[0][0][0], sizeof buffer_kernels / sizeof(void *));
    return result != cudaSuccess ? result
                                 : load(other_kernels, sizeof other_kernels / sizeof(void *));
}

extern "C" cudaError_t wave_fill_buffers(const wave_grid *grid, const wave_job *jobs,
                                         uint32_t count, cudaStream_t stream)
{
    return fill(grid, jobs, count, false, NULL, stream);
}

extern "C" cudaError_t wave_fill_images(const wave_grid *grid, const wave_job *jobs, uint32_t count,
                                        cudaStream_t stream)
{
    return fill(grid, jobs, count, true, NULL, stream);
}

extern "C" cudaError_t wave_fill_buffers_tuned(const wave_grid *grid, const wave_job *jobs,
                                               uint32_t count, wave_tuning tuning,
                                               cudaStream_t stream)
{
    return fill(grid, jobs, count, false, &tuning, stream);
}

extern "C" cudaError_t wave_delay(uint32_t milliseconds, cudaStream_t stream)
{
    uint64_t nanoseconds = static_cast<uint64_t>(milliseconds) * 1000000;
    void *arguments[] = {&nanoseconds};
    return cudaLaunchKernel(KERNEL(spin), dim3(1), dim3(1), arguments, 0, stream);
}
