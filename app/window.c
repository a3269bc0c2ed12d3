#include "app/window.h"

#include <stdlib.h>

/* After the Vulkan header: then GLFW declares its Vulkan functions. */
#include <GLFW/glfw3.h>

#include "vkbase/result.h"

struct window {
    GLFWwindow *handle;
};

static const char *last_error(void)
{
    const char *text = NULL;
    (void) glfwGetError(&text);
    return text ? text : "no reason given";
}

static void on_key(GLFWwindow *handle, int key, int scancode, int action, int modifiers)
{
    (void) scancode;
    (void) modifiers;
    if (key == GLFW_KEY_ESCAPE && action == GLFW_PRESS)
        glfwSetWindowShouldClose(handle, GLFW_TRUE);
}

bool window_create(uint32_t width, uint32_t height, struct window **created, struct error *error)
{
    *created = NULL;
    struct window *window = calloc(1, sizeof *window);
    if (!window)
        return error_set(error, ERROR_RUNTIME,
                         "cannot open a window: out of memory; free memory and run again");
    if (!glfwInit()) {
        free(window);
        return error_set(error, ERROR_UNAVAILABLE,
                         "cannot open a window: %s; set DISPLAY or WAYLAND_DISPLAY, or use "
                         "--headless",
                         last_error());
    }
    if (!glfwVulkanSupported()) {
        error_set(error, ERROR_UNAVAILABLE,
                  "cannot open a window: no Vulkan driver can draw into one; install a driver "
                  "(Debian: mesa-vulkan-drivers, or the one of your GPU), or use --headless");
        goto fail;
    }
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    /* --size counts pixels of the framebuffer, not of a scaled desktop. */
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_FALSE);
    window->handle = glfwCreateWindow((int) width, (int) height, "sinewave", NULL, NULL);
    if (!window->handle) {
        error_set(error, ERROR_UNAVAILABLE,
                  "cannot open a window: %s; look at DISPLAY, or use --headless", last_error());
        goto fail;
    }
    glfwSetWindowUserPointer(window->handle, window);
    glfwSetKeyCallback(window->handle, on_key);
    *created = window;
    return true;
fail:
    window_destroy(window);
    return false;
}

void window_destroy(struct window *window)
{
    if (!window)
        return;
    if (window->handle)
        glfwDestroyWindow(window->handle);
    glfwTerminate();
    free(window);
}

bool window_extensions(const struct window *window, const char *const **names, uint32_t *count,
                       struct error *error)
{
    (void) window;
    *names = glfwGetRequiredInstanceExtensions(count);
    if (!*names)
        return error_set(error, ERROR_UNAVAILABLE, "cannot draw into a window: %s; use --headless",
                         last_error());
    return true;
}

bool window_surface(const struct window *window, VkInstance instance, VkSurfaceKHR *surface,
                    struct error *error)
{
    *surface = VK_NULL_HANDLE;
    return VKB_OK(error, "make a surface of the window",
                  glfwCreateWindowSurface(instance, window->handle, NULL, surface));
}

VkExtent2D window_framebuffer(const struct window *window)
{
    int width = 0;
    int height = 0;
    glfwGetFramebufferSize(window->handle, &width, &height);
    return (VkExtent2D){width > 0 ? (uint32_t) width : 0, height > 0 ? (uint32_t) height : 0};
}

void window_poll(struct window *window, double wait_seconds)
{
    (void) window;
    if (wait_seconds > 0)
        glfwWaitEventsTimeout(wait_seconds);
    else
        glfwPollEvents();
}

bool window_closed(const struct window *window)
{
    return glfwWindowShouldClose(window->handle) != 0;
}

void window_set_title(struct window *window, const char *title)
{
    glfwSetWindowTitle(window->handle, title);
}
