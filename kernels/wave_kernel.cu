#include "kernels/wave_kernel.h"

namespace
{

constexpr uint32_t jobs_max = 32; // that share a launch

// Kernel parameters. A single job has its own size, for launches cost less the
// less they carry.
template <uint32_t slots> struct jobs_of {
    wave_job job[slots];
};

struct tables {
    uint32_t width, height;
    const float *column_sin, *column_cos;
    const float2 *row_pairs;
};

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

// The four columns from x on; those outside of the grid come from the padding.
__device__ __forceinline__ float4 columns_from(const tables &tables, int32_t x, bool aligned,
                                               float sin_t, float cos_t)
{
    float s[4], c[4];
    if (aligned) {
        *reinterpret_cast<float4 *>(s) = *reinterpret_cast<const float4 *>(tables.column_sin + x);
        *reinterpret_cast<float4 *>(c) = *reinterpret_cast<const float4 *>(tables.column_cos + x);
    } else {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            s[i] = tables.column_sin[x + i];
            c[i] = tables.column_cos[x + i];
        }
    }
    return make_float4(column_term(s[0], c[0], sin_t, cos_t), column_term(s[1], c[1], sin_t, cos_t),
                       column_term(s[2], c[2], sin_t, cos_t),
                       column_term(s[3], c[3], sin_t, cos_t));
}

// Calls store(y, row term) for each row of a thread. The terms of a round are
// read together, for a store does not wait but a read does.
template <typename Store>
__device__ __forceinline__ void for_each_row(const tables &tables, const wave_plan &plan,
                                             float sin_t, float cos_t, Store store)
{
    const uint32_t lane = blockIdx.y * plan.block_y + threadIdx.y;
    uint32_t y = wave_first_row(&plan, lane);
    for (; y + (WAVE_UNROLL - 1) * plan.step < tables.height; y += plan.round) {
        float row[WAVE_UNROLL];
#pragma unroll
        for (uint32_t i = 0; i < WAVE_UNROLL; i++)
            row[i] = row_term(tables.row_pairs[y + i * plan.step], sin_t, cos_t);
#pragma unroll
        for (uint32_t i = 0; i < WAVE_UNROLL; i++)
            store(y + i * plan.step, row[i]);
    }
    for (uint32_t i = 0; i < WAVE_UNROLL; i++, y += plan.step) {
        if (y < tables.height)
            store(y, row_term(tables.row_pairs[y], sin_t, cos_t));
    }
}

template <uint32_t slots, bool streaming>
__global__ void __launch_bounds__(1024)
    fill_buffers(const __grid_constant__ tables tables, const __grid_constant__ wave_plan plan,
                 const __grid_constant__ jobs_of<slots> jobs)
{
    const wave_job &job = jobs.job[slots == 1 ? 0 : blockIdx.z];
    const float sin_t = job.sin_t;
    const float cos_t = job.cos_t;
    const uint32_t lane = blockIdx.y * plan.block_y + threadIdx.y;
    const uint64_t width = tables.width;

    // The same for all rows of this thread, which lie a multiple of four apart.
    const uint64_t address = reinterpret_cast<uintptr_t>(job.heights) / sizeof(float) +
                             wave_first_row(&plan, lane) * width;
    const int32_t shift = wave_chunk_shift(address);
    const int32_t x =
        static_cast<int32_t>((blockIdx.x * plan.block_x + threadIdx.x) * WAVE_CHUNK) + shift;
    const int32_t end = static_cast<int32_t>(tables.width);
    if (x >= end)
        return;

    const float4 columns = columns_from(tables, x, shift == 0, sin_t, cos_t);
    float *const base = job.heights + x;
    if (x >= 0 && x + WAVE_CHUNK <= end) {
        for_each_row(tables, plan, sin_t, cos_t, [&](uint32_t y, float row) {
            float4 *const place = reinterpret_cast<float4 *>(base + y * width);
            if (streaming)
                __stcs(place, heights_of(columns, row));
            else
                *place = heights_of(columns, row);
        });
    } else {
        for_each_row(tables, plan, sin_t, cos_t, [&](uint32_t y, float row) {
            float *const place = base + static_cast<int64_t>(y * width);
            const float4 heights = heights_of(columns, row);
            if (x >= 0)
                place[0] = heights.x;
            if (x + 1 >= 0 && x + 1 < end)
                place[1] = heights.y;
            if (x + 2 >= 0 && x + 2 < end)
                place[2] = heights.z;
            if (x + 3 < end)
                place[3] = heights.w;
        });
    }
}

template <uint32_t slots>
__global__ void __launch_bounds__(1024)
    fill_images(const __grid_constant__ tables tables, const __grid_constant__ wave_plan plan,
                const __grid_constant__ jobs_of<slots> jobs)
{
    const wave_job &job = jobs.job[slots == 1 ? 0 : blockIdx.z];
    const float sin_t = job.sin_t;
    const float cos_t = job.cos_t;
    const int32_t x = static_cast<int32_t>((blockIdx.x * plan.block_x + threadIdx.x) * WAVE_CHUNK);
    const int32_t end = static_cast<int32_t>(tables.width);
    if (x >= end)
        return;

    const float4 columns = columns_from(tables, x, true, sin_t, cos_t);
    const cudaSurfaceObject_t surface = job.surface;
    // A surface is addressed in bytes along x.
    const int at = x * static_cast<int>(sizeof(float));
    if (x + WAVE_CHUNK <= end) {
        for_each_row(tables, plan, sin_t, cos_t, [&](uint32_t y, float row) {
            surf2Dwrite(heights_of(columns, row), surface, at, static_cast<int>(y));
        });
    } else {
        for_each_row(tables, plan, sin_t, cos_t, [&](uint32_t y, float row) {
            const float4 heights = heights_of(columns, row);
            surf2Dwrite(heights.x, surface, at, static_cast<int>(y));
            if (x + 1 < end)
                surf2Dwrite(heights.y, surface, at + 4, static_cast<int>(y));
            if (x + 2 < end)
                surf2Dwrite(heights.z, surface, at + 8, static_cast<int>(y));
        });
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

template <uint32_t slots>
cudaError_t launch(const void *kernel, const tables &tables, const wave_plan &plan,
                   const wave_job *jobs, uint32_t count, cudaStream_t stream)
{
    // The wave_job array itself may be shorter than what the kernel is passed.
    jobs_of<slots> passed = {};
    for (uint32_t i = 0; i < count; i++)
        passed.job[i] = jobs[i];
    void *arguments[] = {const_cast<struct tables *>(&tables), const_cast<wave_plan *>(&plan),
                         &passed};
    return cudaLaunchKernel(kernel, dim3(plan.grid_x, plan.grid_y, count),
                            dim3(plan.block_x, plan.block_y), arguments, 0, stream);
}

cudaError_t fill(const wave_grid *grid, const wave_job *jobs, uint32_t count, bool images,
                 wave_tuning tuning, bool streaming, cudaStream_t stream)
{
    const tables tables = {grid->width, grid->height, grid->column_sin, grid->column_cos,
                           reinterpret_cast<const float2 *>(grid->row_pairs)};
    for (uint32_t first = 0; first < count; first += jobs_max) {
        const uint32_t part = count - first < jobs_max ? count - first : jobs_max;
        bool aligned = images || grid->width % WAVE_CHUNK == 0;
        for (uint32_t i = 0; !images && i < part; i++)
            aligned = aligned && reinterpret_cast<uintptr_t>(jobs[first + i].heights) % 16 == 0;

        const wave_plan plan = wave_plan_make(grid->width, grid->height, part, grid->resident,
                                              aligned, images, tuning);
        const void *one, *many;
        if (images) {
            one = reinterpret_cast<const void *>(fill_images<1>);
            many = reinterpret_cast<const void *>(fill_images<jobs_max>);
        } else if (streaming) {
            one = reinterpret_cast<const void *>(fill_buffers<1, true>);
            many = reinterpret_cast<const void *>(fill_buffers<jobs_max, true>);
        } else {
            one = reinterpret_cast<const void *>(fill_buffers<1, false>);
            many = reinterpret_cast<const void *>(fill_buffers<jobs_max, false>);
        }
        const cudaError_t result =
            part == 1 ? launch<1>(one, tables, plan, jobs + first, part, stream)
                      : launch<jobs_max>(many, tables, plan, jobs + first, part, stream);
        if (result != cudaSuccess)
            return result;
    }
    return cudaSuccess;
}

} // namespace

extern "C" cudaError_t wave_kernel_load(void)
{
    const void *const kernels[] = {
        reinterpret_cast<const void *>(fill_buffers<1, false>),
        reinterpret_cast<const void *>(fill_buffers<jobs_max, false>),
        reinterpret_cast<const void *>(fill_images<1>),
        reinterpret_cast<const void *>(fill_images<jobs_max>),
        reinterpret_cast<const void *>(spin),
    };
    for (const void *kernel : kernels) {
        cudaFuncAttributes attributes;
        const cudaError_t result = cudaFuncGetAttributes(&attributes, kernel);
        if (result != cudaSuccess)
            return result;
    }
    return cudaSuccess;
}

extern "C" cudaError_t wave_fill_buffers(const wave_grid *grid, const wave_job *jobs,
                                         uint32_t count, cudaStream_t stream)
{
    return fill(grid, jobs, count, false, wave_tuning_default(), false, stream);
}

extern "C" cudaError_t wave_fill_images(const wave_grid *grid, const wave_job *jobs, uint32_t count,
                                        cudaStream_t stream)
{
    return fill(grid, jobs, count, true, wave_tuning_default(), false, stream);
}

extern "C" cudaError_t wave_fill_buffers_tuned(const wave_grid *grid, const wave_job *jobs,
                                               uint32_t count, wave_tuning tuning, bool streaming,
                                               cudaStream_t stream)
{
    return fill(grid, jobs, count, false, tuning, streaming, stream);
}

extern "C" cudaError_t wave_delay(uint32_t milliseconds, cudaStream_t stream)
{
    uint64_t nanoseconds = static_cast<uint64_t>(milliseconds) * 1000000;
    void *arguments[] = {&nanoseconds};
    return cudaLaunchKernel(reinterpret_cast<const void *>(spin), dim3(1), dim3(1), arguments, 0,
                            stream);
}
