#include "app/options_table.h"

#include "app/options.h"

#define FIELD(name) .offset = offsetof(struct options, name)
#define NO_FIELD .offset = SIZE_MAX

/* Whether an option may stand beside --with. */
#define DRAWS false
#define FILES_TOO true

/* The largest frame index: exact in a double, and a sum of two fits easily. */
#define FRAMES_MAX UINT64_C(1000000000000000)

/* Choices are stored through memcpy() as 32 bits. */
_Static_assert(sizeof(enum interop_semaphore_type) == sizeof(uint32_t), "enums have 32 bits");
_Static_assert(sizeof(enum options_compute) == sizeof(uint32_t), "enums have 32 bits");

static const struct option_choice semaphores[] = {
    {"timeline", INTEROP_SEMAPHORE_TIMELINE}, {"binary", INTEROP_SEMAPHORE_BINARY}, {NULL, 0}};
static const struct option_choice computes[] = {
    {"auto", COMPUTE_AUTO}, {"cuda", COMPUTE_CUDA}, {"vulkan", COMPUTE_VULKAN}, {NULL, 0}};
static const struct option_choice styles[] = {{"surface", STYLE_SURFACE},
                                              {"wireframe", STYLE_WIREFRAME},
                                              {"points", STYLE_POINTS},
                                              {NULL, 0}};
static const struct option_choice renderers[] = {
    {"raster", RENDERER_RASTER}, {"compute", RENDERER_COMPUTE}, {"auto", RENDERER_AUTO}, {NULL, 0}};
static const struct option_choice memories[] = {
    {"dedicated", MEMORY_DEDICATED}, {"suballocated", MEMORY_SUBALLOCATED}, {NULL, 0}};
static const struct option_choice heightmaps[] = {
    {"buffer", HEIGHTMAP_BUFFER}, {"image", HEIGHTMAP_IMAGE}, {NULL, 0}};
static const struct option_choice sample_counts[] = {{"1", 1}, {"4", 4}, {NULL, 0}};
static const struct option_choice present_modes[] = {{"fifo", PRESENT_FIFO},
                                                     {"mailbox", PRESENT_MAILBOX},
                                                     {"immediate", PRESENT_IMMEDIATE},
                                                     {NULL, 0}};

const struct option_row option_table[OPTION_COUNT] = {
    [OPTION_SEMAPHORE] = {"--semaphore", DRAWS, OPTION_KIND_CHOICE, OPTION_GROUP_DEVICE,
                          FIELD(semaphore), .choices = semaphores, .argument = "timeline|binary",
                          .text = "semaphores that pass height maps from stepper to renderer",
                          .preset = "timeline"},
    [OPTION_COMPUTE] = {"--compute", DRAWS, OPTION_KIND_CHOICE, OPTION_GROUP_DEVICE, FIELD(compute),
                        .choices = computes, .argument = "auto|cuda|vulkan",
                        .text = "what steps the height map; auto takes CUDA where a device's UUID "
                                "matches, else a Vulkan compute shader",
                        .preset = "auto"},
    [OPTION_DEVICE] = {"--device", DRAWS, OPTION_KIND_TEXT, OPTION_GROUP_DEVICE, FIELD(device),
                       .argument = "INDEX|UUID|NAME",
                       .text = "Vulkan device, as --list-devices shows it; part of a name is "
                               "enough; CUDA follows by UUID",
                       .preset = "the best one"},
    [OPTION_LIST_DEVICES] = {"--list-devices", DRAWS, OPTION_KIND_FLAG, OPTION_GROUP_DEVICE,
                             NO_FIELD,
                             .text = "list Vulkan devices and the CUDA device of each, and exit"},
    [OPTION_MEMORY] = {"--memory", DRAWS, OPTION_KIND_CHOICE, OPTION_GROUP_DEVICE, FIELD(memory),
                       .choices = memories, .argument = "dedicated|suballocated",
                       .text = "one allocation for each height map, or one for all of them",
                       .preset = "dedicated"},
    [OPTION_HEIGHTMAP] = {"--heightmap", DRAWS, OPTION_KIND_CHOICE, OPTION_GROUP_DEVICE,
                          FIELD(heightmap), .choices = heightmaps, .argument = "buffer|image",
                          .text = "what the stepper writes heights into", .preset = "buffer"},
    [OPTION_BATCH] = {"--batch", DRAWS, OPTION_KIND_UINT32, OPTION_GROUP_DEVICE, FIELD(batch),
                      .least = 1, .most = BATCH_MAX, .argument = "N",
                      .text = "frames stepped for each signal that they are ready",
                      .preset = "1 in a window, 8 headless"},
    [OPTION_VALIDATION] = {"--validation", DRAWS, OPTION_KIND_FLAG, OPTION_GROUP_DEVICE,
                           FIELD(validation),
                           .text = "Khronos validation with synchronization checks; a message of "
                                   "it makes exit code 1"},

    [OPTION_GRID] = {"--grid", DRAWS, OPTION_KIND_PAIR, OPTION_GROUP_SCENE, FIELD(grid_width),
                     .second = offsetof(struct options, grid_height), .least = 1,
                     .most = GRID_SIDE_MAX, .argument = "WIDTHxHEIGHT",
                     .text = "vertices of the height map", .preset = "256x256"},
    [OPTION_SIZE] = {"--size", DRAWS, OPTION_KIND_PAIR, OPTION_GROUP_SCENE, FIELD(width),
                     .second = offsetof(struct options, height), .least = 1, .most = SIZE_SIDE_MAX,
                     .argument = "WIDTHxHEIGHT", .text = "pixels of the window or picture",
                     .preset = "1280x800"},
    [OPTION_STYLE] = {"--style", DRAWS, OPTION_KIND_CHOICE, OPTION_GROUP_SCENE, FIELD(style),
                      .choices = styles, .argument = "surface|wireframe|points",
                      .text = "how the height map is drawn", .preset = "surface"},
    [OPTION_RENDERER] = {"--renderer", DRAWS, OPTION_KIND_CHOICE, OPTION_GROUP_SCENE,
                         FIELD(renderer), .choices = renderers, .argument = "raster|compute|auto",
                         .text = "draw with the hardware rasterizer or with a compute shader; auto "
                                 "measures both",
                         .preset = "raster"},
    [OPTION_SAMPLES] = {"--samples", DRAWS, OPTION_KIND_CHOICE, OPTION_GROUP_SCENE, FIELD(samples),
                        .choices = sample_counts, .argument = "1|4",
                        .text = "samples of each pixel",
                        .preset = "4 in a window where supported, 1 headless"},
    [OPTION_PRESENT_MODE] = {"--present-mode", DRAWS, OPTION_KIND_CHOICE, OPTION_GROUP_SCENE,
                             FIELD(present_mode), .choices = present_modes,
                             .argument = "fifo|mailbox|immediate",
                             .text = "how finished frames reach the window", .preset = "fifo"},

    [OPTION_HEADLESS] = {"--headless", DRAWS, OPTION_KIND_FLAG, OPTION_GROUP_RUN, FIELD(headless),
                         .text = "no window, and no display needed"},
    [OPTION_FRAMES] = {"--frames", DRAWS, OPTION_KIND_UINT64, OPTION_GROUP_RUN, FIELD(frames),
                       .least = 1, .most = FRAMES_MAX, .argument = "N",
                       .text = "stop after N frames", .preset = "until closed; headless 1"},
    [OPTION_FIRST_FRAME] = {"--first-frame", DRAWS, OPTION_KIND_UINT64, OPTION_GROUP_RUN,
                            FIELD(first_frame), .least = 0, .most = FRAMES_MAX, .argument = "K",
                            .text = "with --frames: draw frames K to K+N-1 of a longer run",
                            .preset = "0"},
    [OPTION_START_TIME] = {"--start-time", DRAWS, OPTION_KIND_DOUBLE, OPTION_GROUP_RUN,
                           FIELD(start_time), .lowest = -1e9, .highest = 1e9, .argument = "S",
                           .text = "seconds that frame 0 shows", .preset = "0"},
    [OPTION_TIME_STEP] = {"--time-step", DRAWS, OPTION_KIND_DOUBLE, OPTION_GROUP_RUN,
                          FIELD(time_step), .lowest = 1e-6, .highest = 1e6, .argument = "S",
                          .text = "seconds from frame to frame",
                          .preset = "wall clock in a window, 1/60 headless"},

    [OPTION_SCREENSHOT] = {"--screenshot", DRAWS, OPTION_KIND_FILE, OPTION_GROUP_FILES,
                           FIELD(screenshot), .argument = "FILE.png",
                           .text = "write the last frame"},
    [OPTION_HEIGHTS] = {"--heights", DRAWS, OPTION_KIND_FILE, OPTION_GROUP_FILES, FIELD(heights),
                        .argument = "FILE.npy",
                        .text = "write the last height map, a float32 NumPy array of shape "
                                "(height, width)"},
    [OPTION_OUTPUT] = {"--output", DRAWS, OPTION_KIND_STREAM, OPTION_GROUP_FILES, FIELD(output),
                       .argument = "PATTERN|-",
                       .text = "write every frame: to files such as frame-%05d.png, or as a y4m "
                               "stream to standard output"},
    [OPTION_STATS] = {"--stats", DRAWS, OPTION_KIND_STREAM, OPTION_GROUP_FILES, FIELD(stats),
                      .argument = "FILE.json|-", .text = "write times of each stage"},

    [OPTION_COMPARE] = {"--compare", FILES_TOO, OPTION_KIND_FILE, OPTION_GROUP_COMPARE,
                        FIELD(compare), .argument = "REF.png",
                        .text = "compare the last frame with a picture; exit code 1 where they "
                                "differ"},
    [OPTION_WITH] = {"--with", FILES_TOO, OPTION_KIND_FILE, OPTION_GROUP_COMPARE, FIELD(with),
                     .argument = "FILE.png",
                     .text = "compare this file instead of a frame; no device is needed"},
    [OPTION_THRESHOLD] = {"--threshold", FILES_TOO, OPTION_KIND_UINT32, OPTION_GROUP_COMPARE,
                          FIELD(threshold), .least = 0, .most = 255, .argument = "C",
                          .text = "a pixel differs where a channel is off by more than C of 255",
                          .preset = "2"},
    [OPTION_MAX_DIFF_RATIO] = {"--max-diff-ratio", FILES_TOO, OPTION_KIND_DOUBLE,
                               OPTION_GROUP_COMPARE, FIELD(max_diff_ratio), .lowest = 0,
                               .highest = 1, .argument = "R",
                               .text = "share of pixels that may differ", .preset = "0.005"},
    [OPTION_DIFF] = {"--diff", FILES_TOO, OPTION_KIND_FILE, OPTION_GROUP_COMPARE, FIELD(diff),
                     .argument = "OUT.png", .text = "write a picture that shows what differs"},
    [OPTION_BLESS] = {"--bless", DRAWS, OPTION_KIND_FLAG, OPTION_GROUP_COMPARE, FIELD(bless),
                      .text = "write the last frame to the file that --compare names, instead of "
                              "comparing"},

    [OPTION_QUIET] = {"--quiet", FILES_TOO, OPTION_KIND_FLAG, OPTION_GROUP_GENERAL, FIELD(quiet),
                      .text = "say nothing but errors"},
    [OPTION_VERBOSE] = {"--verbose", FILES_TOO, OPTION_KIND_FLAG, OPTION_GROUP_GENERAL,
                        FIELD(verbose), .text = "name what was made"},
    [OPTION_HELP] = {"--help", FILES_TOO, OPTION_KIND_FLAG, OPTION_GROUP_GENERAL, NO_FIELD,
                     .text = "print this text, and exit"},
    [OPTION_HELP_TESTS] = {"--help-tests", FILES_TOO, OPTION_KIND_FLAG, OPTION_GROUP_GENERAL,
                           NO_FIELD, .text = "print the options made for tests, and exit"},
    [OPTION_VERSION] = {"--version", FILES_TOO, OPTION_KIND_FLAG, OPTION_GROUP_GENERAL, NO_FIELD,
                        .text = "print the version, and exit"},

    [OPTION_TEST_VALIDATION_ERROR] = {"--test-validation-error", DRAWS, OPTION_KIND_FLAG,
                                      OPTION_GROUP_TESTS, FIELD(test_validation_error),
                                      .text = "make one invalid call; with --validation the exit "
                                              "code must be 1"},
    [OPTION_TEST_PRESENT] = {"--test-present", DRAWS, OPTION_KIND_FLAG, OPTION_GROUP_TESTS,
                             FIELD(test_present),
                             .text = "make a swapchain for a window that is not shown, draw "
                                     "nothing, and exit"},
    [OPTION_TEST_KERNEL_DELAY] =
        {"--test-kernel-delay", DRAWS, OPTION_KIND_UINT32, OPTION_GROUP_TESTS,
         FIELD(test_kernel_delay_ms), .least = 0, .most = DELAY_MS_MAX, .argument = "MS",
         .text = "each batch takes CUDA MS milliseconds longer; exit code 3 with "
                 "the Vulkan stepper, which shares the renderer's queue",
         .preset = "0"},
    [OPTION_TEST_RING_SLOTS] = {"--test-ring-slots", DRAWS, OPTION_KIND_UINT32, OPTION_GROUP_TESTS,
                                FIELD(test_ring_slots), .least = 0, .most = BATCH_MAX,
                                .argument = "N",
                                .text =
                                    "a ring of at most N height maps, but of two batches; 0: as "
                                    "many as suit",
                                .preset = "0"},
    [OPTION_TEST_SUBMIT_DELAY] = {"--test-submit-delay", DRAWS, OPTION_KIND_UINT32,
                                  OPTION_GROUP_TESTS, FIELD(test_submit_delay_ms), .least = 0,
                                  .most = DELAY_MS_MAX, .argument = "MS",
                                  .text = "wait MS milliseconds between the stepper's and the "
                                          "renderer's submission",
                                  .preset = "0"},
    [OPTION_TEST_DROP_SIGNAL] =
        {"--test-drop-signal", DRAWS, OPTION_KIND_UINT64, OPTION_GROUP_TESTS,
         FIELD(test_drop_signal), .least = 1, .most = FRAMES_MAX, .argument = "N",
         .text = "leave out the N-th ready signal and all later ones; the exit code must be 4"},
    [OPTION_TEST_TOGGLE_EVERY] = {"--test-toggle-every", DRAWS, OPTION_KIND_UINT64,
                                  OPTION_GROUP_TESTS, FIELD(test_toggle_every), .least = 1,
                                  .most = FRAMES_MAX, .argument = "N",
                                  .text = "switch the semaphore type every N frames"},
    [OPTION_TEST_SNAPSHOT_EVERY] = {"--test-snapshot-every", DRAWS, OPTION_KIND_UINT64,
                                    OPTION_GROUP_TESTS, FIELD(test_snapshot_every), .least = 1,
                                    .most = FRAMES_MAX, .argument = "N",
                                    .text = "save a screenshot every N frames, as the key P does"},
    [OPTION_TEST_IDLE] = {"--test-idle", DRAWS, OPTION_KIND_FLAG, OPTION_GROUP_TESTS,
                          FIELD(test_idle),
                          .text = "print how many keys came, when a window whose time is held has "
                                  "drawn all that they change"},
    [OPTION_TEST_CHECKSUMS] = {"--test-checksums", DRAWS, OPTION_KIND_FLAG, OPTION_GROUP_TESTS,
                               FIELD(test_checksums),
                               .text = "print a line with the FNV-1a 64 of each frame's heights as "
                                       "they were drawn, to standard error"},
    [OPTION_TEST_DRAW_ALONE] = {"--test-draw-alone", DRAWS, OPTION_KIND_FLAG, OPTION_GROUP_TESTS,
                                FIELD(test_draw_alone),
                                .text = "step each slot once, then only draw: what the handoff "
                                        "costs is the difference"},
};
