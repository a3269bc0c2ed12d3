/* checksum.h: one number for many bytes.
 *
 * Thread rule: pure, any thread.
 * Source: FNV-1a, 64 bits (Fowler, Noll, Vo). Finds accidents, not forgeries.
 */
#ifndef APP_CHECKSUM_H
#define APP_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint64_t checksum(const void *bytes, size_t size);

#endif
