#include "app/sequence.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/output_file.h"
#include "app/pattern.h"
#include "app/png_file.h"
#include "app/text.h"
#include "app/y4m.h"

enum {
    BUFFERS_MAX = 2 * SEQUENCE_WORKERS_MAX,
    NO_BUFFER = -1,
};

/* Large frames get fewer buffers, but never fewer than two. */
static const size_t memory_max = (size_t) 512 << 20;

struct job {
    int buffer;
    uint64_t index;
};

struct sequence {
    struct sequence_params params;
    char *output; /* own copy of params.output */
    bool stream;
    struct y4m y4m;

    uint8_t *pixels; /* of all buffers */
    size_t frame_size;
    int buffers;
    int acquired; /* the caller's buffer, or NO_BUFFER */

    pthread_t threads[SEQUENCE_WORKERS_MAX];
    uint32_t workers; /* running */

    pthread_mutex_t mutex; /* guards all below */
    pthread_cond_t work;   /* for workers: a job, or the end */
    pthread_cond_t done;   /* for the caller: a buffer came back */
    int free[BUFFERS_MAX];
    int free_count;
    struct job jobs[BUFFERS_MAX]; /* a ring, oldest at jobs_first */
    int jobs_first, jobs_count;
    bool closing; /* no more jobs will come */
    uint64_t written;
    struct error error; /* the first one */
};

static uint8_t *pixels_of(const struct sequence *sequence, int buffer)
{
    return sequence->pixels + (size_t) buffer * sequence->frame_size;
}

static bool write_job(struct sequence *sequence, const struct job *job, struct error *error)
{
    const struct sequence_params *params = &sequence->params;
    const uint8_t *pixels = pixels_of(sequence, job->buffer);
    char path[PATH_MAX];
    if (sequence->stream)
        return y4m_write(&sequence->y4m, params->order, pixels, error);
    if (!pattern_path(sequence->output, job->index, path, sizeof path))
        return error_set(error, ERROR_RUNTIME,
                         "cannot write a frame: its path is too long; give a shorter --output");
    return png_file_write(path, params->width, params->height, params->order, pixels, error);
}

static void *work(void *argument)
{
    struct sequence *sequence = argument;
    (void) pthread_mutex_lock(&sequence->mutex);
    for (;;) {
        while (sequence->jobs_count == 0 && !sequence->closing)
            (void) pthread_cond_wait(&sequence->work, &sequence->mutex);
        if (sequence->jobs_count == 0)
            break;
        struct job job = sequence->jobs[sequence->jobs_first];
        sequence->jobs_first = (sequence->jobs_first + 1) % BUFFERS_MAX;
        sequence->jobs_count--;
        /* A stream with a gap is no stream; files after a full disk only make
         * the user wait. */
        bool skip = sequence->error.kind != ERROR_NONE;
        (void) pthread_mutex_unlock(&sequence->mutex);

        struct error error = {0};
        bool done = !skip && write_job(sequence, &job, &error);

        (void) pthread_mutex_lock(&sequence->mutex);
        if (done)
            sequence->written++;
        else if (!skip)
            (void) error_set(&sequence->error, error.kind, "%s", error.text);
        sequence->free[sequence->free_count++] = job.buffer;
        (void) pthread_cond_signal(&sequence->done);
    }
    (void) pthread_mutex_unlock(&sequence->mutex);
    return NULL;
}

static uint32_t worker_count(const struct sequence *sequence)
{
    /* One worker keeps a stream's order without more ado; it converts a frame
     * faster than any encoder behind the pipe takes it. */
    if (sequence->stream)
        return 1;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t count = cores > 0 && cores < SEQUENCE_WORKERS_MAX ? (uint32_t) cores
                     : cores > 0                               ? SEQUENCE_WORKERS_MAX
                                                               : 1;
    if (sequence->params.workers > 0)
        count = sequence->params.workers;
    return count < SEQUENCE_WORKERS_MAX ? count : SEQUENCE_WORKERS_MAX;
}

static bool start_workers(struct sequence *sequence, uint32_t count, struct error *error)
{
    /* Signals are the main thread's. */
    sigset_t all, before;
    int result = 0;
    (void) sigfillset(&all);
    (void) pthread_sigmask(SIG_SETMASK, &all, &before);
    while (result == 0 && sequence->workers < count) {
        result = pthread_create(&sequence->threads[sequence->workers], NULL, work, sequence);
        if (result == 0)
            sequence->workers++;
    }
    (void) pthread_sigmask(SIG_SETMASK, &before, NULL);
    /* With fewer threads than asked for it takes longer, no more. */
    return sequence->workers > 0 ||
           error_set(error, ERROR_RUNTIME, "cannot start a thread: %s; end other programs",
                     strerror(result)); // NOLINT(concurrency-mt-unsafe)
}

static bool make_buffers(struct sequence *sequence, uint32_t workers, struct error *error)
{
    const struct sequence_params *params = &sequence->params;
    size_t count = (size_t) workers * 2;
    if (!image_size(params->width, params->height, &sequence->frame_size) ||
        sequence->frame_size > SIZE_MAX / BUFFERS_MAX)
        return error_set(error, ERROR_RUNTIME,
                         "cannot keep frames: no such size; give a smaller --size");
    while (count > 2 && count * sequence->frame_size > memory_max)
        count--;
    sequence->pixels = malloc(count * sequence->frame_size);
    if (!sequence->pixels)
        return error_set(error, ERROR_RUNTIME,
                         "cannot keep frames: out of memory; give a smaller --size");
    sequence->buffers = (int) count;
    for (int i = 0; i < sequence->buffers; i++)
        sequence->free[i] = i;
    sequence->free_count = sequence->buffers;
    return true;
}

/* What can fail for the user is found here, not after an hour. */
static bool open_output(struct sequence *sequence, struct error *error)
{
    const struct sequence_params *params = &sequence->params;
    char path[PATH_MAX], shown[TEXT_SHOWN_SIZE];
    if (sequence->stream)
        return y4m_create(&sequence->y4m, params->fd, params->width, params->height,
                          params->time_step, error);
    if (!pattern_path(sequence->output, params->first_frame, path, sizeof path))
        return error_set(error, ERROR_USAGE,
                         "--output %s: is no pattern, or too long; give --output frame-%%05d.png",
                         text_shown(sequence->output, shown));
    return output_file_probe(path, error);
}

bool sequence_create(struct sequence **out, const struct sequence_params *params,
                     struct error *error)
{
    *out = NULL;
    struct sequence *sequence = calloc(1, sizeof *sequence);
    if (!sequence)
        return error_set(error, ERROR_RUNTIME, "cannot keep frames: out of memory; free some");
    sequence->params = *params;
    sequence->acquired = NO_BUFFER;
    sequence->stream = strcmp(params->output, "-") == 0;
    sequence->output = strdup(params->output);
    /* With default attributes these cannot fail on Linux. */
    (void) pthread_mutex_init(&sequence->mutex, NULL);
    (void) pthread_cond_init(&sequence->work, NULL);
    (void) pthread_cond_init(&sequence->done, NULL);
    uint32_t workers = worker_count(sequence);
    bool done = sequence->output ||
                error_set(error, ERROR_RUNTIME, "cannot keep frames: out of memory; free some");
    if (done && make_buffers(sequence, workers, error) && open_output(sequence, error) &&
        start_workers(sequence, workers, error)) {
        *out = sequence;
        return true;
    }
    sequence_destroy(sequence);
    return false;
}

/* Under the mutex. */
static bool copy_error(const struct sequence *sequence, struct error *error)
{
    return sequence->error.kind == ERROR_NONE ||
           error_set(error, sequence->error.kind, "%s", sequence->error.text);
}

uint8_t *sequence_acquire(struct sequence *sequence, struct error *error)
{
    (void) pthread_mutex_lock(&sequence->mutex);
    while (sequence->acquired == NO_BUFFER && sequence->free_count == 0 &&
           sequence->error.kind == ERROR_NONE)
        (void) pthread_cond_wait(&sequence->done, &sequence->mutex);
    bool good = copy_error(sequence, error);
    if (good && sequence->acquired == NO_BUFFER)
        sequence->acquired = sequence->free[--sequence->free_count];
    (void) pthread_mutex_unlock(&sequence->mutex);
    return good ? pixels_of(sequence, sequence->acquired) : NULL;
}

bool sequence_push(struct sequence *sequence, uint64_t index, struct error *error)
{
    (void) pthread_mutex_lock(&sequence->mutex);
    bool good = copy_error(sequence, error);
    if (good && (sequence->acquired == NO_BUFFER || sequence->closing))
        good = error_set(error, ERROR_RUNTIME, "cannot keep a frame: none was filled; report this");
    if (good) {
        /* There are no more jobs than buffers: the ring never overflows. */
        int last = (sequence->jobs_first + sequence->jobs_count++) % BUFFERS_MAX;
        sequence->jobs[last] = (struct job){sequence->acquired, index};
        sequence->acquired = NO_BUFFER;
        (void) pthread_cond_signal(&sequence->work);
    }
    (void) pthread_mutex_unlock(&sequence->mutex);
    return good;
}

static void join_workers(struct sequence *sequence)
{
    (void) pthread_mutex_lock(&sequence->mutex);
    sequence->closing = true;
    (void) pthread_cond_broadcast(&sequence->work);
    (void) pthread_mutex_unlock(&sequence->mutex);
    while (sequence->workers > 0)
        (void) pthread_join(sequence->threads[--sequence->workers], NULL);
}

bool sequence_finish(struct sequence *sequence, struct error *error)
{
    join_workers(sequence);
    return copy_error(sequence, error);
}

bool sequence_settle(struct sequence *sequence, int seconds)
{
    enum { PAUSES_A_SECOND = 100 };
    const struct timespec pause = {.tv_nsec = 1000000000 / PAUSES_A_SECOND};
    for (int i = 0; i <= seconds * PAUSES_A_SECOND; i++) {
        (void) pthread_mutex_lock(&sequence->mutex);
        const int idle = sequence->free_count + (sequence->acquired != NO_BUFFER);
        const bool done = idle == sequence->buffers;
        (void) pthread_mutex_unlock(&sequence->mutex);
        if (done)
            return true;
        (void) nanosleep(&pause, NULL);
    }
    return false;
}

uint64_t sequence_written(struct sequence *sequence)
{
    (void) pthread_mutex_lock(&sequence->mutex);
    uint64_t written = sequence->written;
    (void) pthread_mutex_unlock(&sequence->mutex);
    return written;
}

void sequence_destroy(struct sequence *sequence)
{
    if (!sequence)
        return;
    (void) pthread_mutex_lock(&sequence->mutex);
    sequence->jobs_count = 0;
    (void) pthread_mutex_unlock(&sequence->mutex);
    join_workers(sequence);
    y4m_destroy(&sequence->y4m);
    (void) pthread_cond_destroy(&sequence->done);
    (void) pthread_cond_destroy(&sequence->work);
    (void) pthread_mutex_destroy(&sequence->mutex);
    free(sequence->pixels);
    free(sequence->output);
    free(sequence);
}
