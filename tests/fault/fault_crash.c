/* fault_crash: the part of fault_layer that tells, where FAULT_CRASH is set, in
 * which library or program a crash began.
 */
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// NOLINTBEGIN(bugprone-signal-handler, cert-sig30-c)
/* Names the first place outside libc and the compiler's libraries, then lets
 * the signal do what it does. Not safe in a signal handler, but all is lost. */
static void on_crash(int number)
{
    static const char *const libraries[] = {"libfault_layer", "libc.", "libgcc", "libstdc++",
                                            "ld-"};
    void *frames[64];
    const int count = backtrace(frames, 64);
    const char *where = "an unknown place";
    for (int i = 0; i < count; i++) {
        Dl_info info;
        bool passed_over = !dladdr(frames[i], &info) || !info.dli_fname;
        for (size_t l = 0; !passed_over && l < sizeof libraries / sizeof *libraries; l++)
            passed_over = strstr(info.dli_fname, libraries[l]) != NULL;
        if (!passed_over) {
            where = info.dli_fname;
            break;
        }
    }
    (void) fprintf(stderr, "fault_layer: crash in %s\n", where);
    (void) signal(number, SIG_DFL);
    (void) raise(number);
}
// NOLINTEND(bugprone-signal-handler, cert-sig30-c)

__attribute__((constructor)) static void watch_crashes(void)
{
    void *frame[1];
    if (!getenv("FAULT_CRASH"))
        return;
    (void) backtrace(frame, 1); /* loads what it needs while there is memory */
    (void) signal(SIGSEGV, on_crash);
    (void) signal(SIGABRT, on_crash);
    (void) signal(SIGBUS, on_crash);
}
