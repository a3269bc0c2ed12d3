/* cuda_device.h: which CUDA device is the Vulkan one.
 *
 * cuda_device_find creates no CUDA context. In a build without CUDA the
 * functions exist; it answers CUDA_DEVICE_NOT_BUILT. Thread rule: any thread.
 */
#ifndef KERNELS_CUDA_DEVICE_H
#define KERNELS_CUDA_DEVICE_H

#include "vkbase/error.h"
#include "vkbase/interop.h"

enum cuda_device_status {
    CUDA_DEVICE_FOUND = 0,
    CUDA_DEVICE_NOT_BUILT,  /* this build has no CUDA */
    CUDA_DEVICE_NO_DRIVER,  /* no driver, or one too old for the runtime */
    CUDA_DEVICE_NO_MATCH,   /* no visible CUDA device has this UUID */
    CUDA_DEVICE_PROHIBITED, /* matched, but in prohibited compute mode */
};

struct cuda_device {
    int ordinal;              /* CUDA's, as CUDA_VISIBLE_DEVICES leaves it */
    char name[256];           /* UTF-8, null-terminated */
    bool timeline_semaphores; /* cudaDevAttrTimelineSemaphoreInteropSupported */
    int driver_version;       /* 1000 * major + 10 * minor, of cudaDriverGetVersion */
};

/* Finds the device whose UUID equals `uuid` (INTEROP_UUID_SIZE bytes, compared
 * with memcmp). Fills `device` when found. Otherwise `why` (may be NULL) gets
 * kind ERROR_UNAVAILABLE and a short clause, such as "no CUDA device has this
 * UUID (CUDA_VISIBLE_DEVICES may hide it)". */
enum cuda_device_status cuda_device_find(const uint8_t *uuid, struct cuda_device *device,
                                         struct error *why);

/* The versions that the driver supports and that this build's runtime is of, each
 * 1000 * major + 10 * minor; 0: there is none. */
void cuda_device_versions(int *driver, int *runtime);

/* Makes the context of the device with this UUID, if it can be used: the slow
 * part of CUDA's start, worth doing while Vulkan starts. A failure shows again
 * in what comes next. */
void cuda_device_open(const uint8_t *uuid);

#endif
