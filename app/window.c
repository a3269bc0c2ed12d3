#include "app/window.h"

#include <stdlib.h>

/* After the Vulkan header: then GLFW declares its Vulkan functions. */
#include <GLFW/glfw3.h>

#include "app/window_x11.h"
#include "vkbase/result.h"

/* renderer_background as sRGB: what uncovered parts show first. */
static const unsigned long background = 0x0b111d;

struct window {
    GLFWwindow *handle;
    struct window_events events; /* since the last poll */
    bool dragging;
    double pointer_x, pointer_y; /* by the events so far, not where it is by now */
    int x, y, width, height;     /* where to go back to from full screen */
};

static const char *last_error(void)
{
    const char *text = NULL;
    (void) glfwGetError(&text);
    return text ? text : "no reason given";
}

static struct window *window_of(GLFWwindow *handle)
{
    return glfwGetWindowUserPointer(handle);
}

/* One key more than there is room for is one that nobody pressed by hand. */
static void add_key(struct window *window, char key)
{
    struct window_events *events = &window->events;
    if (events->key_count < WINDOW_KEYS_MAX)
        events->keys[events->key_count++] = key;
}

/* The letter that a key bears in the user's layout, or its place in the US one
 * where it bears no Latin letter; 0: none. */
static char letter(int key, int scancode)
{
    const char *name = glfwGetKeyName(key, scancode);
    if (name && name[0] && !name[1]) {
        if (name[0] >= 'a' && name[0] <= 'z')
            return (char) (name[0] - 'a' + 'A');
        if (name[0] >= 'A' && name[0] <= 'Z')
            return name[0];
    }
    return key >= GLFW_KEY_A && key <= GLFW_KEY_Z && (!name || (unsigned char) name[0] > 127)
               ? (char) (key - GLFW_KEY_A + 'A')
               : 0;
}

static void on_key(GLFWwindow *handle, int key, int scancode, int action, int modifiers)
{
    if (action != GLFW_PRESS || modifiers & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER))
        return;
    if (key == GLFW_KEY_ESCAPE)
        glfwSetWindowShouldClose(handle, GLFW_TRUE);
    else if (key == GLFW_KEY_SPACE)
        add_key(window_of(handle), ' ');
    else if (letter(key, scancode))
        add_key(window_of(handle), letter(key, scancode));
}

/* Where the full stop lies, and whether with Shift, differs by layout. */
static void on_character(GLFWwindow *handle, unsigned int character)
{
    if (character == '.')
        add_key(window_of(handle), '.');
}

static void on_button(GLFWwindow *handle, int button, int action, int modifiers)
{
    struct window *window = window_of(handle);
    (void) modifiers;
    if (button != GLFW_MOUSE_BUTTON_LEFT)
        return;
    window->dragging = action == GLFW_PRESS;
}

static void on_pointer(GLFWwindow *handle, double x, double y)
{
    struct window *window = window_of(handle);
    if (window->dragging) {
        window->events.drag_x += x - window->pointer_x;
        window->events.drag_y += y - window->pointer_y;
    }
    window->pointer_x = x;
    window->pointer_y = y;
}

static void on_wheel(GLFWwindow *handle, double x, double y)
{
    (void) x;
    window_of(handle)->events.wheel += y;
}

static void on_damage(GLFWwindow *handle)
{
    window_of(handle)->events.damaged = true;
}

static void on_resize(GLFWwindow *handle, int width, int height)
{
    (void) width;
    (void) height;
    on_damage(handle);
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
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    window_x11_catch_lost_display();
    window->handle = glfwCreateWindow((int) width, (int) height, "sinewave", NULL, NULL);
    if (!window->handle) {
        error_set(error, ERROR_UNAVAILABLE,
                  "cannot open a window: %s; look at DISPLAY, or use --headless", last_error());
        goto fail;
    }
    glfwSetWindowUserPointer(window->handle, window);
    glfwSetKeyCallback(window->handle, on_key);
    glfwSetCharCallback(window->handle, on_character);
    glfwSetMouseButtonCallback(window->handle, on_button);
    glfwSetCursorPosCallback(window->handle, on_pointer);
    glfwSetScrollCallback(window->handle, on_wheel);
    glfwSetWindowRefreshCallback(window->handle, on_damage);
    glfwSetFramebufferSizeCallback(window->handle, on_resize);
    window_x11_set_background(window->handle, background);
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

void window_show(struct window *window)
{
    glfwShowWindow(window->handle);
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

bool window_iconified(const struct window *window)
{
    return glfwGetWindowAttrib(window->handle, GLFW_ICONIFIED) != 0;
}

bool window_display_is_bare(const struct window *window)
{
    (void) window;
    return window_x11_used() && !window_x11_has_extension("NV-GLX") &&
           !(window_x11_has_extension("GLX") && window_x11_has_extension("DRI3"));
}

void window_poll(struct window *window, double wait_seconds, struct window_events *events)
{
    window->events = (struct window_events){0};
    if (wait_seconds > 0)
        glfwWaitEventsTimeout(wait_seconds);
    else
        glfwPollEvents();
    *events = window->events;
}

bool window_closed(const struct window *window)
{
    return glfwWindowShouldClose(window->handle) != 0;
}

void window_set_title(struct window *window, const char *title)
{
    glfwSetWindowTitle(window->handle, title);
}

static int overlap(int from_a, int length_a, int from_b, int length_b)
{
    const int from = from_a > from_b ? from_a : from_b;
    const int a = from_a + length_a;
    const int b = from_b + length_b;
    const int to = a < b ? a : b;
    return to > from ? to - from : 0;
}

/* Of several the one that shows most of the window; NULL: there is none. */
static GLFWmonitor *monitor_of(const struct window *window, const GLFWvidmode **mode)
{
    int count = 0;
    GLFWmonitor **monitors = glfwGetMonitors(&count);
    GLFWmonitor *best = NULL;
    long long most = -1;
    for (int i = 0; i < count; i++) {
        int x = 0;
        int y = 0;
        const GLFWvidmode *its = glfwGetVideoMode(monitors[i]);
        glfwGetMonitorPos(monitors[i], &x, &y);
        const long long area = !its ? -1
                                    : (long long) overlap(window->x, window->width, x, its->width) *
                                          overlap(window->y, window->height, y, its->height);
        if (area > most) {
            most = area;
            best = monitors[i];
            *mode = its;
        }
    }
    return best;
}

void window_toggle_full_screen(struct window *window)
{
    GLFWwindow *handle = window->handle;
    if (glfwGetWindowMonitor(handle)) {
        glfwSetWindowMonitor(handle, NULL, window->x, window->y, window->width, window->height,
                             GLFW_DONT_CARE);
        return;
    }
    const GLFWvidmode *mode = NULL;
    glfwGetWindowPos(handle, &window->x, &window->y);
    glfwGetWindowSize(handle, &window->width, &window->height);
    GLFWmonitor *monitor = monitor_of(window, &mode);
    /* The monitor's present mode: nothing flickers, nothing else moves. */
    if (monitor && mode)
        glfwSetWindowMonitor(handle, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}
