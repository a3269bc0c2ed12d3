/* Exports of memory and semaphores, without anyone who imports: each export is a
 * descriptor of its own that an executed program does not inherit. Skipped where
 * the device cannot export. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "vkbase/memory.h"
#include "vkbase/semaphore.h"

enum { SKIPPED = 77 };

static struct vkb_instance instance;
static struct vkb_device device;

static bool open_device(bool *semaphores, struct error *error)
{
    const struct vkb_instance_params params = {.application_name = "test_exports"};
    struct vkb_device_info *list = NULL;
    uint32_t count = 0;
    uint32_t chosen = 0;
    uint32_t matches = 0;
    if (!vkb_instance_create(&params, &instance, error) ||
        !vkb_devices_list(instance.handle, &list, &count, error) ||
        !vkb_device_choose(list, count, NULL, &chosen, &matches, error)) {
        free(list);
        return false;
    }
    const struct vkb_device_info info = list[chosen];
    free(list);
    *semaphores =
        vkb_device_has_extension(info.handle, VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME, error) &&
        vkb_semaphore_exportable(info.handle, INTEROP_SEMAPHORE_TIMELINE);
    const struct vkb_device_params device_params = {
        .instance = &instance,
        .info = &info,
        .export_memory = true,
        .export_semaphores = *semaphores,
    };
    return vkb_buffer_export_support(info.handle, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT).exportable &&
           vkb_device_create(&device_params, &device, error);
}

static void expect_close_on_exec(int fd)
{
    assert_true(fd >= 0);
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
}

static void export_memory(void **state)
{
    struct error error = {0};
    struct vkb_buffer buffer = {0};
    struct interop_memory first, second;
    (void) state;
    for (int dedicated = 0; dedicated < 2; dedicated++) {
        const struct vkb_buffer_params params = {
            .size = 1000,
            .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
            .dedicated = dedicated,
            .exportable = true,
            .name = "exported buffer",
        };
        assert_true(vkb_buffer_create(&device, &params, &buffer, &error));
        assert_true(vkb_memory_export(&device, &buffer.memory, &first, &error));
        assert_true(vkb_memory_export(&device, &buffer.memory, &second, &error));
        assert_int_equal(first.handle.type, INTEROP_HANDLE_OPAQUE_FD);
        assert_int_not_equal(first.handle.fd, second.handle.fd);
        assert_true(first.allocation_size >= params.size);
        assert_int_equal(first.dedicated, dedicated);
        expect_close_on_exec(first.handle.fd);
        expect_close_on_exec(second.handle.fd);
        interop_handle_close(&first.handle);
        interop_handle_close(&second.handle);
        assert_int_equal(first.handle.fd, -1);
        vkb_buffer_destroy(&device, &buffer);
    }
}

static void refuse_memory(void **state)
{
    struct error error = {0};
    struct vkb_buffer buffer = {0};
    struct interop_memory exported;
    const struct vkb_buffer_params params = {
        .size = 1000, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "private buffer"};
    (void) state;
    assert_true(vkb_buffer_create(&device, &params, &buffer, &error));
    assert_false(vkb_memory_export(&device, &buffer.memory, &exported, &error));
    assert_int_equal(exported.handle.fd, -1);
    assert_int_equal(error.kind, ERROR_UNAVAILABLE);
    vkb_buffer_destroy(&device, &buffer);
}

static void export_semaphores(void **state)
{
    (void) state;
    if (!device.get_semaphore_fd)
        skip();
    for (int type = 0; type < 2; type++) {
        struct error error = {0};
        struct vkb_semaphore semaphore = {0};
        struct interop_semaphore exported;
        assert_true(vkb_semaphore_create(&device, (enum interop_semaphore_type) type, true,
                                         "exported", &semaphore, &error));
        assert_true(vkb_semaphore_export(&device, &semaphore, &exported, &error));
        expect_close_on_exec(exported.handle.fd);
        interop_handle_close(&exported.handle);
        vkb_semaphore_destroy(&device, &semaphore);
    }
}

static void refuse_semaphores(void **state)
{
    struct error error = {0};
    struct vkb_semaphore semaphore = {0};
    struct interop_semaphore exported;
    (void) state;
    if (device.get_semaphore_fd)
        skip();
    assert_true(vkb_semaphore_create(&device, INTEROP_SEMAPHORE_TIMELINE, false, "private",
                                     &semaphore, &error));
    assert_false(vkb_semaphore_export(&device, &semaphore, &exported, &error));
    assert_int_equal(exported.handle.fd, -1);
    vkb_semaphore_destroy(&device, &semaphore);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(export_memory),
        cmocka_unit_test(refuse_memory),
        cmocka_unit_test(export_semaphores),
        cmocka_unit_test(refuse_semaphores),
    };
    struct error error = {0};
    bool semaphores = false;
    int failed = SKIPPED;
    if (open_device(&semaphores, &error))
        failed = cmocka_run_group_tests_name("exports", tests, NULL, NULL);
    else
        (void) fprintf(stderr, "skipped: %s\n", error.text[0] ? error.text : "nothing to export");
    vkb_device_destroy(&device);
    vkb_instance_destroy(&instance);
    return failed;
}
