/* The handoff as pure logic. Both sides' work goes into two queues as the frame
 * loop would enqueue it; then a model of two devices, with semaphores as Vulkan
 * defines them, runs the queues in random order. Whatever the order, each frame
 * is drawn once, from the slot that holds it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/handoff.h"

enum { BATCH_LARGEST = 8, WORK_MAX = 512, FRAMES_ENDLESS = 150 };

/* What the host enqueued in one go. */
struct work {
    bool waits, signals;
    struct interop_point wait, signal;
    uint64_t first;
    uint32_t count; /* frames: steps or draws */
    uint32_t slots[BATCH_LARGEST];
};

struct queue {
    struct work work[WORK_MAX];
    uint32_t count, done;
};

/* One semaphore of either type. */
struct model_semaphore {
    uint64_t enqueued, waits_enqueued; /* timeline: largest value; binary: counts */
    uint64_t value;                    /* timeline: counter; binary: 0 or 1 */
};

struct model {
    struct handoff handoff;
    uint32_t ring;
    struct queue stepper, renderer;
    struct model_semaphore ready[HANDOFF_DEPTH_MAX], free[HANDOFF_HALVES];
    uint64_t held[HANDOFF_DEPTH_MAX * BATCH_LARGEST]; /* frame + 1 in each slot; 0: none yet */
    bool unread[HANDOFF_DEPTH_MAX * BATCH_LARGEST];   /* stepped, not drawn */
    uint64_t drawn;
    uint32_t random;
};

static struct model model;

/* Checked and counted, as for a batch that is stepped. */
static bool step(struct handoff *handoff, const struct handoff_batch *batch, struct error *error)
{
    if (!handoff_check_batch(handoff, batch, error))
        return false;
    handoff_batch_stepped(handoff, batch);
    return true;
}

/* The same of a frame that is drawn. */
static bool draw(struct handoff *handoff, const struct handoff_frame *frame, struct error *error)
{
    if (!handoff_check_frame(handoff, frame, error))
        return false;
    handoff_frame_drawn(handoff, frame);
    return true;
}

static bool is_timeline(void)
{
    return model.handoff.type == INTEROP_SEMAPHORE_TIMELINE;
}

static uint32_t random_below(uint32_t limit)
{
    model.random = model.random * 1664525U + 1013904223U;
    return (model.random >> 16) % limit;
}

static uint32_t count_of(const struct model_semaphore *semaphores)
{
    return semaphores == model.ready ? model.handoff.ready_count : model.handoff.free_count;
}

/* Host side: a signal is enqueued. */
static void promise(struct model_semaphore *semaphores, const struct interop_point *point)
{
    assert_true(point->index < count_of(semaphores));
    struct model_semaphore *semaphore = &semaphores[point->index];
    if (is_timeline()) {
        assert_true(point->value > semaphore->enqueued);
        semaphore->enqueued = point->value;
    } else {
        /* Not signalled again before a wait for it is enqueued. */
        assert_int_equal(semaphore->enqueued, semaphore->waits_enqueued);
        semaphore->enqueued++;
    }
}

/* Host side: a wait is submitted, after its signal. */
static void rely(struct model_semaphore *semaphores, const struct interop_point *point)
{
    assert_true(point->index < count_of(semaphores));
    struct model_semaphore *semaphore = &semaphores[point->index];
    if (is_timeline()) {
        assert_true(point->value > 0);
        assert_true(point->value <= semaphore->enqueued);
    } else {
        /* Its signal is enqueued, and no other wait takes it. */
        assert_int_equal(semaphore->enqueued, semaphore->waits_enqueued + 1);
        semaphore->waits_enqueued++;
    }
}

/* Device side. */
static bool can_wait(const struct model_semaphore *semaphores, const struct interop_point *point)
{
    return semaphores[point->index].value >= (is_timeline() ? point->value : 1);
}

static void take(struct model_semaphore *semaphores, const struct interop_point *point)
{
    if (!is_timeline())
        semaphores[point->index].value = 0;
}

static void raise_signal(struct model_semaphore *semaphores, const struct interop_point *point)
{
    struct model_semaphore *semaphore = &semaphores[point->index];
    if (is_timeline())
        assert_true(point->value > semaphore->value);
    else
        assert_int_equal(semaphore->value, 0);
    semaphore->value = is_timeline() ? point->value : 1;
}

static struct work *append(struct queue *queue)
{
    assert_true(queue->count < WORK_MAX);
    struct work *work = &queue->work[queue->count++];
    *work = (struct work){0};
    return work;
}

static void enqueue_batches(void)
{
    struct handoff_batch batch;
    struct error error = {0};
    while (handoff_next_batch(&model.handoff, &batch)) {
        struct work *work = append(&model.stepper);
        assert_in_range(batch.count, 1, model.handoff.batch);
        work->first = batch.first;
        work->count = batch.count;
        work->waits = batch.waits;
        work->wait = batch.free;
        work->signals = true;
        work->signal = batch.ready;
        for (uint32_t i = 0; i < batch.count; i++) {
            work->slots[i] = handoff_slot(&model.handoff, batch.first + i);
            assert_true(work->slots[i] < model.ring);
            const struct interop_point ready = handoff_ready(&model.handoff, batch.first + i);
            assert_int_equal(ready.index, batch.ready.index);
            assert_int_equal(ready.value, batch.ready.value);
        }
        if (work->waits)
            rely(model.free, &work->wait);
        promise(model.ready, &work->signal);
        assert_true(step(&model.handoff, &batch, &error));
    }
}

static void enqueue_frame(void)
{
    struct handoff_frame frame;
    struct error error = {0};
    assert_true(handoff_next_frame(&model.handoff, &frame));
    struct work *work = append(&model.renderer);
    work->first = frame.frame;
    work->count = 1;
    work->slots[0] = frame.slot;
    work->waits = frame.waits;
    work->wait = frame.ready;
    work->signals = frame.frees;
    work->signal = frame.free;
    if (work->waits)
        rely(model.ready, &work->wait);
    if (work->signals)
        promise(model.free, &work->signal);
    assert_true(draw(&model.handoff, &frame, &error));
}

static void execute_step(const struct work *work)
{
    for (uint32_t i = 0; i < work->count; i++) {
        assert_false(model.unread[work->slots[i]]);
        model.unread[work->slots[i]] = true;
        model.held[work->slots[i]] = work->first + i + 1;
    }
}

static void execute_draw(const struct work *work)
{
    const uint32_t slot = work->slots[0];
    assert_true(model.unread[slot]);
    assert_int_equal(model.held[slot], work->first + 1);
    assert_int_equal(model.drawn, work->first);
    model.unread[slot] = false;
    model.drawn++;
}

/* Runs the queue's next piece of work where its wait allows. */
static bool advance(bool stepper)
{
    struct queue *queue = stepper ? &model.stepper : &model.renderer;
    if (queue->done == queue->count)
        return false;
    const struct work *work = &queue->work[queue->done];
    struct model_semaphore *waited = stepper ? model.free : model.ready;
    if (work->waits && !can_wait(waited, &work->wait))
        return false;
    if (work->waits)
        take(waited, &work->wait);
    (stepper ? execute_step : execute_draw)(work);
    if (work->signals)
        raise_signal(stepper ? model.ready : model.free, &work->signal);
    queue->done++;
    return true;
}

/* Runs until both queues are empty; two that wait for each other fail. */
static void finish(void)
{
    while (model.stepper.done < model.stepper.count || model.renderer.done < model.renderer.count) {
        const bool first = random_below(2) != 0;
        assert_true(advance(first) || advance(!first));
    }
}

static void init(struct handoff *handoff, enum interop_semaphore_type type, uint32_t batch,
                 uint64_t frames)
{
    const struct handoff_params params = {
        .type = type, .batch = batch, .depth = 2, .frames = frames};
    handoff_init(handoff, &params);
}

/* How many batches a ring may hold. */
static const uint32_t depths[] = {2, 4, 10, HANDOFF_DEPTH_MAX};
enum { DEPTHS = sizeof depths / sizeof *depths };

static void begin(uint32_t depth, enum interop_semaphore_type type, uint32_t batch, uint64_t frames,
                  uint32_t seed)
{
    const struct handoff_params params = {
        .type = type, .batch = batch, .depth = depth, .frames = frames};
    model = (struct model){.random = seed, .ring = handoff_ring_size(batch, depth, frames)};
    handoff_init(&model.handoff, &params);
}

/* The frame loop's order: as far ahead as the ring allows, then a frame. */
static void run_until(uint64_t frames)
{
    while (model.handoff.drawn < frames) {
        enqueue_batches();
        enqueue_frame();
        for (uint32_t i = random_below(4); i > 0; i--)
            (void) advance(random_below(2) != 0);
    }
}

static void every_order(void **state)
{
    static const uint32_t batches[] = {1, 2, 3, 8};
    static const uint64_t lengths[] = {0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 24, 100};
    (void) state;
    for (uint32_t i = 0; i < 2 * sizeof batches / sizeof *batches; i++) {
        const enum interop_semaphore_type type =
            i % 2 ? INTEROP_SEMAPHORE_BINARY : INTEROP_SEMAPHORE_TIMELINE;
        for (uint32_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
            for (uint32_t seed = 0; seed < 20 * DEPTHS; seed++) {
                begin(depths[seed % DEPTHS], type, batches[i / 2], lengths[l], seed);
                run_until(lengths[l] ? lengths[l] : FRAMES_ENDLESS);
                enqueue_batches();
                finish();
                assert_int_equal(model.drawn, model.handoff.drawn);
                struct handoff_frame frame;
                struct handoff_batch batch;
                assert_false(handoff_next_batch(&model.handoff, &batch));
                assert_true(lengths[l] == 0 || !handoff_next_frame(&model.handoff, &frame));
                assert_true(lengths[l] == 0 || model.handoff.stepped == lengths[l]);
            }
        }
    }
}

/* The stepper must be half a ring ahead while the renderer draws the other half,
 * and wait once for each. */
static void the_stepper_runs_ahead(void **state)
{
    (void) state;
    for (uint32_t i = 0; i < BATCH_LARGEST * DEPTHS; i++) {
        const uint32_t depth = depths[i % DEPTHS];
        const uint32_t batch = 1 + i / DEPTHS;
        const uint64_t half = (uint64_t) depth / 2 * batch;
        begin(depth, i % 2 ? INTEROP_SEMAPHORE_BINARY : INTEROP_SEMAPHORE_TIMELINE, batch, 0, 1);
        enqueue_batches();
        assert_int_equal(model.handoff.stepped, 2 * half);
        while (model.renderer.count + batch < WORK_MAX / 2) {
            const uint64_t frame = model.renderer.count + 1;
            enqueue_frame();
            enqueue_batches();
            assert_int_equal(model.handoff.stepped, (frame / half + 2) * half);
        }
        uint64_t waits = 0;
        for (uint32_t k = 0; k < model.stepper.count; k++)
            waits += model.stepper.work[k].waits;
        assert_int_equal(waits, model.stepper.count / (depth / 2) - 2);
        finish();
    }
}

static void the_last_batch_is_short(void **state)
{
    struct handoff handoff;
    struct handoff_batch batch;
    struct error error = {0};
    (void) state;
    init(&handoff, INTEROP_SEMAPHORE_TIMELINE, 8, 11);
    assert_true(handoff_next_batch(&handoff, &batch));
    assert_int_equal(batch.count, 8);
    assert_false(batch.waits);
    assert_int_equal(batch.ready.value, 1);
    assert_true(step(&handoff, &batch, &error));
    assert_true(handoff_next_batch(&handoff, &batch));
    assert_int_equal(batch.first, 8);
    assert_int_equal(batch.count, 3);
    assert_int_equal(batch.ready.value, 2);
    assert_true(step(&handoff, &batch, &error));
    assert_false(handoff_next_batch(&handoff, &batch));
    struct handoff_frame frame;
    for (uint32_t i = 0; i < 11; i++) {
        assert_true(handoff_next_frame(&handoff, &frame));
        assert_int_equal(frame.frame, i);
        assert_int_equal(frame.waits, i == 0 || i == 8);
        assert_int_equal(frame.frees, i == 7 || i == 10);
        assert_true(draw(&handoff, &frame, &error));
    }
    assert_false(handoff_next_frame(&handoff, &frame));
}

static void ring_sizes(void **state)
{
    (void) state;
    assert_int_equal(handoff_ring_size(1, 2, 0), 2);
    assert_int_equal(handoff_ring_size(8, 2, 0), 16);
    assert_int_equal(handoff_ring_size(8, 2, 1), 2);
    assert_int_equal(handoff_ring_size(8, 2, 7), 14);
    assert_int_equal(handoff_ring_size(8, 2, 8), 16);
    assert_int_equal(handoff_ring_size(8, 2, UINT64_C(1) << 40), 16);
    assert_int_equal(handoff_ring_size(1, 8, 0), 8);
    assert_int_equal(handoff_ring_size(3, 4, 5), 12);
}

static void depths_of_rings(void **state)
{
    (void) state;
    assert_int_equal(handoff_depth(1, 0, 0), 2);
    assert_int_equal(handoff_depth(1, 32, 0), 32);
    assert_int_equal(handoff_depth(3, 32, 0), 10);
    assert_int_equal(handoff_depth(8, 32, 0), 4);
    assert_int_equal(handoff_depth(8, 31, 0), 2);
    assert_int_equal(handoff_depth(40, 32, 0), 2);
    assert_int_equal(handoff_depth(1, UINT32_MAX, 0), HANDOFF_DEPTH_MAX);
    /* No more batches than the run has, but two; a short run has short ones. */
    assert_int_equal(handoff_depth(1, 32, 1), 2);
    assert_int_equal(handoff_depth(1, 32, 5), 4);
    assert_int_equal(handoff_depth(2, 32, 8), 4);
    assert_int_equal(handoff_depth(8, 32, 4), 2);
    assert_int_equal(handoff_depth(8, 32, 24), 2);
    assert_int_equal(handoff_depth(8, 32, 25), 4);
    assert_int_equal(handoff_depth(8, 32, UINT64_MAX), 4);
}

/* With fresh semaphores, at any frame, from either type to either. */
static void restarts(void **state)
{
    (void) state;
    for (uint32_t variant = 0; variant < 24 * DEPTHS; variant++) {
        const uint32_t batch = 1 + variant % 3 * 3;
        begin(depths[variant % DEPTHS],
              variant % 2 ? INTEROP_SEMAPHORE_BINARY : INTEROP_SEMAPHORE_TIMELINE, batch,
              variant % 5 ? 60 : 0, variant);
        for (uint64_t at = 1 + variant % 4; at < 60; at += 7) {
            run_until(at);
            finish();
            const struct handoff before = model.handoff;
            handoff_restart(&model.handoff,
                            at % 2 ? INTEROP_SEMAPHORE_BINARY : INTEROP_SEMAPHORE_TIMELINE);
            assert_int_equal(model.handoff.drawn, at);
            assert_int_equal(model.handoff.stepped, at);
            for (uint64_t frame = at - 1; frame < before.stepped; frame++)
                assert_int_equal(handoff_slot(&model.handoff, frame), handoff_slot(&before, frame));
            assert_int_equal(handoff_ready_batch(&model.handoff, at), model.handoff.batches);
            memset(model.ready, 0, sizeof model.ready);
            memset(model.free, 0, sizeof model.free);
            /* What was stepped ahead is stepped again. */
            memset(model.unread, 0, sizeof model.unread);
        }
        run_until(60);
        finish();
        assert_int_equal(model.drawn, 60);
    }
}

static void is_broken(bool ok, const struct error *error)
{
    assert_false(ok);
    assert_int_equal(error->kind, ERROR_RUNTIME);
    assert_non_null(strstr(error->text, "out of turn"));
}

static void broken_accounts_are_errors(void **state)
{
    (void) state;
    for (int i = 0; i < 2; i++) {
        const enum interop_semaphore_type type =
            i ? INTEROP_SEMAPHORE_BINARY : INTEROP_SEMAPHORE_TIMELINE;
        struct handoff handoff;
        struct handoff_batch first, batch;
        struct handoff_frame frame;
        struct error error = {0};

        /* The same batch twice: its signal is given twice. */
        init(&handoff, type, 2, 0);
        assert_true(handoff_next_batch(&handoff, &first));
        assert_true(step(&handoff, &first, &error));
        is_broken(step(&handoff, &first, &error), &error);
        assert_int_equal(handoff.stepped, 2);

        /* A frame of a batch that was not stepped. */
        error = (struct error){0};
        init(&handoff, type, 1, 0);
        frame = (struct handoff_frame){.waits = true, .ready = {.value = i ? 0 : 1}};
        is_broken(draw(&handoff, &frame, &error), &error);
        assert_int_equal(handoff.drawn, 0);

        /* A batch that waits for what no frame has freed. */
        error = (struct error){0};
        init(&handoff, type, 1, 0);
        batch = first;
        batch.waits = true;
        batch.free = (struct interop_point){.value = i ? 0 : 1};
        is_broken(step(&handoff, &batch, &error), &error);
        assert_int_equal(handoff.stepped, 0);
    }
}

static void a_binary_signal_is_taken_once(void **state)
{
    struct handoff handoff;
    struct handoff_batch batch;
    struct handoff_frame frame;
    struct error error = {0};
    (void) state;
    init(&handoff, INTEROP_SEMAPHORE_BINARY, 1, 0);
    for (int i = 0; i < 2; i++) {
        assert_true(handoff_next_batch(&handoff, &batch));
        assert_true(step(&handoff, &batch, &error));
    }
    assert_true(handoff_next_frame(&handoff, &frame));
    assert_true(draw(&handoff, &frame, &error));
    is_broken(draw(&handoff, &frame, &error), &error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order),
        cmocka_unit_test(the_stepper_runs_ahead),
        cmocka_unit_test(the_last_batch_is_short),
        cmocka_unit_test(ring_sizes),
        cmocka_unit_test(depths_of_rings),
        cmocka_unit_test(restarts),
        cmocka_unit_test(broken_accounts_are_errors),
        cmocka_unit_test(a_binary_signal_is_taken_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
