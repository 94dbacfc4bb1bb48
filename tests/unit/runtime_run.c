/* Launches on a real OpenCL device: shapes of grid and block, values bound, local memory, types of
   arguments, errors that a program can act on, empty launches. Arrays are in runtime_arrays.c,
   launches that nobody waits for in runtime_flight.c, limits other than the device's own in
   runtime_limits.c. */
#include "tests/unit/runtime_opencl.h"

/* With widths a launch has exactly its blocks, in rows; without, or with more work items than 31
 * bits count, a line. */
static void shapes(struct test *test, struct treefork_device *device)
{
    static const struct shape {
        int64_t blocks, grid_width, threads, block_width;
        int expected[5]; /* plane?, groups, threads */
    } rows[] = {
        {12, 3, 8, 4, {1, 3, 4, 4, 2}},
        {12, 12, 8, 0, {1, 12, 1, 8, 1}},
        {12, 0, 8, 0, {0, 12, 1, 8, 1}},
        {(INT64_C(1) << 31) / 128, 1 << 12, 128, 16, {0, INT32_MAX / 128, 1, 128, 1}},
    };
    struct treefork_module module = module_of(text);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int a[5] = {0};
        check_test(&test->count);
        struct treefork_argument argument = buffer(device, a, sizeof a, TREEFORK_WRITE);
        struct treefork_launch launch = {.module = &module,
                                         .kernel = "shape",
                                         .n_arguments = 1,
                                         .arguments = &argument,
                                         .blocks = rows[i].blocks,
                                         .grid_width = rows[i].grid_width,
                                         .threads = rows[i].threads,
                                         .block_width = rows[i].block_width};
        CHECK(test, treefork_run(device, &launch) == TREEFORK_OK);
        CHECK(test, treefork_release(device, a) == TREEFORK_OK);
        CHECK(test, memcmp(a, rows[i].expected, sizeof a) == 0);
    }
}

/* A text that does a block's work by one thread on CPU devices gets one, whatever block was asked
 * for. */
static void rows(struct test *test, struct treefork_device *device)
{
    enum { BLOCKS = 6, THREADS = 20 };
    int a[BLOCKS * THREADS] = {0};
    bool is_cpu = treefork_device_machine(device)->value[TREEFORK_W_B] == 1;
    struct treefork_module module = module_of(text);
    struct treefork_argument arguments[] = {buffer(device, a, sizeof a, TREEFORK_WRITE),
                                            integer(THREADS)};
    struct treefork_launch launch = {.module = &module,
                                     .kernel = "rows",
                                     .n_arguments = 2,
                                     .arguments = arguments,
                                     .blocks = BLOCKS,
                                     .grid_width = 3,
                                     .threads = THREADS,
                                     .block_width = 5};
    check_test(&test->count);
    for (int i = 0; i < 2; i++)
        CHECK(test, treefork_run(device, &launch) == TREEFORK_OK);
    CHECK(test, treefork_release(device, a) == TREEFORK_OK);
    for (int i = 0; i < BLOCKS * THREADS; i++)
        CHECK(test, a[i] == (is_cpu ? 1 : THREADS));
}

static int scale(struct treefork_device *device, int *a, int n, int s,
                 const struct treefork_binding *bindings, size_t count)
{
    struct treefork_module module = module_of(text);
    struct treefork_argument arguments[] = {
        buffer(device, a, (size_t)n * sizeof *a, TREEFORK_READ | TREEFORK_WRITE), integer(n),
        integer(s)};
    struct treefork_launch launch = {.module = &module,
                                     .kernel = "scale",
                                     .blocks = 2,
                                     .threads = 8,
                                     .n_arguments = 3,
                                     .arguments = arguments,
                                     .n_bindings = count,
                                     .bindings = bindings};
    int status = treefork_run(device, &launch);
    return status ? status : treefork_host(device, a, TREEFORK_READ | TREEFORK_WRITE);
}

/* A bound value wins over the argument; each set of values is built once; a text is known by
 * contents, not address. */
static void bindings(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    int a[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    struct treefork_binding three = {"s", 3}, five = {"s", 5};
    CHECK(test, scale(device, a, 10, 2, NULL, 0) == TREEFORK_OK && a[9] == 2);
    uint64_t builds = treefork_statistics(device).builds;
    CHECK(test, scale(device, a, 10, 7, &three, 1) == TREEFORK_OK && a[9] == 6);
    CHECK(test, scale(device, a, 10, 7, &five, 1) == TREEFORK_OK && a[9] == 30);
    CHECK(test, treefork_statistics(device).builds == builds + 2);
    CHECK(test, scale(device, a, 10, 7, &three, 1) == TREEFORK_OK && a[9] == 90);
    CHECK(test, treefork_statistics(device).builds == builds + 2);
    char changing[200] = "__kernel void k(__global int *a) { a[0] = 1; }";
    struct treefork_module module = module_of(changing);
    struct treefork_argument argument = buffer(device, a, sizeof a, TREEFORK_WRITE);
    struct treefork_launch launch = {.module = &module,
                                     .kernel = "k",
                                     .blocks = 1,
                                     .threads = 1,
                                     .n_arguments = 1,
                                     .arguments = &argument};
    CHECK(test, treefork_run(device, &launch) == TREEFORK_OK);
    *strchr(changing, '1') = '2';
    CHECK(test, treefork_run(device, &launch) == TREEFORK_OK);
    CHECK(test, treefork_release(device, a) == TREEFORK_OK && a[0] == 2 && a[1] == 90);
}

static void local_memory(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    enum { N = 96, W = 32 };
    int a[N], wrong = 0;
    for (int i = 0; i < N; i++)
        a[i] = i;
    struct treefork_module module = module_of(text);
    struct treefork_argument arguments[] = {
        buffer(device, a, sizeof a, TREEFORK_READ | TREEFORK_WRITE), integer(N)};
    struct treefork_launch launch = {.module = &module,
                                     .kernel = "reverse",
                                     .blocks = 2,
                                     .threads = W,
                                     .shared_bytes = W * sizeof(int),
                                     .n_arguments = 2,
                                     .arguments = arguments};
    CHECK(test, treefork_run(device, &launch) == TREEFORK_OK);
    CHECK(test, treefork_release(device, a) == TREEFORK_OK);
    for (int i = 0; i < N; i++)
        wrong += a[i] != i / W * W + W - 1 - i % W;
    CHECK(test, wrong == 0);
}

static void scalar_types(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    double out[10] = {0},
           want[10] = {-5, 250, -300, 65000, -70000, 4000000000.0, -9e15, 9e18, 0.5f, 0.1};
    struct treefork_argument arguments[] = {buffer(device, out, sizeof out, TREEFORK_WRITE),
                                            {TREEFORK_I8, {.i = -5}},
                                            {TREEFORK_U8, {.u = 250}},
                                            {TREEFORK_I16, {.i = -300}},
                                            {TREEFORK_U16, {.u = 65000}},
                                            {TREEFORK_I32, {.i = -70000}},
                                            {TREEFORK_U32, {.u = 4000000000u}},
                                            {TREEFORK_I64, {.i = -9000000000000000}},
                                            {TREEFORK_U64, {.u = 9000000000000000000u}},
                                            {TREEFORK_F32, {.f = 0.5}},
                                            {TREEFORK_F64, {.f = 0.1}}};
    struct treefork_module module = module_of(text);
    struct treefork_launch launch = {.module = &module,
                                     .kernel = "types",
                                     .blocks = 1,
                                     .threads = 1,
                                     .n_arguments = 11,
                                     .arguments = arguments};
    CHECK(test, treefork_run(device, &launch) == TREEFORK_OK);
    CHECK(test, treefork_release(device, out) == TREEFORK_OK);
    for (int i = 0; i < 10; i++)
        CHECK(test, out[i] == want[i]);
}

/* Every failure is a status with a text that names what is wrong; the device still works
 * afterwards. */
static void errors(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    int a[4] = {0};
    struct treefork_module good = module_of(text),
                           bad = module_of("__kernel void k( { this is no C"),
                           none = {.name = "none"};
    struct treefork_argument arguments[] = {
        buffer(device, a, sizeof a, TREEFORK_READ | TREEFORK_WRITE), integer(4), integer(1)};
    struct treefork_launch launch = {.module = &bad,
                                     .kernel = "k",
                                     .blocks = 1,
                                     .threads = 1,
                                     .n_arguments = 3,
                                     .arguments = arguments};
    CHECK(test,
          treefork_run(device, &launch) == TREEFORK_BUILD && strstr(treefork_message(), "error"));
    launch.module = &none;
    CHECK(test,
          treefork_run(device, &launch) == TREEFORK_BUILD && strstr(treefork_message(), "none"));
    launch.module = &good;
    launch.kernel = "missing";
    CHECK(test,
          treefork_run(device, &launch) == TREEFORK_BUILD && strstr(treefork_message(), "missing"));
    launch.kernel = "scale";
    launch.n_arguments = 1;
    CHECK(test, treefork_run(device, &launch) == TREEFORK_ARGUMENT &&
                    strstr(treefork_message(), "has 3 arguments"));
    launch.n_arguments = 3;
    launch.shared_bytes = 64;
    CHECK(test, treefork_run(device, &launch) == TREEFORK_ARGUMENT);
    launch.shared_bytes = -1;
    CHECK(test, treefork_run(device, &launch) == TREEFORK_ARGUMENT);
    launch.shared_bytes = 0;
    launch.threads = 0;
    CHECK(test, treefork_run(device, &launch) == TREEFORK_ARGUMENT);
    launch.threads = treefork_device_machine(device)->value[TREEFORK_T_B] + 1;
    CHECK(test, treefork_run(device, &launch) == TREEFORK_LAUNCH &&
                    strstr(treefork_message(), "threads per block"));
    launch.threads = 1;
    arguments[0].value.buffer += 4000;
    CHECK(test, treefork_run(device, &launch) == TREEFORK_ARGUMENT &&
                    strstr(treefork_message(), "no buffer"));
    arguments[0].value.buffer -= 4000;
    CHECK(test, treefork_run(device, &launch) == TREEFORK_OK);
    uint64_t handle;
    CHECK(test, treefork_use(device, NULL, 8, TREEFORK_READ, &handle) == TREEFORK_ARGUMENT);
    CHECK(test,
          treefork_use(device, NULL, 0, TREEFORK_READ, &handle) == TREEFORK_OK && handle == 0);
    CHECK(test, treefork_use(device, a, 8, 0, &handle) == TREEFORK_ARGUMENT);
    CHECK(test, treefork_use(device, a, SIZE_MAX, TREEFORK_READ, &handle) == TREEFORK_MEMORY);
    CHECK(test, treefork_release(device, NULL) == TREEFORK_OK);
}

/* Nothing to do is no error and builds nothing; more blocks than any grid are strided over. */
static void grids(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    int a[33] = {0}, b[33] = {0};
    struct treefork_module module = module_of(text);
    struct treefork_argument arguments[] = {buffer(device, a, sizeof a, TREEFORK_READ),
                                            buffer(device, b, sizeof b, TREEFORK_WRITE),
                                            integer(33)};
    struct treefork_launch launch = {.module = &module,
                                     .kernel = "next_row",
                                     .blocks = 0,
                                     .threads = 0,
                                     .n_arguments = 3,
                                     .arguments = arguments};
    struct treefork_statistics before = treefork_statistics(device);
    CHECK(test, treefork_run(device, &launch) == TREEFORK_OK);
    struct treefork_statistics after = treefork_statistics(device);
    CHECK(test, after.launches == before.launches && after.builds == before.builds);
    launch.blocks = -1;
    launch.threads = 1;
    CHECK(test, treefork_run(device, &launch) == TREEFORK_ARGUMENT);
    launch.blocks = 1;
    CHECK(test, treefork_run(device, &launch) == TREEFORK_OK);
    CHECK(test, treefork_release(device, NULL) == TREEFORK_OK && b[32] == 1 && b[0] == 1);
}

static void cases(struct test *test, struct treefork_device *device)
{
    shapes(test, device);
    rows(test, device);
    bindings(test, device);
    local_memory(test, device);
    scalar_types(test, device);
    errors(test, device);
    grids(test, device);
}

int main(void)
{
    return opencl_main("runtime_run", cases);
}
