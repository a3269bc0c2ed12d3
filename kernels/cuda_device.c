#include "kernels/cuda_device.h"

#include <assert.h>
#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda_match.h"

static enum cuda_device_status no_driver(const char *call, cudaError_t result, int driver_version,
                                         struct error *why)
{
    (void) cudaGetLastError();
    if (result == cudaErrorInsufficientDriver)
        error_set(why, ERROR_UNAVAILABLE,
                  "the driver supports CUDA %d.%d, but this build needs CUDA %d.%d",
                  driver_version / 1000, driver_version % 1000 / 10, CUDART_VERSION / 1000,
                  CUDART_VERSION % 1000 / 10);
    else
        error_set(why, ERROR_UNAVAILABLE, "the CUDA driver does not start: %s returned %s (%s)",
                  call, cudaGetErrorName(result), cudaGetErrorString(result));
    return CUDA_DEVICE_NO_DRIVER;
}

/* Reads properties and one attribute, without making a context. */
static bool ask(int ordinal, enum cudaDeviceAttr attribute, struct cudaDeviceProp *properties,
                int *value, struct error *why)
{
    const char *call = "cudaGetDeviceProperties";
    cudaError_t result = cudaGetDeviceProperties(properties, ordinal);
    if (result == cudaSuccess) {
        call = "cudaDeviceGetAttribute";
        result = cudaDeviceGetAttribute(value, attribute, ordinal);
    }
    if (result == cudaSuccess)
        return true;
    (void) cudaGetLastError();
    return error_set(why, ERROR_UNAVAILABLE, "CUDA device %d does not answer: %s returned %s",
                     ordinal, call, cudaGetErrorName(result));
}

static bool read_candidate(int ordinal, struct cuda_candidate *candidate, struct error *why)
{
    struct cudaDeviceProp properties;
    int mode = cudaComputeModeDefault;
    if (!ask(ordinal, cudaDevAttrComputeMode, &properties, &mode, why))
        return false;
    static_assert(sizeof properties.uuid.bytes == INTEROP_UUID_SIZE, "a UUID has 16 bytes");
    memcpy(candidate->uuid, properties.uuid.bytes, INTEROP_UUID_SIZE);
    candidate->prohibited = mode == cudaComputeModeProhibited;
    return true;
}

static bool describe(int ordinal, int driver_version, struct cuda_device *device, struct error *why)
{
    struct cudaDeviceProp properties;
    int timeline = 0;
    if (!ask(ordinal, cudaDevAttrTimelineSemaphoreInteropSupported, &properties, &timeline, why))
        return false;
    *device = (struct cuda_device){
        .ordinal = ordinal,
        .timeline_semaphores = timeline != 0,
        .driver_version = driver_version,
    };
    static_assert(sizeof properties.name <= sizeof device->name, "the name fits");
    memcpy(device->name, properties.name, sizeof properties.name);
    device->name[sizeof device->name - 1] = '\0';
    return true;
}

enum cuda_device_status cuda_device_find(const uint8_t *uuid, struct cuda_device *device,
                                         struct error *why)
{
    *device = (struct cuda_device){.ordinal = -1};

    int driver_version = 0;
    cudaError_t result = cudaDriverGetVersion(&driver_version);
    if (result != cudaSuccess)
        return no_driver("cudaDriverGetVersion", result, driver_version, why);
    if (driver_version == 0) {
        error_set(why, ERROR_UNAVAILABLE, "no CUDA driver is installed");
        return CUDA_DEVICE_NO_DRIVER;
    }

    int count = 0;
    result = cudaGetDeviceCount(&count);
    if (result == cudaErrorNoDevice) {
        (void) cudaGetLastError();
        error_set(why, ERROR_UNAVAILABLE,
                  "there is no CUDA device (CUDA_VISIBLE_DEVICES may hide it)");
        return CUDA_DEVICE_NO_MATCH;
    }
    if (result != cudaSuccess)
        return no_driver("cudaGetDeviceCount", result, driver_version, why);

    struct cuda_candidate *candidates = calloc((size_t) count + 1, sizeof *candidates);
    int *ordinals = calloc((size_t) count + 1, sizeof *ordinals);
    enum cuda_device_status status = CUDA_DEVICE_NO_MATCH;
    if (!candidates || !ordinals) {
        error_set(why, ERROR_UNAVAILABLE, "there is no memory to list the CUDA devices");
        goto done;
    }

    /* A device that cannot be asked is no reason to give up on the others. */
    size_t readable = 0;
    struct error silent = {0};
    for (int i = 0; i < count; i++) {
        if (read_candidate(i, &candidates[readable], &silent))
            ordinals[readable++] = i;
    }

    int index = -1;
    status = cuda_match(uuid, candidates, readable, &index);
    switch (status) {
    case CUDA_DEVICE_FOUND:
        if (!describe(ordinals[index], driver_version, device, why))
            status = CUDA_DEVICE_NO_MATCH;
        break;
    case CUDA_DEVICE_PROHIBITED:
        error_set(why, ERROR_UNAVAILABLE,
                  "CUDA device %d has this UUID but is in prohibited compute mode "
                  "(nvidia-smi -c DEFAULT changes it)",
                  ordinals[index]);
        break;
    default:
        if (readable < (size_t) count)
            error_set(why, ERROR_UNAVAILABLE,
                      "no CUDA device that answers has this UUID (%zu of %d do not; %.200s)",
                      (size_t) count - readable, count, silent.text);
        else
            error_set(why, ERROR_UNAVAILABLE,
                      "no CUDA device has this UUID (CUDA_VISIBLE_DEVICES may hide it)");
    }

done:
    free(ordinals);
    free(candidates);
    return status;
}

void cuda_device_versions(int *driver, int *runtime)
{
    *driver = 0;
    *runtime = CUDART_VERSION;
    if (cudaDriverGetVersion(driver) != cudaSuccess) {
        (void) cudaGetLastError();
        *driver = 0;
    }
}

void cuda_device_open(const uint8_t *uuid)
{
    struct cuda_device device;
    if (cuda_device_find(uuid, &device, NULL) != CUDA_DEVICE_FOUND)
        return;
    /* Freeing nothing is the runtime's idiom for "initialise now". */
    if (cudaSetDevice(device.ordinal) != cudaSuccess || cudaFree(NULL) != cudaSuccess)
        (void) cudaGetLastError();
}
