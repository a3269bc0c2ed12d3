#include "kernels/cuda_result.h"

#include <string.h>

enum error_kind cuda_result_kind(cudaError_t result)
{
    switch (result) {
    case cudaErrorNoDevice:
    case cudaErrorInvalidDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorCallRequiresNewerDriver:
    case cudaErrorStubLibrary:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorSystemNotReady:
    case cudaErrorCompatNotSupportedOnDevice:
    case cudaErrorInitializationError:
    case cudaErrorDevicesUnavailable:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorNotSupported:
        return ERROR_UNAVAILABLE;
    default:
        return ERROR_RUNTIME;
    }
}

static const char *advice(cudaError_t result)
{
    switch (result) {
    case cudaErrorMemoryAllocation:
        return "free memory on the device, or take a smaller --grid or --batch";
    case cudaErrorNoDevice:
    case cudaErrorInvalidDevice:
        return "check CUDA_VISIBLE_DEVICES, or use --compute vulkan";
    case cudaErrorInsufficientDriver:
    case cudaErrorCallRequiresNewerDriver:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorCompatNotSupportedOnDevice:
    case cudaErrorUnsupportedPtxVersion:
        return "update the NVIDIA driver, or use --compute vulkan";
    case cudaErrorStubLibrary:
        return "take the toolkit's stubs folder off LD_LIBRARY_PATH";
    case cudaErrorDevicesUnavailable:
        return "another process holds the device exclusively; end it, or use --compute vulkan";
    case cudaErrorNoKernelImageForDevice:
        return "build for this device's architecture, or use --compute vulkan";
    case cudaErrorInvalidValue:
    case cudaErrorInvalidResourceHandle:
    case cudaErrorOperatingSystem:
        return "check that Vulkan and CUDA run on the same driver, or use --compute vulkan";
    case cudaErrorNotSupported:
    case cudaErrorInitializationError:
    case cudaErrorSystemNotReady:
        return "use --compute vulkan";
    default:
        return "see the kernel log for what the driver reports, or use --compute vulkan";
    }
}

bool cuda_result_check(cudaError_t result, struct error *error, const char *call, const char *doing,
                       ...)
{
    if (result == cudaSuccess)
        return true;

    char what[160];
    va_list arguments;
    va_start(arguments, doing);
    (void) vsnprintf(what, sizeof what, doing, arguments);
    va_end(arguments);
    (void) cudaGetLastError();
    return error_set(error, cuda_result_kind(result), "cannot %s: %.*s returned %s (%s); %s", what,
                     (int) strcspn(call, "( "), call, cudaGetErrorName(result),
                     cudaGetErrorString(result), advice(result));
}
