/* Which stepper and which semaphores, for devices that no machine here has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "app/checksum.h"
#include "app/stepper_choice.h"

/* A device that can do all. */
static struct stepper_facts good(void)
{
    struct stepper_facts facts = {
        .group_size = 1,
        .cuda = CUDA_DEVICE_FOUND,
        .cuda_device = {.ordinal = 2, .timeline_semaphores = true},
        .memory_fd = true,
        .semaphore_fd = true,
        .slots = {.exportable = true},
        .exports_semaphore = {true, true},
    };
    strcpy(facts.cuda_device.name, "Card"); // NOLINT: it fits
    return facts;
}

static struct stepper_facts without_cuda(enum cuda_device_status status, const char *why)
{
    struct stepper_facts facts = good();
    facts.cuda = status;
    error_set(&facts.cuda_why, ERROR_UNAVAILABLE, "%s", why);
    return facts;
}

/* By --compute auto Vulkan steps and the note says why; --compute cuda fails
 * with the reason. */
static void refused_for(const struct options *given, const struct stepper_facts *facts,
                        const char *reason)
{
    struct options options = *given;
    struct stepper_choice choice;
    struct stepper_notes notes;
    struct error error = {0};
    options.compute = COMPUTE_AUTO;
    assert_true(stepper_decide(&options, facts, &choice, &notes, &error));
    assert_false(choice.cuda);
    assert_int_equal(choice.semaphore, options.semaphore);
    assert_ptr_equal(strstr(notes.stepper, "stepping with Vulkan: "), notes.stepper);
    assert_non_null(strstr(notes.stepper, reason));
    assert_string_equal(notes.semaphore, "");

    options.compute = COMPUTE_CUDA;
    assert_false(stepper_decide(&options, facts, &choice, &notes, &error));
    assert_int_equal(error.kind, ERROR_UNAVAILABLE);
    assert_ptr_equal(strstr(error.text, "--compute cuda: "), error.text);
    assert_non_null(strstr(error.text, reason));
    assert_non_null(strstr(error.text, "; use --compute vulkan"));
    assert_false(choice.cuda);
}

static void takes_cuda(void **state)
{
    (void) state;
    const struct stepper_facts facts = good();
    for (int type = 0; type < 2; type++) {
        const struct options options = {.semaphore = (enum interop_semaphore_type) type,
                                        .semaphore_given = true};
        struct stepper_choice choice;
        struct stepper_notes notes;
        struct error error = {0};
        assert_true(stepper_decide(&options, &facts, &choice, &notes, &error));
        assert_true(choice.cuda);
        assert_int_equal(choice.semaphore, type);
        assert_null(choice.lacking[0]);
        assert_null(choice.lacking[1]);
        assert_string_equal(notes.stepper, "stepping with CUDA: device 2, Card, has this UUID");
        assert_string_equal(notes.semaphore, "");
    }
    const struct options by_name = {.compute = COMPUTE_CUDA};
    struct stepper_choice choice;
    struct stepper_notes notes;
    assert_true(stepper_decide(&by_name, &facts, &choice, &notes, NULL));
    assert_true(choice.cuda);
    assert_string_equal(notes.stepper, "");
}

static void refuses_a_device_group(void **state)
{
    (void) state;
    struct stepper_facts facts = good();
    facts.group_size = 2;
    refused_for(&(struct options){0}, &facts, "belongs to a group of 2 devices");
}

static void refuses_without_a_cuda_device(void **state)
{
    (void) state;
    struct stepper_facts facts =
        without_cuda(CUDA_DEVICE_PROHIBITED, "CUDA device 0 is in prohibited compute mode");
    refused_for(&(struct options){0}, &facts, "prohibited compute mode");
    facts = without_cuda(CUDA_DEVICE_NO_MATCH, "no CUDA device has this UUID");
    refused_for(&(struct options){0}, &facts, "no CUDA device has this UUID");
    facts = without_cuda(CUDA_DEVICE_NO_DRIVER, "no CUDA driver is installed");
    refused_for(&(struct options){0}, &facts, "no CUDA driver is installed");
    facts = without_cuda(CUDA_DEVICE_NOT_BUILT, "this build has no CUDA");
    refused_for(&(struct options){0}, &facts, "this build has no CUDA");
}

static void refuses_without_export(void **state)
{
    (void) state;
    const struct options images = {.heightmap = HEIGHTMAP_IMAGE};
    struct stepper_facts facts = good();
    facts.memory_fd = false;
    refused_for(&(struct options){0}, &facts, "cannot export memory as a file descriptor");
    facts = good();
    facts.slots.exportable = false;
    refused_for(&(struct options){0}, &facts, "cannot export memory as a file descriptor");
    refused_for(&images, &facts, "cannot export an image's memory");
    facts = good();
    facts.semaphore_fd = false;
    refused_for(&(struct options){0}, &facts, "cannot export semaphores");
    facts = good();
    facts.exports_semaphore[0] = facts.exports_semaphore[1] = false;
    refused_for(&(struct options){0}, &facts, "cannot export semaphores");
}

static void refuses_blocks_where_only_dedicated_memory_is_exported(void **state)
{
    (void) state;
    struct options options = {.memory = MEMORY_SUBALLOCATED};
    struct stepper_facts facts = good();
    facts.slots.dedicated_only = true;
    refused_for(&options, &facts, "exports buffers in dedicated allocations only");
    options.heightmap = HEIGHTMAP_IMAGE;
    refused_for(&options, &facts, "exports images in dedicated allocations only");

    struct stepper_choice choice;
    struct stepper_notes notes;
    struct error error = {0};
    options.memory = MEMORY_DEDICATED;
    assert_true(stepper_decide(&options, &facts, &choice, &notes, &error));
    assert_true(choice.cuda);
}

/* Where one type cannot be had, the other takes its place; by name it fails. */
static void falls_back_for(const struct stepper_facts *facts, enum interop_semaphore_type wish,
                           const char *reason)
{
    const enum interop_semaphore_type other =
        wish == INTEROP_SEMAPHORE_TIMELINE ? INTEROP_SEMAPHORE_BINARY : INTEROP_SEMAPHORE_TIMELINE;
    struct options options = {.semaphore = wish};
    struct stepper_choice choice;
    struct stepper_notes notes;
    struct error error = {0};
    assert_true(stepper_decide(&options, facts, &choice, &notes, &error));
    assert_true(choice.cuda);
    assert_int_equal(choice.semaphore, other);
    assert_non_null(strstr(notes.semaphore, " semaphores instead of "));
    assert_non_null(strstr(notes.semaphore, reason));
    assert_non_null(strstr(choice.lacking[wish], reason));
    assert_null(choice.lacking[other]);

    options.semaphore_given = true;
    assert_false(stepper_decide(&options, facts, &choice, &notes, &error));
    assert_int_equal(error.kind, ERROR_UNAVAILABLE);
    assert_ptr_equal(strstr(error.text, "--semaphore "), error.text);
    assert_non_null(strstr(error.text, reason));
    assert_non_null(strstr(error.text, other == INTEROP_SEMAPHORE_BINARY
                                           ? "; use --semaphore binary or --compute vulkan"
                                           : "; use --semaphore timeline or --compute vulkan"));
    assert_false(choice.cuda);

    options.semaphore = other;
    assert_true(stepper_decide(&options, facts, &choice, &notes, NULL));
    assert_true(choice.cuda);
    assert_int_equal(choice.semaphore, other);
    assert_string_equal(notes.semaphore, "");
}

static void semaphore_types(void **state)
{
    (void) state;
    struct stepper_facts facts = good();
    facts.cuda_device.timeline_semaphores = false;
    falls_back_for(&facts, INTEROP_SEMAPHORE_TIMELINE, "CUDA cannot import timeline semaphores");
    facts = good();
    facts.exports_semaphore[INTEROP_SEMAPHORE_TIMELINE] = false;
    falls_back_for(&facts, INTEROP_SEMAPHORE_TIMELINE, "cannot export timeline semaphores");
    facts = good();
    facts.exports_semaphore[INTEROP_SEMAPHORE_BINARY] = false;
    falls_back_for(&facts, INTEROP_SEMAPHORE_BINARY, "cannot export binary semaphores");

    /* The one that can be exported cannot be imported. */
    facts.cuda_device.timeline_semaphores = false;
    struct stepper_choice choice;
    struct stepper_notes notes;
    struct error error = {0};
    assert_false(stepper_decide(&(struct options){0}, &facts, &choice, &notes, &error));
    assert_non_null(strstr(error.text, "; use --compute vulkan"));
}

static void fnv(void **state)
{
    (void) state;
    /* From the algorithm's published test vectors. */
    assert_true(checksum("", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(checksum("a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(checksum("foobar", 6) == UINT64_C(0x85944171f73967e8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_cuda),
        cmocka_unit_test(refuses_a_device_group),
        cmocka_unit_test(refuses_without_a_cuda_device),
        cmocka_unit_test(refuses_without_export),
        cmocka_unit_test(refuses_blocks_where_only_dedicated_memory_is_exported),
        cmocka_unit_test(semaphore_types),
        cmocka_unit_test(fnv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
