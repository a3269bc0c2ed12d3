/* stop.h: SIGINT and SIGTERM ask the run to stop; a second one ends it at once.
 *
 * Thread rule: install from the main thread; stop_signal from any.
 */
#ifndef APP_STOP_H
#define APP_STOP_H

/* Installs the handlers but for signals that were ignored at start, and ignores SIGPIPE and SIGXFSZ
 * so that a closed pipe and a file over the limit of its size are errors of write(). */
void stop_install(void);

/* The signal that asked to stop; 0: none so far. The exit code is 128 + it. */
int stop_signal(void);

#endif
