#include "kernels/wave_baseline.h"

namespace
{

__global__ void fill(float *heights, uint32_t width, uint32_t height, float time)
{
    const uint32_t x = blockIdx.x * blockDim.x + threadIdx.x;
    const uint32_t y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;

    const float u = 2.0f * static_cast<float>(x) / static_cast<float>(width) - 1.0f;
    const float v = 2.0f * static_cast<float>(y) / static_cast<float>(height) - 1.0f;
    heights[static_cast<size_t>(y) * width + x] =
        0.5f * (sinf(4.0f * u + time) * cosf(4.0f * v + time));
}

} // namespace

extern "C" cudaError_t wave_baseline_fill(float *heights, uint32_t width, uint32_t height,
                                          float time, cudaStream_t stream)
{
    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    void *arguments[] = {&heights, &width, &height, &time};
    return cudaLaunchKernel(reinterpret_cast<const void *>(fill), grid, block, arguments, 0,
                            stream);
}
