/* window_x11.h: what GLFW leaves undone on X11. Private to window.c.
 *
 * Nothing of X11 is linked: GLFW brings it, or does not (Wayland), and all is
 * found in the libraries that it has loaded. Elsewhere these do nothing.
 */
#ifndef APP_WINDOW_X11_H
#define APP_WINDOW_X11_H

#include <stdbool.h>

struct GLFWwindow;

/* A display that goes away ends the process with our error line and exit code
 * 4. Before any window is made. */
void window_x11_catch_lost_display(void);

/* Uncovered parts get this colour (0xRRGGBB) instead of what lay on the screen
 * before, until the next frame; what is there already stays. */
void window_x11_set_background(struct GLFWwindow *window, unsigned long color);

/* Whether the X server is known to have an extension. */
bool window_x11_has_extension(const char *name);
/* Whether X11 is used; true also where that cannot be known. */
bool window_x11_used(void);

#endif
