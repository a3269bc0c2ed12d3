/* A build without GLFW: there is no window to be had. */
#include "app/window.h"

bool window_create(uint32_t width, uint32_t height, struct window **window, struct error *error)
{
    (void) width;
    (void) height;
    *window = NULL;
    return error_set(error, ERROR_UNAVAILABLE,
                     "cannot open a window: this build has none; build with -Dwindow=enabled, or "
                     "use --headless");
}

/* Without a window nothing below is ever reached. */

void window_destroy(struct window *window)
{
    (void) window;
}

void window_show(struct window *window)
{
    (void) window;
}

bool window_extensions(const struct window *window, const char *const **names, uint32_t *count,
                       struct error *error)
{
    (void) window;
    *names = NULL;
    *count = 0;
    return error_set(error, ERROR_UNAVAILABLE,
                     "cannot draw into a window: this build has none; build with -Dwindow=enabled, "
                     "or use --headless");
}

bool window_surface(const struct window *window, VkInstance instance, VkSurfaceKHR *surface,
                    struct error *error)
{
    (void) window;
    (void) instance;
    *surface = VK_NULL_HANDLE;
    return error_set(error, ERROR_UNAVAILABLE,
                     "cannot draw into a window: this build has none; build with -Dwindow=enabled, "
                     "or use --headless");
}

VkExtent2D window_framebuffer(const struct window *window)
{
    (void) window;
    return (VkExtent2D){0, 0};
}

bool window_iconified(const struct window *window)
{
    (void) window;
    return false;
}

bool window_display_is_bare(const struct window *window)
{
    (void) window;
    return false;
}

void window_poll(struct window *window, double wait_seconds, struct window_events *events)
{
    (void) window;
    (void) wait_seconds;
    *events = (struct window_events){0};
}

bool window_closed(const struct window *window)
{
    (void) window;
    return true;
}

void window_set_title(struct window *window, const char *title)
{
    (void) window;
    (void) title;
}

void window_toggle_full_screen(struct window *window)
{
    (void) window;
}
