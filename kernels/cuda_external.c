#include "kernels/cuda_external.h"

#include <inttypes.h>

#include "kernels/cuda_formats.h"
#include "kernels/cuda_result.h"

static bool check_handle(const struct interop_handle *handle, const char *what, struct error *error)
{
    if (handle->type != INTEROP_HANDLE_OPAQUE_FD)
        return error_set(error, ERROR_RUNTIME,
                         "cannot import %s into CUDA: handle type %d is not implemented; export a "
                         "file descriptor",
                         what, (int) handle->type);
    if (handle->fd < 0)
        return error_set(error, ERROR_RUNTIME,
                         "cannot import %s into CUDA: the descriptor was given away or never made; "
                         "export a new one",
                         what);
    return true;
}

bool cuda_external_memory_import(struct interop_memory *memory,
                                 struct cuda_external_memory *imported, struct error *error)
{
    *imported = (struct cuda_external_memory){0};
    if (!check_handle(&memory->handle, "memory", error))
        return false;

    /* Size and flag describe the allocation, not what is bound to it: CUDA
     * would take a wrong flag here and fail at the mapping. */
    const struct cudaExternalMemoryHandleDesc description = {
        .type = cudaExternalMemoryHandleTypeOpaqueFd,
        .handle.fd = memory->handle.fd,
        .size = memory->allocation_size,
        .flags = memory->dedicated ? cudaExternalMemoryDedicated : 0,
    };
    if (!CUDA_OK(error, cudaImportExternalMemory(&imported->handle, &description),
                 "import %" PRIu64 " bytes of %s memory", memory->allocation_size,
                 memory->dedicated ? "dedicated" : "shared")) {
        *imported = (struct cuda_external_memory){0};
        return false;
    }
    memory->handle.fd = -1; /* CUDA's now */
    imported->size = memory->allocation_size;
    return true;
}

void cuda_external_memory_destroy(struct cuda_external_memory *imported)
{
    if (imported->handle)
        (void) cudaDestroyExternalMemory(imported->handle);
    *imported = (struct cuda_external_memory){0};
}

bool cuda_external_buffer_map(const struct cuda_external_memory *memory,
                              const struct interop_buffer *buffer, void **address,
                              struct error *error)
{
    *address = NULL;
    if (buffer->size == 0 || buffer->offset > memory->size ||
        buffer->size > memory->size - buffer->offset)
        return error_set(error, ERROR_RUNTIME,
                         "cannot map a buffer into CUDA: %" PRIu64 " bytes at %" PRIu64
                         " are not within the allocation's %" PRIu64 "; pass what was bound",
                         buffer->size, buffer->offset, memory->size);

    const struct cudaExternalMemoryBufferDesc description = {
        .offset = buffer->offset,
        .size = buffer->size,
    };
    void *mapped = NULL;
    if (!CUDA_OK(error, cudaExternalMemoryGetMappedBuffer(&mapped, memory->handle, &description),
                 "map %" PRIu64 " bytes at %" PRIu64, buffer->size, buffer->offset))
        return false;
    *address = mapped;
    return true;
}

bool cuda_external_image_map(const struct cuda_external_memory *memory,
                             const struct interop_image *image, struct cuda_external_image *mapped,
                             struct error *error)
{
    *mapped = (struct cuda_external_image){0};
    struct cudaExternalMemoryMipmappedArrayDesc description;
    if (!cuda_format_image(image, &description, error))
        return false;
    if (!(image->usage & INTEROP_IMAGE_STORAGE))
        return error_set(error, ERROR_RUNTIME,
                         "cannot map an image into CUDA: it has no storage usage; create it with "
                         "it, as CUDA writes it through a surface object");
    if (image->offset >= memory->size)
        return error_set(error, ERROR_RUNTIME,
                         "cannot map an image into CUDA: it begins at %" PRIu64
                         ", past the allocation's %" PRIu64 " bytes; pass what was bound",
                         image->offset, memory->size);

    /* Level 0 belongs to the mipmapped array and is not freed. */
    struct cuda_external_image made = {0};
    cudaArray_t level = NULL;
    if (!CUDA_OK(
            error,
            cudaExternalMemoryGetMappedMipmappedArray(&made.levels, memory->handle, &description),
            "map an image of %ux%u texels", image->width, image->height)) {
        made.levels = NULL;
        goto fail;
    }
    if (!CUDA_OK(error, cudaGetMipmappedArrayLevel(&level, made.levels, 0),
                 "take level 0 of an image"))
        goto fail;
    const struct cudaResourceDesc resource = {
        .resType = cudaResourceTypeArray,
        .res.array.array = level,
    };
    if (!CUDA_OK(error, cudaCreateSurfaceObject(&made.surface, &resource),
                 "make a surface object of an image"))
        goto fail;
    made.has_surface = true;
    *mapped = made;
    return true;

fail:
    cuda_external_image_unmap(&made);
    return false;
}

void cuda_external_image_unmap(struct cuda_external_image *mapped)
{
    if (mapped->has_surface)
        (void) cudaDestroySurfaceObject(mapped->surface);
    if (mapped->levels)
        (void) cudaFreeMipmappedArray(mapped->levels);
    *mapped = (struct cuda_external_image){0};
}

bool cuda_external_semaphore_import(struct interop_semaphore *semaphore,
                                    struct cuda_external_semaphore *imported, struct error *error)
{
    *imported = (struct cuda_external_semaphore){0};
    if (!check_handle(&semaphore->handle, "a semaphore", error))
        return false;

    const bool timeline = semaphore->type == INTEROP_SEMAPHORE_TIMELINE;
    if (!timeline && semaphore->type != INTEROP_SEMAPHORE_BINARY)
        return error_set(error, ERROR_RUNTIME,
                         "cannot import a semaphore into CUDA: its type %d is unknown; use one of "
                         "enum interop_semaphore_type",
                         (int) semaphore->type);

    const struct cudaExternalSemaphoreHandleDesc description = {
        .type = timeline ? cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd
                         : cudaExternalSemaphoreHandleTypeOpaqueFd,
        .handle.fd = semaphore->handle.fd,
    };
    if (!CUDA_OK(error, cudaImportExternalSemaphore(&imported->handle, &description),
                 "import a %s semaphore", timeline ? "timeline" : "binary")) {
        *imported = (struct cuda_external_semaphore){0};
        return false;
    }
    semaphore->handle.fd = -1; /* CUDA's now */
    imported->type = semaphore->type;
    return true;
}

void cuda_external_semaphore_destroy(struct cuda_external_semaphore *imported)
{
    if (imported->handle)
        (void) cudaDestroyExternalSemaphore(imported->handle);
    *imported = (struct cuda_external_semaphore){0};
}

bool cuda_external_semaphore_signal(struct cuda_external_semaphore *semaphore, uint64_t value,
                                    cudaStream_t stream, const char *name, struct error *error)
{
    const bool timeline = semaphore->type == INTEROP_SEMAPHORE_TIMELINE;
    if (timeline && value <= semaphore->value)
        return error_set(error, ERROR_RUNTIME,
                         "cannot signal semaphore %s: value %" PRIu64 " is not above the last, "
                         "%" PRIu64 "; a timeline only grows",
                         name, value, semaphore->value);

    const struct cudaExternalSemaphoreSignalParams params = {
        .params.fence.value = timeline ? value : 0,
    };
    if (!CUDA_OK(error, cudaSignalExternalSemaphoresAsync(&semaphore->handle, &params, 1, stream),
                 "signal semaphore %s", name))
        return false;
    if (timeline)
        semaphore->value = value;
    return true;
}

bool cuda_external_semaphore_wait(const struct cuda_external_semaphore *semaphore, uint64_t value,
                                  cudaStream_t stream, const char *name, struct error *error)
{
    const struct cudaExternalSemaphoreWaitParams params = {
        .params.fence.value = semaphore->type == INTEROP_SEMAPHORE_TIMELINE ? value : 0,
    };
    return CUDA_OK(error, cudaWaitExternalSemaphoresAsync(&semaphore->handle, &params, 1, stream),
                   "wait for semaphore %s", name);
}
