/* cuda_formats.h: what the seam calls an image, in CUDA's words. Private to
 * kernels/ and its tests.
 *
 * Pure tables: no CUDA function is called. Anything that has no counterpart or
 * contradicts itself is ERROR_RUNTIME, never an assert. Thread rule: any thread.
 * Source: CUDA Programming Guide, section 4.19.2, "Mapping mipmapped arrays".
 */
#ifndef KERNELS_CUDA_FORMATS_H
#define KERNELS_CUDA_FORMATS_H

#include <cuda_runtime_api.h>

#include "vkbase/error.h"
#include "vkbase/interop.h"

/* Bits per channel and kind. */
bool cuda_format_channels(enum interop_format format, struct cudaChannelFormatDesc *channels,
                          struct error *error);

/* Extent of level 0 in texels; checks extent, layers and levels. */
bool cuda_format_extent(const struct interop_image *image, struct cudaExtent *extent,
                        struct error *error);

/* cudaArray... flags from view type and usage. */
bool cuda_format_flags(enum interop_view_type view_type, unsigned usage, unsigned *flags,
                       struct error *error);

/* All of it: what cudaExternalMemoryGetMappedMipmappedArray takes. */
bool cuda_format_image(const struct interop_image *image,
                       struct cudaExternalMemoryMipmappedArrayDesc *description,
                       struct error *error);

#endif
