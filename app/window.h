/* window.h: the window, by GLFW. The only header that knows of a display.
 *
 * In a build without GLFW, window_create fails with ERROR_UNAVAILABLE.
 * Thread rule: main thread only (GLFW's rule). One window per process.
 */
#ifndef APP_WINDOW_H
#define APP_WINDOW_H

#include <vulkan/vulkan.h>

#include "vkbase/error.h"

struct window;

/* Opens a window of this size in pixels, where the window system lets us. No
 * display is ERROR_UNAVAILABLE. */
bool window_create(uint32_t width, uint32_t height, struct window **window, struct error *error);
void window_destroy(struct window *window);

/* The instance extensions that its surface needs; static storage. */
bool window_extensions(const struct window *window, const char *const **names, uint32_t *count,
                       struct error *error);
/* Makes a surface, owned by the caller (vkDestroySurfaceKHR before the window
 * is destroyed). */
bool window_surface(const struct window *window, VkInstance instance, VkSurfaceKHR *surface,
                    struct error *error);

/* Pixels; 0x0 while minimised on some window systems. */
VkExtent2D window_framebuffer(const struct window *window);

/* Handles pending events; with `wait_seconds` > 0 first waits for one. */
void window_poll(struct window *window, double wait_seconds);
bool window_closed(const struct window *window);
void window_set_title(struct window *window, const char *title);

#endif
