/* npy_file.h: height maps as NumPy files. Thread rule: any thread. */
#ifndef APP_NPY_FILE_H
#define APP_NPY_FILE_H

#include <stdint.h>

#include "vkbase/error.h"

/* Writes a float32 little-endian C-order array of shape (height, width):
 * `values` has height rows of width numbers, without padding. The file is whole
 * or absent (output_file.h). Fails with ERROR_RUNTIME.
 * Source: NumPy Enhancement Proposal 1, "A Simple File Format for NumPy Arrays",
 * version 1.0. */
bool npy_file_write(const char *path, uint32_t width, uint32_t height, const float *values,
                    struct error *error);

#endif
