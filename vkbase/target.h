/* target.h: what is drawn into, one interface for swapchain and offscreen.
 *
 * A frame: acquire an image, draw into images[i]/views[i] (its contents are
 * undefined before), leave it in `final_layout`, present. Thread rule: one
 * thread at a time.
 * Source: Vulkan 1.3 specification, "Window System Integration (WSI)".
 */
#ifndef VKBASE_TARGET_H
#define VKBASE_TARGET_H

#include "vkbase/memory.h"

enum {
    VKB_TARGET_IMAGES_MAX = 16,
    VKB_FRAMES_MAX = 4, /* frames in flight */
};

enum vkb_target_status {
    VKB_TARGET_READY = 0,
    VKB_TARGET_TIMEOUT,     /* no image became free in time: try again */
    VKB_TARGET_OUT_OF_DATE, /* the target must be made anew; no image, no semaphore is pending */
    VKB_TARGET_SUBOPTIMAL,  /* went well, but should be made anew soon */
};

/* An image to draw into. The drawing submission waits on `acquired` at the
 * stage that first writes the image, and signals `rendered`; both are null offscreen. */
struct vkb_acquired {
    uint32_t image;
    VkSemaphore acquired;
    VkSemaphore rendered;
};

/* How a target's images are drawn into. */
enum vkb_target_use {
    VKB_TARGET_ATTACHMENT = 0, /* as colour attachment, which encodes sRGB */
    VKB_TARGET_STORAGE,        /* as storage image in a UNORM format: the shader encodes */
    VKB_TARGET_COPY,           /* by a copy of such an image, bit for bit */
};

/* What an image must be made with to be drawn into in this way. */
VkImageUsageFlags vkb_target_usage(enum vkb_target_use use);

struct vkb_target {
    enum vkb_target_use use;
    VkFormat format;
    VkExtent2D extent;
    uint32_t image_count;
    VkImage images[VKB_TARGET_IMAGES_MAX];
    VkImageView views[VKB_TARGET_IMAGES_MAX];
    VkImageLayout final_layout;
    bool (*acquire)(const struct vkb_device *device, struct vkb_target *target, uint32_t slot,
                    uint64_t timeout_ns, struct vkb_acquired *acquired,
                    enum vkb_target_status *status, struct error *error);
    bool (*present)(const struct vkb_device *device, struct vkb_target *target,
                    const struct vkb_acquired *acquired, enum vkb_target_status *status,
                    struct error *error);
};

/* A format of 8 bits per channel that shaders can write to, without sRGB. */
VkFormat vkb_storage_format(const struct vkb_device *device);

/* Images of device-local memory that can be copied from. */
struct vkb_offscreen {
    struct vkb_target target;
    struct vkb_image images[VKB_FRAMES_MAX];
};

struct vkb_offscreen_params {
    enum vkb_target_use use;
    VkFormat format;
    VkExtent2D extent; /* pixels */
    uint32_t count;    /* images, at most VKB_FRAMES_MAX */
};

/* Images are handed out in turn: acquire for slot s gives image s % count,
 * whose last use must have been waited for. */
bool vkb_offscreen_create(const struct vkb_device *device,
                          const struct vkb_offscreen_params *params,
                          struct vkb_offscreen *offscreen, struct error *error);
void vkb_offscreen_destroy(const struct vkb_device *device, struct vkb_offscreen *offscreen);

struct vkb_swapchain_params {
    VkSurfaceKHR surface; /* stays the caller's */
    VkExtent2D extent;    /* framebuffer size in pixels; used where the surface has none */
    VkPresentModeKHR present_mode;
    uint32_t frames_in_flight; /* at most VKB_FRAMES_MAX */
    enum vkb_target_use use;   /* storage becomes copy where the surface has no such format */
};

struct vkb_swapchain {
    struct vkb_target target;
    struct vkb_swapchain_params params;
    VkSwapchainKHR handle;         /* null while the surface has no extent (minimised) */
    bool was_made;                 /* once at least: this display can be presented to */
    VkPresentModeKHR present_mode; /* the one in use: fifo where the wish cannot be had */
    VkColorSpaceKHR color_space;   /* with target.format for all images to come */
    bool extent_is_ours;           /* the surface takes any: recreate when the window's changes */
    VkSemaphore acquired[VKB_FRAMES_MAX];
    VkSemaphore rendered[VKB_TARGET_IMAGES_MAX];
};

/* Needs an sRGB format of 8 bits per channel, or for storage a UNORM one; a
 * surface without one is ERROR_UNAVAILABLE. */
bool vkb_swapchain_create(const struct vkb_device *device,
                          const struct vkb_swapchain_params *params,
                          struct vkb_swapchain *swapchain, struct error *error);
/* Makes images of the surface's present extent. All drawing into the old ones
 * must have been waited for. On an extent of 0 the handle stays null and
 * target.extent 0x0: call again later. */
bool vkb_swapchain_recreate(const struct vkb_device *device, struct vkb_swapchain *swapchain,
                            VkExtent2D extent, struct error *error);
void vkb_swapchain_destroy(const struct vkb_device *device, struct vkb_swapchain *swapchain);

#endif
