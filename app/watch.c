#include "app/watch.h"

struct watch watch_begin(uint32_t limit_s, uint64_t finished)
{
    return (struct watch){.limit_s = limit_s, .finished = finished};
}

enum watch_verdict watch_look(struct watch *watch, uint32_t seconds, uint64_t finished,
                              enum watch_signal signal)
{
    if (finished != watch->finished) {
        *watch = watch_begin(watch->limit_s, finished);
        return WATCH_GO_ON;
    }
    watch->waited_s += seconds;
    watch->missing_s = signal == WATCH_SIGNAL_MISSING ? watch->missing_s + seconds : 0;
    watch->unseen_s = signal == WATCH_SIGNAL_UNSEEN ? watch->unseen_s + seconds : 0;
    if (watch->missing_s >= WATCH_SIGNAL_S)
        return WATCH_SIGNAL_LOST;
    if (watch->unseen_s >= WATCH_UNSEEN_S)
        return WATCH_EITHER_OF_TWO;
    return watch->waited_s < watch->limit_s ? WATCH_GO_ON : WATCH_WORK_LATE;
}
