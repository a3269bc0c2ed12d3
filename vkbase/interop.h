/* interop.h: the seam between Vulkan and CUDA, and how to use it.
 *
 * Vulkan and CUDA never meet in one file. All that crosses from the side that
 * allocates (vkbase/) to the side that imports (kernels/) is the plain data
 * below; it names no type of either interface. Each side checks what it gets.
 *
 * In this order
 *   1. UUID      deviceUUID of the Vulkan device, INTEROP_UUID_SIZE bytes; the
 *                importer looks for the CUDA device with the same bytes.
 *   2. memory    one interop_memory for each allocation, exported once. A
 *                dedicated allocation holds one buffer or image at offset 0; any
 *                other holds several, each at the offset it was bound at.
 *   3. contents  an interop_buffer or interop_image for each thing in it: what
 *                was bound, not what is used of it.
 *   4. semaphore one interop_semaphore for each, exported once.
 *   5. use       an interop_point is all that a turn needs: wait for it, work,
 *                signal another. The signal is enqueued before the wait for it
 *                is submitted.
 *   6. end       the importer destroys mappings, then imports; then the exporter
 *                destroys what it made.
 * exporter: vkb_memory_export, vkb_semaphore_export, vkb_interop_image.
 * importer: cuda_external_*, which cuda_stepper puts together.
 *
 * Who owns a handle
 *   - A POSIX file descriptor is made anew by each export. The importer owns
 *     it once the import has succeeded: it sets `fd` to -1 and nobody else may
 *     use or close it. If the import fails, it stays with whoever passed it,
 *     who closes it with interop_handle_close().
 *   - A Windows NT handle stays the exporter's even after a successful import:
 *     close it when no longer needed, before the memory goes away.
 *   - A KMT handle holds no reference at all and is never closed.
 *   - A named NT handle is imported by `name`, which outlives the call only.
 * Only file descriptors are implemented; the other types have their place here
 * so that the structs need not change, and are refused with an error.
 *
 * Terms of both interfaces side by side, common errors and diagrams:
 * docs/interop.md. Thread rule: plain data, as its owner likes.
 * Sources: Vulkan specification, "External Memory Handle Types" and "Importing
 * Semaphore Payloads"; CUDA Programming Guide, "External Resource
 * Interoperability".
 */
#ifndef VKBASE_INTEROP_H
#define VKBASE_INTEROP_H

#include <stdbool.h>
#include <stdint.h>
#ifndef _WIN32
#include <unistd.h>
#endif

enum { INTEROP_UUID_SIZE = 16 }; /* bytes; VK_UUID_SIZE, and the size of cudaUUID_t */

enum interop_handle_type {
    INTEROP_HANDLE_NONE = 0,
    INTEROP_HANDLE_OPAQUE_FD,
    INTEROP_HANDLE_OPAQUE_WIN32,
    INTEROP_HANDLE_OPAQUE_WIN32_KMT,
};

struct interop_handle {
    enum interop_handle_type type;
    int fd;           /* INTEROP_HANDLE_OPAQUE_FD; -1: none, or given away */
    void *win32;      /* the two Windows types */
    const void *name; /* a named NT handle, instead of `win32` */
};

/* One allocation of device memory. */
struct interop_memory {
    struct interop_handle handle;
    uint64_t allocation_size; /* bytes: what was allocated, not the size of what is bound to it */
    bool dedicated;           /* made for one buffer or image: must be imported as such */
};

/* A buffer in an allocation. */
struct interop_buffer {
    uint64_t offset; /* bytes from the start of the allocation, as the buffer was bound */
    uint64_t size;   /* bytes */
};

/* Formats that both interfaces can name: per channel 8, 16 or 32 bits. */
enum interop_format {
    INTEROP_FORMAT_UNDEFINED = 0,
    INTEROP_FORMAT_R8_UINT,
    INTEROP_FORMAT_R8_SINT,
    INTEROP_FORMAT_R8G8_UINT,
    INTEROP_FORMAT_R8G8_SINT,
    INTEROP_FORMAT_R8G8B8A8_UINT,
    INTEROP_FORMAT_R8G8B8A8_SINT,
    INTEROP_FORMAT_R16_UINT,
    INTEROP_FORMAT_R16_SINT,
    INTEROP_FORMAT_R16G16_UINT,
    INTEROP_FORMAT_R16G16_SINT,
    INTEROP_FORMAT_R16G16B16A16_UINT,
    INTEROP_FORMAT_R16G16B16A16_SINT,
    INTEROP_FORMAT_R32_UINT,
    INTEROP_FORMAT_R32_SINT,
    INTEROP_FORMAT_R32_SFLOAT,
    INTEROP_FORMAT_R32G32_UINT,
    INTEROP_FORMAT_R32G32_SINT,
    INTEROP_FORMAT_R32G32_SFLOAT,
    INTEROP_FORMAT_R32G32B32A32_UINT,
    INTEROP_FORMAT_R32G32B32A32_SINT,
    INTEROP_FORMAT_R32G32B32A32_SFLOAT,
    INTEROP_FORMAT_COUNT
};

enum interop_view_type {
    INTEROP_VIEW_1D = 0,
    INTEROP_VIEW_2D,
    INTEROP_VIEW_3D,
    INTEROP_VIEW_CUBE,
    INTEROP_VIEW_1D_ARRAY,
    INTEROP_VIEW_2D_ARRAY,
    INTEROP_VIEW_CUBE_ARRAY,
    INTEROP_VIEW_COUNT
};

enum interop_image_usage {
    INTEROP_IMAGE_COLOR_ATTACHMENT = 1 << 0,
    INTEROP_IMAGE_STORAGE = 1 << 1, /* read and written through surface objects */
};

/* An image in an allocation, in a layout that only the two drivers know. Format,
 * extent, levels and usage must be those it was created with: a mapping that
 * differs is undefined, and mostly not told. */
struct interop_image {
    uint64_t offset; /* bytes from the start of the allocation */
    enum interop_format format;
    enum interop_view_type view_type;
    uint32_t width, height, depth; /* texels of level 0; 1 where the type has no such axis */
    uint32_t layers;               /* array layers; cube faces count as layers */
    uint32_t levels;               /* mip levels; with several layers one, or all down to 1x1 */
    unsigned usage;                /* bits of enum interop_image_usage */
};

enum interop_semaphore_type {
    INTEROP_SEMAPHORE_TIMELINE = 0, /* 64-bit counter that only grows */
    INTEROP_SEMAPHORE_BINARY,       /* one bit; each signal is waited for exactly once */
};

struct interop_semaphore {
    struct interop_handle handle;
    enum interop_semaphore_type type;
};

/* A point to wait for or to signal: which semaphore of an array, and (timeline
 * only) which value. */
struct interop_point {
    uint32_t index;
    uint64_t value;
};

/* Closes a handle that nobody has taken; safe on one that was given away. */
static inline void interop_handle_close(struct interop_handle *handle)
{
#ifndef _WIN32
    if (handle->type == INTEROP_HANDLE_OPAQUE_FD && handle->fd >= 0)
        (void) close(handle->fd);
#endif
    handle->type = INTEROP_HANDLE_NONE;
    handle->fd = -1;
}

#endif
