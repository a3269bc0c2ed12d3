#include "kernels/wave_baseline.h"

namespace
{

constexpr uint32_t warp = 32; // threads, on every device so far

__device__ __forceinline__ float height_at(uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                                           float time)
{
    const float u = 2.0f * static_cast<float>(x) / static_cast<float>(width) - 1.0f;
    const float v = 2.0f * static_cast<float>(y) / static_cast<float>(height) - 1.0f;
    return 0.5f * (sinf(4.0f * u + time) * cosf(4.0f * v + time));
}

__global__ void fill_vertex(float *heights, uint32_t width, uint32_t height, float time)
{
    const uint32_t x = blockIdx.x * blockDim.x + threadIdx.x;
    const uint32_t y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        heights[static_cast<size_t>(y) * width + x] = height_at(x, y, width, height, time);
}

__global__ void fill_strided(float *heights, size_t width, size_t height, float time)
{
    const size_t threads = static_cast<size_t>(gridDim.x) * blockDim.x;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < width * height; i += threads) {
        const size_t y = i / width;
        heights[i] = height_at(static_cast<uint32_t>(i - y * width), static_cast<uint32_t>(y),
                               static_cast<uint32_t>(width), static_cast<uint32_t>(height), time);
    }
}

} // namespace

extern "C" cudaError_t wave_baseline_vertex(float *heights, uint32_t width, uint32_t height,
                                            float time, cudaStream_t stream)
{
    const dim3 block(warp, 8);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    void *arguments[] = {&heights, &width, &height, &time};
    return cudaLaunchKernel(reinterpret_cast<const void *>(fill_vertex), grid, block, arguments, 0,
                            stream);
}

extern "C" cudaError_t wave_baseline_blocks(uint32_t *blocks)
{
    int device = 0, processors = 0, each = 0;
    cudaError_t result = cudaGetDevice(&device);
    if (result == cudaSuccess)
        result = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (result == cudaSuccess)
        result = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &each, reinterpret_cast<const void *>(fill_strided), warp, 0);
    *blocks = result == cudaSuccess ? static_cast<uint32_t>(processors * each) : 0;
    return result;
}

extern "C" cudaError_t wave_baseline_strided(float *heights, uint32_t width, uint32_t height,
                                             float time, uint32_t blocks, cudaStream_t stream)
{
    size_t width_64 = width;
    size_t height_64 = height;
    const size_t needed = (width_64 * height_64 + warp - 1) / warp;
    const dim3 grid(needed < blocks ? static_cast<uint32_t>(needed) : blocks);
    void *arguments[] = {&heights, &width_64, &height_64, &time};
    return cudaLaunchKernel(reinterpret_cast<const void *>(fill_strided), grid, dim3(warp),
                            arguments, 0, stream);
}
