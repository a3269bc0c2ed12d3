#include "vkbase/memory.h"

#include <fcntl.h>

#include "vkbase/result.h"

static const VkExternalMemoryHandleTypeFlagBits export_type =
    VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;

/* The kinds' required properties, and those that are worth having. */
static void kind_flags(enum vkb_memory_kind kind, VkMemoryPropertyFlags *need,
                       VkMemoryPropertyFlags *want)
{
    const VkMemoryPropertyFlags host =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    switch (kind) {
    case VKB_MEMORY_UPLOAD:
        *need = host;
        *want = host | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
        break;
    case VKB_MEMORY_READBACK:
        *need = host;
        *want = host | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
        break;
    default:
        *need = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
        *want = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    }
}

/* Memory types are ordered such that the first that fits is the fastest
 * (specification of VkPhysicalDeviceMemoryProperties). */
static bool find_type(const struct vkb_device *device, uint32_t bits, VkMemoryPropertyFlags flags,
                      uint32_t *type)
{
    for (uint32_t i = 0; i < device->memory.memoryTypeCount; i++) {
        if ((bits >> i & 1U) && (device->memory.memoryTypes[i].propertyFlags & flags) == flags) {
            *type = i;
            return true;
        }
    }
    return false;
}

/* Allocates for a buffer or an image (dedicated to it) or for neither. */
static bool allocate(const struct vkb_device *device, const VkMemoryRequirements *requirements,
                     enum vkb_memory_kind kind, bool exportable, VkBuffer buffer, VkImage image,
                     const char *name, struct vkb_memory *memory, struct error *error)
{
    VkMemoryPropertyFlags need = 0;
    VkMemoryPropertyFlags want = 0;
    uint32_t type = 0;
    *memory = (struct vkb_memory){0};
    kind_flags(kind, &need, &want);
    if (!find_type(device, requirements->memoryTypeBits, want, &type) &&
        !find_type(device, requirements->memoryTypeBits, need, &type))
        return error_set(error, ERROR_UNAVAILABLE,
                         "cannot allocate %s: the device has no fitting memory type; choose "
                         "another --device",
                         name);
    const uint32_t heap = device->memory.memoryTypes[type].heapIndex;
    const VkDeviceSize heap_free = vkb_device_heap_free(device, heap);
    if (requirements->size > heap_free)
        return error_set(error, ERROR_RUNTIME,
                         "cannot allocate %s: %llu bytes are needed and %llu are free in memory "
                         "heap %u; take a smaller --grid or --size",
                         name, (unsigned long long) requirements->size,
                         (unsigned long long) heap_free, heap);

    const bool dedicated = buffer || image;
    const VkMemoryDedicatedAllocateInfo dedicated_info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
        .buffer = buffer,
        .image = image,
    };
    const VkExportMemoryAllocateInfo export_info = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
        .pNext = dedicated ? &dedicated_info : NULL,
        .handleTypes = export_type,
    };
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = exportable  ? (const void *) &export_info
                 : dedicated ? (const void *) &dedicated_info
                             : NULL,
        .allocationSize = requirements->size,
        .memoryTypeIndex = type,
    };
    if (!VKB_MADE(error, name, vkAllocateMemory(device->handle, &info, NULL, &memory->handle))) {
        *memory = (struct vkb_memory){0};
        return false;
    }
    memory->size = requirements->size;
    memory->dedicated = dedicated;
    memory->exportable = exportable;
    vkb_name(device, VK_OBJECT_TYPE_DEVICE_MEMORY, VKB_HANDLE(memory->handle), "%s memory", name);
    return true;
}

void vkb_memory_free(const struct vkb_device *device, struct vkb_memory *memory)
{
    if (memory->handle)
        vkFreeMemory(device->handle, memory->handle, NULL);
    *memory = (struct vkb_memory){0};
}

static bool create_buffer_handle(const struct vkb_device *device,
                                 const struct vkb_buffer_params *params, VkBuffer *handle,
                                 struct error *error)
{
    const VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
        .handleTypes = export_type,
    };
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .pNext = params->exportable ? &external : NULL,
        .size = params->size,
        .usage = params->usage,
        .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
    };
    *handle = VK_NULL_HANDLE;
    if (!VKB_MADE(error, params->name, vkCreateBuffer(device->handle, &info, NULL, handle))) {
        *handle = VK_NULL_HANDLE;
        return false;
    }
    vkb_name(device, VK_OBJECT_TYPE_BUFFER, VKB_HANDLE(*handle), "%s", params->name);
    return true;
}

bool vkb_buffer_create(const struct vkb_device *device, const struct vkb_buffer_params *params,
                       struct vkb_buffer *buffer, struct error *error)
{
    *buffer = (struct vkb_buffer){.size = params->size};
    if (!create_buffer_handle(device, params, &buffer->handle, error))
        goto fail;
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(device->handle, buffer->handle, &requirements);
    if (!allocate(device, &requirements, params->kind, params->exportable,
                  params->dedicated ? buffer->handle : VK_NULL_HANDLE, VK_NULL_HANDLE, params->name,
                  &buffer->memory, error))
        goto fail;
    if (!VKB_MADE(error, params->name,
                  vkBindBufferMemory(device->handle, buffer->handle, buffer->memory.handle, 0)))
        goto fail;
    if (params->kind != VKB_MEMORY_DEVICE &&
        !VKB_MADE(error, params->name,
                  vkMapMemory(device->handle, buffer->memory.handle, 0, VK_WHOLE_SIZE, 0,
                              &buffer->mapped)))
        goto fail;
    return true;
fail:
    vkb_buffer_destroy(device, buffer);
    return false;
}

void vkb_buffer_destroy(const struct vkb_device *device, struct vkb_buffer *buffer)
{
    if (buffer->handle)
        vkDestroyBuffer(device->handle, buffer->handle, NULL);
    vkb_memory_free(device, &buffer->memory); /* unmaps too */
    *buffer = (struct vkb_buffer){0};
}

/* Turns what one object needs into what `count` of them need, one behind the
 * other at multiples of *stride. */
static bool spread(VkMemoryRequirements *requirements, VkDeviceSize alignment, uint32_t count,
                   const char *name, VkDeviceSize *stride, struct error *error)
{
    if (alignment < requirements->alignment)
        alignment = requirements->alignment;
    if (alignment == 0) /* none were asked for */
        alignment = 1;
    *stride = (requirements->size + alignment - 1) / alignment * alignment;
    if (*stride < requirements->size ||
        __builtin_mul_overflow(*stride, (VkDeviceSize) count, &requirements->size))
        return error_set(
            error, ERROR_RUNTIME,
            "cannot allocate %s: its size does not fit into 64 bits; take a smaller --grid", name);
    return true;
}

bool vkb_buffers_create_in_block(const struct vkb_device *device,
                                 const struct vkb_buffer_params *params, uint32_t count,
                                 struct vkb_buffer *buffers, struct vkb_memory *block,
                                 struct error *error)
{
    *block = (struct vkb_memory){0};
    for (uint32_t i = 0; i < count; i++)
        buffers[i] = (struct vkb_buffer){.size = params->size};
    VkMemoryRequirements requirements = {0};
    VkDeviceSize stride = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!create_buffer_handle(device, params, &buffers[i].handle, error))
            goto fail;
    }
    /* Equal create infos have equal requirements. */
    vkGetBufferMemoryRequirements(device->handle, buffers[0].handle, &requirements);
    if (!spread(&requirements, params->alignment, count, params->name, &stride, error) ||
        !allocate(device, &requirements, params->kind, params->exportable, VK_NULL_HANDLE,
                  VK_NULL_HANDLE, params->name, block, error))
        goto fail;
    for (uint32_t i = 0; i < count; i++) {
        buffers[i].offset = stride * i;
        if (!VKB_MADE(error, params->name,
                      vkBindBufferMemory(device->handle, buffers[i].handle, block->handle,
                                         buffers[i].offset)))
            goto fail;
    }
    return true;
fail:
    for (uint32_t i = 0; i < count; i++)
        vkb_buffer_destroy(device, &buffers[i]);
    vkb_memory_free(device, block);
    return false;
}

static struct vkb_image_shape image_shape(const struct vkb_image_params *params)
{
    const struct vkb_image_shape plain = {VK_IMAGE_VIEW_TYPE_2D, 1, 1, 1};
    return params->shape ? *params->shape : plain;
}

static const VkExternalMemoryImageCreateInfo external_image = {
    .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO,
    .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
};

static VkImageCreateInfo image_info(const struct vkb_image_params *params)
{
    const struct vkb_image_shape shape = image_shape(params);
    VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .pNext = params->exportable ? &external_image : NULL,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = params->format,
        .extent = {params->extent.width, params->extent.height, shape.depth},
        .mipLevels = shape.levels,
        .arrayLayers = shape.layers,
        .samples = params->samples,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = params->usage | (params->transient ? VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT : 0U),
        .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
        .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
    };
    switch (shape.view_type) {
    case VK_IMAGE_VIEW_TYPE_1D:
    case VK_IMAGE_VIEW_TYPE_1D_ARRAY:
        info.imageType = VK_IMAGE_TYPE_1D;
        break;
    case VK_IMAGE_VIEW_TYPE_3D:
        info.imageType = VK_IMAGE_TYPE_3D;
        break;
    case VK_IMAGE_VIEW_TYPE_CUBE:
    case VK_IMAGE_VIEW_TYPE_CUBE_ARRAY:
        info.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
        break;
    default:
        break;
    }
    return info;
}

static bool create_image_handle(const struct vkb_device *device,
                                const struct vkb_image_params *params, struct vkb_image *image,
                                struct error *error)
{
    const VkImageCreateInfo info = image_info(params);
    *image = (struct vkb_image){
        .format = params->format,
        .extent = params->extent,
        .shape = image_shape(params),
        .usage = info.usage,
    };
    if (!VKB_MADE(error, params->name,
                  vkCreateImage(device->handle, &info, NULL, &image->handle))) {
        image->handle = VK_NULL_HANDLE;
        return false;
    }
    vkb_name(device, VK_OBJECT_TYPE_IMAGE, VKB_HANDLE(image->handle), "%s", params->name);
    return true;
}

/* Binds at the image's offset in `memory` and makes the view. */
static bool bind_image(const struct vkb_device *device, const struct vkb_image_params *params,
                       VkDeviceMemory memory, struct vkb_image *image, struct error *error)
{
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image->handle,
        .viewType = image->shape.view_type,
        .format = params->format,
        .subresourceRange = {params->aspect, 0, image->shape.levels, 0, image->shape.layers},
    };
    if (!VKB_MADE(error, params->name,
                  vkBindImageMemory(device->handle, image->handle, memory, image->offset)))
        return false;
    if (!VKB_MADE(error, params->name,
                  vkCreateImageView(device->handle, &info, NULL, &image->view))) {
        image->view = VK_NULL_HANDLE;
        return false;
    }
    return true;
}

bool vkb_image_create(const struct vkb_device *device, const struct vkb_image_params *params,
                      struct vkb_image *image, struct error *error)
{
    VkMemoryRequirements requirements;
    if (!create_image_handle(device, params, image, error))
        goto fail;
    vkGetImageMemoryRequirements(device->handle, image->handle, &requirements);
    if (!allocate(device, &requirements, VKB_MEMORY_DEVICE, params->exportable, VK_NULL_HANDLE,
                  image->handle, params->name, &image->memory, error) ||
        !bind_image(device, params, image->memory.handle, image, error))
        goto fail;
    return true;
fail:
    vkb_image_destroy(device, image);
    return false;
}

void vkb_image_destroy(const struct vkb_device *device, struct vkb_image *image)
{
    if (image->view)
        vkDestroyImageView(device->handle, image->view, NULL);
    if (image->handle)
        vkDestroyImage(device->handle, image->handle, NULL);
    vkb_memory_free(device, &image->memory);
    *image = (struct vkb_image){0};
}

bool vkb_images_create_in_block(const struct vkb_device *device,
                                const struct vkb_image_params *params, uint32_t count,
                                struct vkb_image *images, struct vkb_memory *block,
                                struct error *error)
{
    *block = (struct vkb_memory){0};
    for (uint32_t i = 0; i < count; i++)
        images[i] = (struct vkb_image){0};
    VkMemoryRequirements requirements = {0};
    VkDeviceSize stride = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!create_image_handle(device, params, &images[i], error))
            goto fail;
    }
    vkGetImageMemoryRequirements(device->handle, images[0].handle, &requirements);
    if (!spread(&requirements, 0, count, params->name, &stride, error) ||
        !allocate(device, &requirements, VKB_MEMORY_DEVICE, params->exportable, VK_NULL_HANDLE,
                  VK_NULL_HANDLE, params->name, block, error))
        goto fail;
    for (uint32_t i = 0; i < count; i++) {
        images[i].offset = stride * i;
        if (!bind_image(device, params, block->handle, &images[i], error))
            goto fail;
    }
    return true;
fail:
    for (uint32_t i = 0; i < count; i++)
        vkb_image_destroy(device, &images[i]);
    vkb_memory_free(device, block);
    return false;
}

VkDeviceSize vkb_image_bytes(const struct vkb_device *device, const struct vkb_image_params *params)
{
    const VkImageCreateInfo info = image_info(params);
    const VkDeviceImageMemoryRequirements query = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS,
        .pCreateInfo = &info,
        .planeAspect = VK_IMAGE_ASPECT_COLOR_BIT,
    };
    VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    vkGetDeviceImageMemoryRequirements(device->handle, &query, &requirements);
    return requirements.memoryRequirements.size;
}

static struct vkb_export_support support_of(VkExternalMemoryFeatureFlags features)
{
    return (struct vkb_export_support){
        .exportable = (features & VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT) != 0,
        .dedicated_only = (features & VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT) != 0,
    };
}

struct vkb_export_support vkb_buffer_export_support(VkPhysicalDevice physical,
                                                    VkBufferUsageFlags usage)
{
    const VkPhysicalDeviceExternalBufferInfo info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
        .usage = usage,
        .handleType = export_type,
    };
    VkExternalBufferProperties properties = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES,
    };
    vkGetPhysicalDeviceExternalBufferProperties(physical, &info, &properties);
    return support_of(properties.externalMemoryProperties.externalMemoryFeatures);
}

struct vkb_export_support vkb_image_export_support(VkPhysicalDevice physical,
                                                   const struct vkb_image_params *params)
{
    const VkImageCreateInfo image = image_info(params);
    const VkPhysicalDeviceExternalImageFormatInfo external = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO,
        .handleType = export_type,
    };
    const VkPhysicalDeviceImageFormatInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
        .pNext = &external,
        .format = image.format,
        .type = image.imageType,
        .tiling = image.tiling,
        .usage = image.usage,
        .flags = image.flags,
    };
    VkExternalImageFormatProperties external_properties = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES,
    };
    VkImageFormatProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2,
        .pNext = &external_properties,
    };
    /* VK_ERROR_FORMAT_NOT_SUPPORTED is the answer "no", not a failure. */
    if (vkGetPhysicalDeviceImageFormatProperties2(physical, &info, &properties) != VK_SUCCESS)
        return (struct vkb_export_support){0};
    return support_of(external_properties.externalMemoryProperties.externalMemoryFeatures);
}

bool vkb_memory_export(const struct vkb_device *device, const struct vkb_memory *memory,
                       struct interop_memory *exported, struct error *error)
{
    *exported = (struct interop_memory){.handle.fd = -1};
    if (!device->get_memory_fd || !memory->exportable)
        return error_set(error, ERROR_UNAVAILABLE,
                         "cannot export memory: it was not made to be exported; report this");
    const VkMemoryGetFdInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
        .memory = memory->handle,
        .handleType = export_type,
    };
    int fd = -1;
    if (!vkb_check(device->get_memory_fd(device->handle, &info, &fd), error, "export memory",
                   "vkGetMemoryFdKHR"))
        return false;
    /* Vulkan has no flag for it; a failure costs only the courtesy. */
    (void) fcntl(fd, F_SETFD, FD_CLOEXEC);
    exported->handle = (struct interop_handle){.type = INTEROP_HANDLE_OPAQUE_FD, .fd = fd};
    exported->allocation_size = memory->size;
    exported->dedicated = memory->dedicated;
    return true;
}
