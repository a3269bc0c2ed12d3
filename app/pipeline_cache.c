#include "app/pipeline_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/checksum.h"
#include "app/messages.h"
#include "app/output_file.h"
#include "vkbase/result.h"

/* What stands before Vulkan's data in the file. Drivers check their own data
 * with more or less care, so the file's wholeness is checked here. */
struct file_header {
    char magic[8];
    uint32_t version;
    uint32_t reserved;
    uint64_t size;     /* bytes behind the header */
    uint64_t checksum; /* of them (checksum.h) */
};
static const char file_magic[8] = {'s', 'i', 'n', 'e', 'p', 'i', 'p', 'e'};
enum { FILE_VERSION = 1 };

bool pipeline_cache_parse(const void *data, size_t size, const VkPhysicalDeviceProperties *device,
                          const void **blob, size_t *blob_size)
{
    struct file_header file;
    VkPipelineCacheHeaderVersionOne vulkan;
    *blob = NULL;
    *blob_size = 0;
    if (size < sizeof file + sizeof vulkan)
        return false;
    const uint8_t *body = (const uint8_t *) data + sizeof file;
    memcpy(&file, data, sizeof file);
    memcpy(&vulkan, body, sizeof vulkan);
    if (memcmp(file.magic, file_magic, sizeof file_magic) != 0 || file.version != FILE_VERSION ||
        file.size != size - sizeof file || file.checksum != checksum(body, size - sizeof file))
        return false;
    if (vulkan.headerSize < sizeof vulkan || vulkan.headerSize > file.size ||
        vulkan.headerVersion != VK_PIPELINE_CACHE_HEADER_VERSION_ONE ||
        vulkan.vendorID != device->vendorID || vulkan.deviceID != device->deviceID ||
        memcmp(vulkan.pipelineCacheUUID, device->pipelineCacheUUID, VK_UUID_SIZE) != 0)
        return false;
    *blob = body;
    *blob_size = size - sizeof file;
    return true;
}

/* Makes the folder at absolute `path`, and those above it. */
static bool make_folders(char *path)
{
    for (char *end = path + 1;; end++) {
        const char kept = *end;
        if (kept != '/' && kept != '\0')
            continue;
        *end = '\0';
        const bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *end = kept;
        if (kept == '\0')
            return made;
        /* One that cannot be made may be there: on a read-only disk, say. */
    }
}

/* Makes the folder and names the file; false where there is no place for it. */
static bool make_path(const VkPhysicalDeviceProperties *device, char *path, size_t size)
{
    char uuid[VKB_UUID_TEXT_SIZE];
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    int length = -1;
    /* The XDG base directory specification has relative paths ignored. */
    if (cache && cache[0] == '/')
        length = snprintf(path, size, "%s", cache);
    else if (home && home[0] == '/')
        length = snprintf(path, size, "%s/.cache", home);
    if (length < 0 || (size_t) length + 64 >= size)
        return false;
    length += snprintf(path + length, size - (size_t) length, "/sinewave");
    if (!make_folders(path))
        return false;
    vkb_uuid_text(device->pipelineCacheUUID, uuid);
    (void) snprintf(path + length, size - (size_t) length, "/%s.pipelines", uuid);
    return true;
}

/* The whole file in memory that the caller frees; NULL where it cannot be had. */
static uint8_t *read_file(const char *path, size_t *size)
{
    struct stat status;
    uint8_t *data = NULL;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return NULL;
    /* What somebody else wrote there would be fed to the driver. */
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
        status.st_size > 0 && status.st_size <= PIPELINE_CACHE_MAX)
        data = malloc((size_t) status.st_size);
    *size = 0;
    while (data && *size < (size_t) status.st_size) {
        const ssize_t got = read(fd, data + *size, (size_t) status.st_size - *size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        *size += (size_t) got;
    }
    (void) close(fd);
    return data;
}

bool pipeline_cache_create(const struct vkb_device *device, struct pipeline_cache *cache,
                           struct error *error)
{
    VkPhysicalDeviceProperties properties;
    uint8_t *data = NULL;
    size_t size = 0;
    const void *blob = NULL;
    size_t blob_size = 0;
    *cache = (struct pipeline_cache){0};
    vkGetPhysicalDeviceProperties(device->physical, &properties);
    cache->has_path = make_path(&properties, cache->path, sizeof cache->path);
    if (cache->has_path)
        data = read_file(cache->path, &size);
    else
        message_detail("pipeline cache: there is no place for it; set XDG_CACHE_HOME or HOME to a "
                       "folder that can be written");
    if (data && !pipeline_cache_parse(data, size, &properties, &blob, &blob_size))
        message_detail("pipeline cache: %s is damaged or of another driver, and is made anew",
                       cache->path);
    VkPipelineCacheCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
        .initialDataSize = blob_size,
        .pInitialData = blob,
    };
    VkResult result = vkCreatePipelineCache(device->handle, &info, NULL, &cache->handle);
    if (result != VK_SUCCESS && blob_size > 0) { /* the driver may refuse what it once gave */
        blob_size = info.initialDataSize = 0;
        result = vkCreatePipelineCache(device->handle, &info, NULL, &cache->handle);
    }
    free(data);
    cache->stored = blob_size;
    if (!vkb_check(result, error, "create a pipeline cache", "vkCreatePipelineCache")) {
        *cache = (struct pipeline_cache){0};
        return false;
    }
    return true;
}

/* Vulkan's data behind room for the header, in memory that the caller frees. */
static uint8_t *get_data(const struct vkb_device *device, const struct pipeline_cache *cache,
                         size_t *size)
{
    if (vkGetPipelineCacheData(device->handle, cache->handle, size, NULL) != VK_SUCCESS ||
        *size == 0 || *size > PIPELINE_CACHE_MAX - sizeof(struct file_header) ||
        *size == cache->stored)
        return NULL;
    uint8_t *data = malloc(sizeof(struct file_header) + *size);
    if (data && vkGetPipelineCacheData(device->handle, cache->handle, size,
                                       data + sizeof(struct file_header)) != VK_SUCCESS) {
        free(data);
        data = NULL;
    }
    return data;
}

void pipeline_cache_save(const struct vkb_device *device, struct pipeline_cache *cache)
{
    size_t size = 0;
    struct error why = {0};
    if (!cache->handle || !cache->has_path)
        return;
    uint8_t *data = get_data(device, cache, &size);
    struct output_file *file = data ? malloc(sizeof *file) : NULL;
    if (file) {
        struct file_header header = {
            .version = FILE_VERSION,
            .size = size,
            .checksum = checksum(data + sizeof header, size),
        };
        memcpy(header.magic, file_magic, sizeof file_magic);
        memcpy(data, &header, sizeof header);
        bool ok = output_file_open(file, cache->path, &why);
        if (ok && !output_file_write(file, data, sizeof header + size, &why)) {
            output_file_abort(file);
            ok = false;
        }
        if (!ok || !output_file_commit(file, &why))
            message_detail("pipeline cache: %s", why.text);
        cache->stored = size; /* or tried to */
    }
    free(file);
    free(data);
}

void pipeline_cache_destroy(const struct vkb_device *device, struct pipeline_cache *cache)
{
    if (cache->handle)
        vkDestroyPipelineCache(device->handle, cache->handle, NULL);
    *cache = (struct pipeline_cache){0};
}
