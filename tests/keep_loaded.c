/* keep_loaded.c: linked into sanitizer builds alone.
 *
 * The leak check runs at exit, when the Vulkan loader has unloaded layers and
 * drivers: their frames are then "<unknown module>", which no suppression can
 * name. Nothing is unloaded here, so lsan.supp can name the one library that
 * leaks, and every other leak is shown with where it comes from.
 */
#include <dlfcn.h>

int dlclose(void *handle)
{
    (void) handle;
    return 0;
}
