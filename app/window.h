/* window.h: the window, by GLFW. The only header that knows of a display.
 *
 * In a build without GLFW, window_create fails with ERROR_UNAVAILABLE.
 * Thread rule: main thread only (GLFW's rule). One window per process. Where
 * the X server goes away, Xlib leaves no way to go on: any of these functions
 * may then print the error and end the process with exit code 4.
 */
#ifndef APP_WINDOW_H
#define APP_WINDOW_H

#include <vulkan/vulkan.h>

#include "vkbase/error.h"

struct window;

/* Opens a window of this size in pixels, where the window system lets us; it
 * is not seen before window_show. No display is ERROR_UNAVAILABLE. */
bool window_create(uint32_t width, uint32_t height, struct window **window, struct error *error);
void window_destroy(struct window *window);
void window_show(struct window *window);

/* The instance extensions that its surface needs; static storage. */
bool window_extensions(const struct window *window, const char *const **names, uint32_t *count,
                       struct error *error);
/* Makes a surface, owned by the caller (vkDestroySurfaceKHR before the window
 * is destroyed). */
bool window_surface(const struct window *window, VkInstance instance, VkSurfaceKHR *surface,
                    struct error *error);

/* Whether a driver that needs its own part of the X server may meet one
 * without it, where it is known to crash: neither NV-GLX (NVIDIA's X server) nor
 * DRI3 with GLX (Xwayland, or a display of another GPU) is there. */
bool window_display_is_bare(const struct window *window);

/* Pixels; 0x0 while minimised on some window systems. */
VkExtent2D window_framebuffer(const struct window *window);
/* Minimised, whatever its size. */
bool window_iconified(const struct window *window);

enum { WINDOW_KEYS_MAX = 64 };

/* What the user did since the last poll. */
struct window_events {
    char keys[WINDOW_KEYS_MAX]; /* pressed, in order: 'A' to 'Z', ' ', '.' (this one repeats) */
    uint32_t key_count;
    double drag_x, drag_y; /* moved with the left button down; screen coordinates, y down */
    double wheel;          /* notches, away from the user positive */
    bool damaged;          /* uncovered or resized: the picture must be drawn again */
};

/* Handles pending events; with `wait_seconds` > 0 first waits for one. */
void window_poll(struct window *window, double wait_seconds, struct window_events *events);
/* By the close button or Esc. */
bool window_closed(const struct window *window);
void window_set_title(struct window *window, const char *title);
/* To the monitor that shows most of the window, or back to its place and size. */
void window_toggle_full_screen(struct window *window);

#endif
