/* stepper_choice.h: the decision of stepper_choose, without a device. Private
 * to it and its test.
 */
#ifndef APP_STEPPER_CHOICE_H
#define APP_STEPPER_CHOICE_H

#include "app/stepper.h"
#include "kernels/cuda_device.h"

/* What a decision rests on, about the chosen Vulkan device and this run. */
struct stepper_facts {
    uint32_t group_size;          /* devices in its device group */
    enum cuda_device_status cuda; /* of the CUDA device with its UUID */
    struct error cuda_why;        /* why there is none */
    struct cuda_device cuda_device;
    bool memory_fd, semaphore_fd;    /* it has the extensions that export */
    struct vkb_export_support slots; /* of such height maps as the options ask for */
    bool exports_semaphore[2];       /* by enum interop_semaphore_type */
};

/* One-line notes for the user; empty: none. */
struct stepper_notes {
    char stepper[720];
    char semaphore[160];
};

/* Pure; fails with ERROR_UNAVAILABLE alone. Not for --compute vulkan, which
 * needs no facts. */
bool stepper_decide(const struct options *options, const struct stepper_facts *facts,
                    struct stepper_choice *choice, struct stepper_notes *notes,
                    struct error *error);

#endif
