#include "app/window_x11.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/messages.h"

#ifdef HAVE_XLIB
#include <X11/Xlib.h>

/* Fills the function pointer at `function` with what a library that is loaded
 * already has of this name (NULL: the program's own libraries), or NULL. */
static bool find(const char *library, const char *name, void *function)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    void *address = handle ? dlsym(handle, name) : NULL;
    memcpy(function, &address, sizeof address); /* ISO C has no cast for it */
    if (handle)
        (void) dlclose(handle); /* GLFW holds it still */
    return address != NULL;
}

static const char *const xlib = "libX11.so.6";

static Display *display(void)
{
    Display *(*get)(void) = NULL;
    return find(NULL, "glfwGetX11Display", &get) ? get() : NULL;
}

/* Xlib ends the process when this returns, with exit code 1, and may be inside
 * any of its functions: nothing can be tidied up from here (what was being
 * written stays under its temporary name). */
static int on_lost_display(Display *lost)
{
    struct error error = {0};
    (void) lost;
    error_set(&error, ERROR_RUNTIME,
              "the display has gone: the connection to the X server broke; start again, or use "
              "--headless");
    if (!messages_error_told())
        message_error(&error);
    (void) fflush(stderr);
    _exit(ERROR_RUNTIME);
}

void window_x11_catch_lost_display(void)
{
    XIOErrorHandler (*set)(XIOErrorHandler) = NULL;
    if (find(xlib, "XSetIOErrorHandler", &set))
        (void) set(on_lost_display);
}

void window_x11_set_background(struct GLFWwindow *window, unsigned long color)
{
    int (*change)(Display *, Window, unsigned long, XSetWindowAttributes *) = NULL;
    Window (*get)(struct GLFWwindow *) = NULL;
    XSetWindowAttributes attributes = {.background_pixel = color, .bit_gravity = NorthWestGravity};
    if (display() && find(xlib, "XChangeWindowAttributes", &change) &&
        find(NULL, "glfwGetX11Window", &get))
        (void) change(display(), get(window), CWBackPixel | CWBitGravity, &attributes);
}

bool window_x11_has_extension(const char *name)
{
    Bool (*query)(Display *, const char *, int *, int *, int *) = NULL;
    int opcode = 0;
    int event = 0;
    int error = 0;
    return display() && find(xlib, "XQueryExtension", &query) &&
           query(display(), name, &opcode, &event, &error);
}

bool window_x11_used(void)
{
    return display() != NULL;
}

#else

void window_x11_catch_lost_display(void)
{
}

void window_x11_set_background(struct GLFWwindow *window, unsigned long color)
{
    (void) window;
    (void) color;
}

bool window_x11_has_extension(const char *name)
{
    (void) name;
    return false;
}

bool window_x11_used(void)
{
    return true; /* not to be known: the careful answer */
}

#endif
