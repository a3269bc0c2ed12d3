/* watch.h: when to give up waiting for the device, and whom to blame.
 *
 * It counts the seconds in which no piece of work (a frame, a batch) was finished:
 * a device that is slow finishes one now and then, one that hangs does not.
 * Thread rule: pure functions on the caller's struct, one thread at a time.
 */
#ifndef APP_WATCH_H
#define APP_WATCH_H

#include <stdint.h>

/* The signal that the oldest unfinished work waits for: it came, or is not due yet;
 * its semaphore cannot be asked; it is due and did not come. */
enum watch_signal { WATCH_SIGNAL_FINE = 0, WATCH_SIGNAL_UNSEEN, WATCH_SIGNAL_MISSING };

enum watch_verdict {
    WATCH_GO_ON = 0,
    WATCH_SIGNAL_LOST,   /* what was due does not come any more */
    WATCH_WORK_LATE,     /* the work does not end */
    WATCH_EITHER_OF_TWO, /* the signal is lost or the work late: it cannot be told */
};

enum {
    /* A signal that is due takes no time of its own. */
    WATCH_SIGNAL_S = 3,
    /* One that cannot be seen may have come: then the device, which is a GPU, has had
     * that long for one frame. */
    WATCH_UNSEEN_S = 20,
};

struct watch {
    uint32_t limit_s;   /* that one piece of work may take */
    uint64_t finished;  /* pieces */
    uint32_t waited_s;  /* since the last of them was finished, or since the begin */
    uint32_t missing_s; /* of that: how long a signal has been missing, up to now, */
    uint32_t unseen_s;  /* or could not be seen */
};

struct watch watch_begin(uint32_t limit_s, uint64_t finished);

/* What to do after another `seconds` of waiting, with `finished` pieces of work
 * finished since their count began. */
enum watch_verdict watch_look(struct watch *watch, uint32_t seconds, uint64_t finished,
                              enum watch_signal signal);

#endif
