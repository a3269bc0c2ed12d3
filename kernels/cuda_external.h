/* cuda_external.h: Vulkan's memory and semaphores, imported into CUDA. Private
 * to kernels/.
 *
 * Each import takes the descriptor on success (sets it to -1) and leaves it
 * with the caller on failure. The calling thread's device must be the one whose
 * UUID is Vulkan's. On failure outputs are zeroed. Destroy functions accept
 * zeroed structs; mappings are destroyed before the memory they lie in.
 */
#ifndef KERNELS_CUDA_EXTERNAL_H
#define KERNELS_CUDA_EXTERNAL_H

#include <cuda_runtime_api.h>

#include "vkbase/error.h"
#include "vkbase/interop.h"

struct cuda_external_memory {
    cudaExternalMemory_t handle;
    uint64_t size; /* bytes of the allocation */
};

struct cuda_external_image {
    cudaMipmappedArray_t levels; /* owns */
    cudaSurfaceObject_t surface; /* of level 0 */
    bool has_surface;            /* 0 is no invalid surface by contract */
};

struct cuda_external_semaphore {
    cudaExternalSemaphore_t handle;
    enum interop_semaphore_type type;
    uint64_t value; /* timeline: the last one that was signalled here */
};

bool cuda_external_memory_import(struct interop_memory *memory,
                                 struct cuda_external_memory *imported, struct error *error);
void cuda_external_memory_destroy(struct cuda_external_memory *imported);

/* `address` is freed with cudaFree, before the memory is destroyed. */
bool cuda_external_buffer_map(const struct cuda_external_memory *memory,
                              const struct interop_buffer *buffer, void **address,
                              struct error *error);

/* The image needs storage usage. */
bool cuda_external_image_map(const struct cuda_external_memory *memory,
                             const struct interop_image *image, struct cuda_external_image *mapped,
                             struct error *error);
void cuda_external_image_unmap(struct cuda_external_image *mapped);

bool cuda_external_semaphore_import(struct interop_semaphore *semaphore,
                                    struct cuda_external_semaphore *imported, struct error *error);
/* All signals and waits on it must have completed. */
void cuda_external_semaphore_destroy(struct cuda_external_semaphore *imported);

/* Enqueue. For a binary semaphore the value is ignored; for a timeline a
 * signal must be greater than the last. `name` is for the error. */
bool cuda_external_semaphore_signal(struct cuda_external_semaphore *semaphore, uint64_t value,
                                    cudaStream_t stream, const char *name, struct error *error);
bool cuda_external_semaphore_wait(const struct cuda_external_semaphore *semaphore, uint64_t value,
                                  cudaStream_t stream, const char *name, struct error *error);

#endif
