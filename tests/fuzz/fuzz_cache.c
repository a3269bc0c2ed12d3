/* fuzz_cache.c: a file as a pipeline cache. Where the first byte is odd, size
 * and checksum are put right first: chance never would. */
#include <stdlib.h>
#include <string.h>

#include "app/pipeline_cache.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER = 32, SIZE_AT = 16, CHECKSUM_AT = 24 }; /* bytes */

static void put_right(uint8_t *file, size_t size)
{
    const uint64_t body = size - HEADER;
    const uint32_t version = 1;
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (size_t i = HEADER; i < size; i++)
        hash = (hash ^ file[i]) * UINT64_C(0x100000001b3);
    memcpy(file, "sinepipe", 8);
    memcpy(file + 8, &version, sizeof version);
    memcpy(file + SIZE_AT, &body, sizeof body);
    memcpy(file + CHECKSUM_AT, &hash, sizeof hash);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const VkPhysicalDeviceProperties device = {
        .vendorID = 0x10de,
        .deviceID = 0x2330,
        .pipelineCacheUUID = "0123456789abcde",
    };
    const void *blob = NULL;
    size_t blob_size = 0;
    if (size < 1)
        return 0;
    size_t length = size - 1;
    uint8_t *file = malloc(length > 0 ? length : 1); /* its end is where a sanitizer looks */
    if (!file)
        return 0;
    memcpy(file, data + 1, length);
    if ((data[0] & 1U) && length >= HEADER)
        put_right(file, length);
    if (pipeline_cache_parse(file, length, &device, &blob, &blob_size)) {
        const uint8_t *begin = blob;
        uint32_t header = 0;
        if (blob_size < sizeof header || begin < file || begin + blob_size > file + length)
            abort();
        memcpy(&header, blob, sizeof header);
        if (header > blob_size)
            abort();
    } else if (blob || blob_size > 0) {
        abort();
    }
    free(file);
    return 0;
}
