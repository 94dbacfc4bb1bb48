/* Devices with other limits, each in a child process because drivers read them once: work-group
   sizes by POCL_MAX_WORK_GROUP_SIZE, local memory by HWLOC_SYNTHETIC, machine files,
   treefork_limit, and devices that are not there. Nothing that does not fit may reach the driver,
   which would die of it. */
#include "tests/unit/runtime_test.h"

static const char *const text =
    "__kernel void local_only(__global int *a, __local int *tile) {\n"
    "    tile[get_local_id(0)] = 1;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    a[get_global_id(0)] = tile[get_local_size(0) - 1 - get_local_id(0)];\n"
    "}\n"
    "__kernel void both(__global int *a, __local int *tile) {\n"
    "    __local int fixed[4096];\n"
    "    fixed[get_local_id(0)] = 2;\n"
    "    tile[get_local_id(0)] = 1;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    a[get_global_id(0)] = tile[0] + fixed[0];\n"
    "}\n";

static int launch(struct treefork_device *device, const char *kernel, int64_t threads,
                  int64_t bytes)
{
    struct treefork_module module = { .name = "limits", .opencl = text };
    struct treefork_argument argument = { .type = TREEFORK_BUFFER };
    static int a[8192];
    int status = treefork_use(device, a, (size_t)threads * sizeof *a, TREEFORK_WRITE,
                              &argument.value.buffer);
    struct treefork_launch l = {.module = &module,
                                .kernel = kernel,
                                .blocks = 1,
                                .threads = threads,
                                .shared_bytes = bytes,
                                .n_arguments = 1,
                                .arguments = &argument};
    return status ? status : treefork_run(device, &l);
}

static int64_t value(const struct treefork_device *device, int parameter)
{
    return treefork_device_machine(device)->value[parameter];
}

/* Child: work groups of at most 64. */
static void child_threads(struct test *test, struct treefork_device *device)
{
    CHECK(test, value(device, TREEFORK_T_B) == 64);
    CHECK(test, launch(device, "local_only", 64, 256) == TREEFORK_OK);
    CHECK(test, launch(device, "local_only", 65, 512) == TREEFORK_LAUNCH &&
                    strstr(treefork_message(), "65 threads"));
}

/* Child: 48 KiB of local memory, 16 units. */
static void child_local(struct test *test, struct treefork_device *device)
{
    CHECK(test, value(device, TREEFORK_Z_B) == 12288 && value(device, TREEFORK_M_D) == 16);
    CHECK(test, launch(device, "local_only", 16, 49152) == TREEFORK_OK);
    CHECK(test, launch(device, "local_only", 16, 49156) == TREEFORK_LAUNCH &&
                    strstr(treefork_message(), "49156 bytes"));
    CHECK(test, launch(device, "both", 16, 32768) == TREEFORK_OK);
    CHECK(test, launch(device, "both", 16, 32772) == TREEFORK_LAUNCH &&
                    strstr(treefork_message(), "static"));
    CHECK(test, launch(device, "local_only", 16, 64) == TREEFORK_OK);
}

/* Child: TREEFORK_MACHINE=machines/tiny.json. */
static void child_machine(struct test *test, struct treefork_device *device)
{
    CHECK(test, value(device, TREEFORK_T_B) == 64 && value(device, TREEFORK_Z_B) == 4096 &&
                    value(device, TREEFORK_R_B) == 32);
    CHECK(test, launch(device, "local_only", 64, 16384) == TREEFORK_OK);
    CHECK(test, launch(device, "local_only", 64, 16388) == TREEFORK_LAUNCH);
    CHECK(test, launch(device, "local_only", 65, 64) == TREEFORK_LAUNCH);
}

/* Child: limits set by the program; they never rise above the device's. */
static void child_limit(struct test *test, struct treefork_device *device)
{
    int64_t threads = value(device, TREEFORK_T_B);
    CHECK(test, treefork_limit(device, TREEFORK_T_B, 32) == TREEFORK_OK &&
                    value(device, TREEFORK_T_B) == 32);
    CHECK(test, launch(device, "local_only", 33, 256) == TREEFORK_LAUNCH &&
                    launch(device, "local_only", 32, 128) == TREEFORK_OK);
    CHECK(test, treefork_limit(device, TREEFORK_T_B, threads + 1000) == TREEFORK_OK &&
                    value(device, TREEFORK_T_B) == threads);
    CHECK(test, treefork_limit(device, TREEFORK_R_B, 40) == TREEFORK_OK &&
                    value(device, TREEFORK_R_B) == 40);
    CHECK(test, treefork_limit(device, TREEFORK_R_B, TREEFORK_UNLIMITED) == TREEFORK_OK);
    /* What an OpenCL device is taken to have. */
    CHECK(test, value(device, TREEFORK_R_B) == 255);
    CHECK(test, treefork_limit(device, TREEFORK_F_B, 40) == TREEFORK_OK &&
                    value(device, TREEFORK_F_B) == 40);
    CHECK(test, treefork_limit(device, TREEFORK_F_B, TREEFORK_UNLIMITED) == TREEFORK_OK);
    CHECK(test, value(device, TREEFORK_F_B) == TREEFORK_UNLIMITED);
    CHECK(test, treefork_limit(device, TREEFORK_T_B, 0) == TREEFORK_ARGUMENT &&
                    treefork_limit(device, TREEFORK_Z_B, -1) == TREEFORK_ARGUMENT);
    CHECK(test, treefork_limit(device, 99, 1) == TREEFORK_ARGUMENT &&
                    treefork_limit(NULL, 0, 1) == TREEFORK_ARGUMENT);
}

/* Child: two devices of one platform; arrays of one are none of the other. */
static void child_two(struct test *test, struct treefork_device *first)
{
    struct treefork_device *second = NULL, *third = NULL;
    CHECK(test, treefork_open("opencl:1", &second) == TREEFORK_OK);
    CHECK(test, launch(first, "local_only", 8, 64) == TREEFORK_OK && second &&
                    launch(second, "local_only", 8, 64) == TREEFORK_OK);
    CHECK(test, treefork_open("opencl:9", &third) == TREEFORK_NO_DEVICE && !third &&
                    strstr(treefork_message(), "2 devices"));
    treefork_close(second);
}

static const struct scenario {
    const char *name, *variable, *value;
    void (*run)(struct test *test, struct treefork_device *device);
} scenarios[] = {
    {"threads", "POCL_MAX_WORK_GROUP_SIZE", "64", child_threads},
    {"local", "HWLOC_SYNTHETIC",
     "node:1(memory=8GB) l3:1(size=33554432) l2:16(size=49152) core:1 pu:1", child_local},
    {"machine", "TREEFORK_MACHINE", "machines/tiny.json", child_machine},
    {"limit", NULL, NULL, child_limit},
    {"two", "POCL_DEVICES", "basic pthread", child_two},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

static int child(const char *name)
{
    struct test test = { .name = name };
    struct treefork_device *device = NULL;
    for (int i = 0; i < SCENARIOS; i++)
        if (strcmp(scenarios[i].name, name) == 0 &&
            CHECK(&test, treefork_open("opencl", &device) == TREEFORK_OK))
            scenarios[i].run(&test, device);
    treefork_close(device);
    return test.count.failed || !test.count.passed ? 1 : 0;
}

/* Without any driver: a status and a sentence, the default device NULL every time, no crash. */
static int child_none(void)
{
    struct test test = { .name = "none" };
    struct treefork_device *device = NULL;
    setenv("TREEFORK_OPENCL_DRIVER", "libno-such-driver.so", 1);
    setenv("TREEFORK_CUDA_DRIVER", "libno-such-driver.so", 1);
    CHECK(&test, treefork_open(NULL, &device) == TREEFORK_NO_DEVICE && !device);
    CHECK(&test, strstr(treefork_message(), "CUDA") && strstr(treefork_message(), "OpenCL"));
    CHECK(&test,
          !treefork_default() && strstr(treefork_message(), "OpenCL") && !treefork_default());
    CHECK(&test, treefork_devices(NULL) == 0);
    CHECK(&test, treefork_open("opencl", &device) == TREEFORK_NO_DEVICE);
    CHECK(&test, treefork_open("vulkan", &device) == TREEFORK_ARGUMENT &&
                     strstr(treefork_message(), "vulkan"));
    CHECK(&test, treefork_open("opencl:x", &device) == TREEFORK_ARGUMENT &&
                     treefork_open("cuda:-1", &device) == TREEFORK_ARGUMENT);
    CHECK(&test, treefork_host(NULL, NULL, TREEFORK_READ) == TREEFORK_OK &&
                     treefork_release(NULL, NULL) == TREEFORK_OK);
    treefork_close(NULL);
    return test.count.failed > 0;
}

/* A library that is no driver, an OpenCL loader without devices, a broken machine file. */
static int child_broken(void)
{
    struct test test = { .name = "broken" };
    struct treefork_device *device = NULL;
    setenv("TREEFORK_CUDA_DRIVER", "libm.so.6", 1);
    CHECK(&test, treefork_open("cuda", &device) == TREEFORK_NO_DEVICE &&
                     strstr(treefork_message(), "has no cu"));
    setenv("TREEFORK_MACHINE", "machines/README.md", 1);
    CHECK(&test, treefork_open("opencl", &device) == TREEFORK_FILE &&
                     strstr(treefork_message(), "README.md:1:1"));
    unsetenv("TREEFORK_MACHINE");
    setenv("OCL_ICD_VENDORS", "/nonexistent", 1);
    return test.count.failed > 0;
}

static int child_empty(void)
{
    struct test test = { .name = "empty" };
    struct treefork_device *device = NULL;
    CHECK(&test, treefork_open("opencl", &device) == TREEFORK_NO_DEVICE && !device);
    return test.count.failed > 0;
}

/* The default device is closed at exit, with what it still holds. */
static int child_default(void)
{
    struct test test = { .name = "default" };
    struct treefork_device *device = treefork_default();
    CHECK(&test, device && device == treefork_default());
    CHECK(&test, device && launch(device, "local_only", 8, 64) == TREEFORK_OK);
    return test.count.failed > 0;
}

static void listing(struct test *test)
{
    check_test(&test->count);
    char found[20000] = "";
    FILE *out = fmemopen(found, sizeof found, "w");
    int count = treefork_devices(out);
    fclose(out);
    CHECK(test, count >= 1 && strstr(found, "opencl:0") && strstr(found, "shared_words_per_block"));
}

int main(int argc, char **argv)
{
    struct test test = { .name = "runtime_limits" };
    struct treefork_device *device = NULL;
    char folder[512];
    if (argc > 1)
        return strcmp(argv[1], "none") == 0      ? child_none()
               : strcmp(argv[1], "broken") == 0  ? child_broken()
               : strcmp(argv[1], "empty") == 0   ? child_empty()
               : strcmp(argv[1], "default") == 0 ? child_default()
                                                 : child(argv[1]);
    CHECK(&test, test_cache(folder, sizeof folder));
    CHECK(&test, test_child(argv[0], "none", NULL, NULL) == 0);
    if (treefork_open("opencl", &device)) {
        printf("runtime_limits: SKIPPED: %s\n", treefork_message());
        test.count.skipped++;
    } else {
        CHECK(&test, test_child(argv[0], "broken", NULL, NULL) == 0);
        CHECK(&test, test_child(argv[0], "empty", "OCL_ICD_VENDORS", "/nonexistent") == 0);
        CHECK(&test, test_child(argv[0], "default", "TREEFORK_DEVICE", "opencl:0") == 0);
        unsetenv("POCL_CPU_MAX_CU_COUNT");   /* scenarios say how many processors there are */
        unsetenv("POCL_MAX_PTHREAD_COUNT");
        for (int i = 0; i < SCENARIOS; i++) {
            check_test(&test.count);
            if (!CHECK(&test, test_child(argv[0], scenarios[i].name, scenarios[i].variable,
                                         scenarios[i].value) == 0))
                fprintf(stderr, "  scenario %s\n", scenarios[i].name);
        }
        listing(&test);
    }
    treefork_close(device);
    test_cache_end(folder);
    return test_end(&test);
}
