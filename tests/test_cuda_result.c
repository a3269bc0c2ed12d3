/* What a failed CUDA call says, without a GPU: names are the runtime's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "kernels/cuda_external.h"
#include "kernels/cuda_result.h"

static cudaError_t answer(cudaError_t result, int argument)
{
    (void) argument;
    return result;
}

static void says_nothing_on_success(void **state)
{
    (void) state;
    struct error error = {0};
    assert_true(CUDA_OK(&error, answer(cudaSuccess, 1), "do %s", "it"));
    assert_int_equal(error.kind, ERROR_NONE);
}

static void names_call_result_and_remedy(void **state)
{
    (void) state;
    struct error error = {0};
    assert_false(
        CUDA_OK(&error, answer(cudaErrorMemoryAllocation, 1), "allocate %d bytes of it", 7));
    assert_int_equal(error.kind, ERROR_RUNTIME);
    assert_string_equal(error.text,
                        "cannot allocate 7 bytes of it: answer returned cudaErrorMemoryAllocation "
                        "(out of memory); free memory on the device, or take a smaller --grid or "
                        "--batch");
}

static void keeps_the_first_cause(void **state)
{
    (void) state;
    struct error error = {0};
    assert_false(CUDA_OK(&error, answer(cudaErrorNoDevice, 1), "begin"));
    assert_false(CUDA_OK(&error, answer(cudaErrorInvalidValue, 2), "clean up"));
    assert_int_equal(error.kind, ERROR_UNAVAILABLE);
    assert_non_null(strstr(error.text, "cannot begin"));
    assert_false(CUDA_OK(NULL, answer(cudaErrorUnknown, 3), "go on without an error"));
}

static void always_gives_a_remedy_on_one_line(void **state)
{
    (void) state;
    for (int code = 1; code < 1000; code++) {
        struct error error = {0};
        assert_false(CUDA_OK(&error, answer((cudaError_t) code, code), "try"));
        assert_int_not_equal(error.kind, ERROR_NONE);
        assert_non_null(strstr(error.text, "); "));
        assert_null(strchr(error.text, '\n'));
    }
}

/* These are refused before CUDA is asked; the descriptor stays. */
static void refuses_handles_that_are_none(void **state)
{
    (void) state;
    const struct interop_handle bad[] = {
        {.type = INTEROP_HANDLE_NONE, .fd = 5},
        {.type = INTEROP_HANDLE_OPAQUE_FD, .fd = -1},
        {.type = INTEROP_HANDLE_OPAQUE_WIN32, .fd = 5},
        {.type = INTEROP_HANDLE_OPAQUE_WIN32_KMT, .fd = 5},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct interop_memory memory = {.handle = bad[i], .allocation_size = 4096};
        struct cuda_external_memory imported;
        struct error error = {0};
        assert_false(cuda_external_memory_import(&memory, &imported, &error));
        assert_int_equal(error.kind, ERROR_RUNTIME);
        assert_int_equal(memory.handle.fd, bad[i].fd);
        assert_null(imported.handle);

        struct interop_semaphore semaphore = {.handle = bad[i]};
        struct cuda_external_semaphore imported_semaphore;
        error = (struct error){0};
        assert_false(cuda_external_semaphore_import(&semaphore, &imported_semaphore, &error));
        assert_int_equal(error.kind, ERROR_RUNTIME);
        assert_int_equal(semaphore.handle.fd, bad[i].fd);
        assert_null(imported_semaphore.handle);
    }
}

static void refuses_buffers_outside_of_the_allocation(void **state)
{
    (void) state;
    const struct cuda_external_memory memory = {.size = 4096};
    const struct interop_buffer bad[] = {
        {.offset = 0, .size = 0},           {.offset = 0, .size = 4097},
        {.offset = 4096, .size = 1},        {.offset = 8192, .size = 1},
        {.offset = 16, .size = UINT64_MAX}, /* the sum would wrap */
        {.offset = UINT64_MAX, .size = 2},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        int place = 0;
        void *address = &place;
        struct error error = {0};
        assert_false(cuda_external_buffer_map(&memory, &bad[i], &address, &error));
        assert_int_equal(error.kind, ERROR_RUNTIME);
        assert_null(address);
    }
}

static void destroys_what_was_never_made(void **state)
{
    (void) state;
    struct cuda_external_memory memory = {0};
    struct cuda_external_image image = {0};
    struct cuda_external_semaphore semaphore = {0};
    cuda_external_semaphore_destroy(&semaphore);
    cuda_external_image_unmap(&image);
    cuda_external_memory_destroy(&memory);
}

static void lets_a_timeline_only_grow(void **state)
{
    (void) state;
    struct cuda_external_semaphore semaphore = {.type = INTEROP_SEMAPHORE_TIMELINE, .value = 7};
    for (uint64_t value = 6; value <= 7; value++) {
        struct error error = {0};
        assert_false(cuda_external_semaphore_signal(&semaphore, value, NULL, "ready[0]", &error));
        assert_non_null(strstr(error.text, "ready[0]"));
        assert_int_equal(semaphore.value, 7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_nothing_on_success),
        cmocka_unit_test(names_call_result_and_remedy),
        cmocka_unit_test(keeps_the_first_cause),
        cmocka_unit_test(always_gives_a_remedy_on_one_line),
        cmocka_unit_test(refuses_handles_that_are_none),
        cmocka_unit_test(refuses_buffers_outside_of_the_allocation),
        cmocka_unit_test(destroys_what_was_never_made),
        cmocka_unit_test(lets_a_timeline_only_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
