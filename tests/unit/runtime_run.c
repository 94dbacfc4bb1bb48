/* Launches on a real OpenCL device (PoCL where there is no other) with hand-written kernel text:
   copies, bindings, local memory, errors that a program can act on, empty launches, launches in
   flight; once in the host's arrays, where the device shares them, and once on copies
   (TREEFORK_COPY). Limits other than the device's own are in runtime_limits.c. */
#include "tests/unit/runtime_test.h"
#include <pthread.h>

static const char *const text =
    "__kernel void next_row(__global const int *a, __global int *b, int n) {\n"
    "    for (int i = get_global_id(0); i < n; i += get_global_size(0)) b[i] = a[i] + 1;\n"
    "}\n"
    "__kernel void scale(__global int *a, int n, int s) {\n"
    "#ifdef TREEFORK_BIND_s\n"
    "#define s TREEFORK_BIND_s\n"
    "#endif\n"
    "    for (int i = get_global_id(0); i < n; i += get_global_size(0)) a[i] = a[i] * (s);\n"
    "#undef s\n"
    "}\n"
    "__kernel void reverse(__global int *a, int n, __local int *tile) {\n"
    "    int t = get_local_id(0), w = get_local_size(0);\n"
    "    for (int b = get_group_id(0); b < n / w; b += get_num_groups(0)) {\n"
    "        tile[t] = a[b * w + t];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        a[b * w + t] = tile[w - 1 - t];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "}\n"
    "__kernel void shape(__global int *a) {\n"
    "#ifdef TREEFORK_PLANE\n"
    "    bool plane = true;\n"
    "#else\n"
    "    bool plane = false;\n"
    "#endif\n"
    "    if (get_group_id(0) == 0 && get_group_id(1) == 0 && get_local_id(0) == 0 && "
    "get_local_id(1) == 0) {\n"
    "        a[0] = plane; a[1] = get_num_groups(0); a[2] = get_num_groups(1);\n"
    "        a[3] = get_local_size(0); a[4] = get_local_size(1);\n"
    "    }\n"
    "}\n"
    "#ifdef TREEFORK_ROWS\n"
    "__attribute__((reqd_work_group_size(1, 1, 1)))\n"
    "#endif\n"
    "__kernel void rows(__global int *a, int threads) {\n"
    "#ifdef TREEFORK_ROWS\n"
    "    for (int t = 0; t < threads; t++) {\n"
    "        int row = t;\n"
    "#else\n"
    "    {\n"
    "        int row = get_local_id(1) * get_local_size(0) + get_local_id(0);\n"
    "#endif\n"
    "        int block = get_group_id(1) * get_num_groups(0) + get_group_id(0);\n"
    "        a[block * threads + row] = get_local_size(0) * get_local_size(1);\n"
    "    }\n"
    "}\n"
    "__kernel void types(__global double *out, char c, uchar uc, short h, ushort uh, int i, uint "
    "u, long l, ulong ul,\n"
    "                    float f, double d) {\n"
    "    out[0] = c; out[1] = uc; out[2] = h; out[3] = uh; out[4] = i; out[5] = u; out[6] = l; "
    "out[7] = ul;\n"
    "    out[8] = f; out[9] = d;\n"
    "}\n"
    "__kernel void late(__global const int *a, __global int *b, int n, int rounds) {\n"
    "    uint x = (uint)rounds;\n"
    "    for (int i = 0; i < rounds; i++) x = x * 1664525u + 1013904223u;\n"
    "    for (int i = get_global_id(0); i < n; i += get_global_size(0)) b[i] = a[i] + 1 + (x == "
    "12345u);\n"
    "}\n";

/* Kernels work in the host's arrays: nothing is copied. */
static bool shares;

static uint64_t copied(uint64_t count)
{
    return shares ? 0 : count;
}

static struct treefork_module module_of(const char *opencl)
{
    return (struct treefork_module){.name = "test", .opencl = opencl};
}

static struct treefork_argument integer(int64_t value)
{
    return (struct treefork_argument){.type = TREEFORK_I32, .value.i = value};
}

static struct treefork_argument buffer(struct treefork_device *device, const void *host,
                                       size_t bytes, unsigned access)
{
    struct treefork_argument argument = {.type = TREEFORK_BUFFER};
    if (treefork_use(device, host, bytes, access, &argument.value.buffer))
        fprintf(stderr, "treefork_use: %s\n", treefork_message());
    return argument;
}

static int step(struct treefork_device *device, const int *a, int *b, int n)
{
    struct treefork_module module = module_of(text);
    struct treefork_argument arguments[] = {
        buffer(device, a, (size_t)n * sizeof *a, TREEFORK_READ),
        buffer(device, b, (size_t)n * sizeof *b, TREEFORK_WRITE), integer(n)};
    struct treefork_launch launch = {.module = &module,
                                     .kernel = "next_row",
                                     .blocks = 4,
                                     .threads = 16,
                                     .n_arguments = 3,
                                     .arguments = arguments};
    return treefork_run(device, &launch);
}

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

/* An outer loop of 100 launches copies each array once in and the result once out. */
static void copies(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    enum { N = 1000, ROUNDS = 100 };
    int a[N], b[N], wrong = 0;
    for (int i = 0; i < N; i++)
        a[i] = b[i] = i;
    struct treefork_statistics before = treefork_statistics(device);
    for (int t = 0; t < ROUNDS; t++)
        CHECK(test, step(device, t % 2 ? b : a, t % 2 ? a : b, N) == TREEFORK_OK);
    CHECK(test, treefork_host(device, a, TREEFORK_READ) == TREEFORK_OK);
    struct treefork_statistics after = treefork_statistics(device);
    CHECK(test, after.launches - before.launches == ROUNDS);
    CHECK(test, after.copies_to_device - before.copies_to_device == copied(2));
    CHECK(test, after.copies_to_host - before.copies_to_host == copied(1));
    CHECK(test, after.bytes_to_host - before.bytes_to_host == copied(sizeof a));
    for (int i = 0; i < N; i++)
        wrong += a[i] != i + ROUNDS;
    CHECK(test, wrong == 0);
    CHECK(test,
          treefork_release(device, a) == TREEFORK_OK && treefork_release(device, b) == TREEFORK_OK);
    CHECK(test, b[5] == 5 + ROUNDS - 1);
}

/* What is overwritten is not copied in; what it was before comes back only where the launch did not
   happen. A shorter range leaves the rest of a longer buffer alone. */
static void overwritten(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    enum { N = 64, ALL = TREEFORK_WRITE | TREEFORK_OVERWRITE };
    int a[N], b[2 * N], wrong = 0;
    uint64_t handle;
    for (int i = 0; i < 2 * N; i++)
        a[i % N] = b[i] = i;
    struct treefork_statistics before = treefork_statistics(device);
    CHECK(test, treefork_use(device, b, sizeof a, ALL, &handle) == TREEFORK_OK);
    CHECK(test, treefork_host(device, NULL, TREEFORK_READ) == TREEFORK_OK && b[5] == 5);
    struct treefork_module module = module_of(text);
    struct treefork_argument arguments[] = {buffer(device, a, sizeof a, TREEFORK_READ),
                                            buffer(device, b, sizeof a, ALL), integer(N)};
    struct treefork_launch launch = {.module = &module,
                                     .kernel = "next_row",
                                     .blocks = 4,
                                     .threads = 16,
                                     .n_arguments = 3,
                                     .arguments = arguments};
    CHECK(test, treefork_run(device, &launch) == TREEFORK_OK);
    CHECK(test,
          treefork_statistics(device).bytes_to_device - before.bytes_to_device == copied(sizeof a));
    CHECK(test, treefork_host(device, b, TREEFORK_READ) == TREEFORK_OK);
    for (int i = 0; i < N; i++)
        wrong += b[i] != a[i] + 1;
    CHECK(test, wrong == 0 && b[N] == N);
    b[N] = 7;
    CHECK(test, treefork_release(device, b) == TREEFORK_OK);
    buffer(device, b, sizeof b, TREEFORK_READ | TREEFORK_WRITE);
    arguments[1] = buffer(device, b, sizeof a, ALL);
    CHECK(test, treefork_run(device, &launch) == TREEFORK_OK);
    CHECK(test,
          treefork_release(device, NULL) == TREEFORK_OK && b[N - 1] == a[N - 1] + 1 && b[N] == 7);
    CHECK(test, treefork_use(device, b, sizeof b, TREEFORK_READ | TREEFORK_OVERWRITE, &handle) ==
                    TREEFORK_ARGUMENT);
}

/* Host code between launches: the copy goes again, and only then. */
static void host_touch(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    int a[64] = {0}, b[64] = {0};
    CHECK(test, step(device, a, b, 64) == TREEFORK_OK);
    CHECK(test, treefork_host(device, b, TREEFORK_READ) == TREEFORK_OK && b[63] == 1);
    uint64_t before = treefork_statistics(device).copies_to_device;
    CHECK(test, step(device, a, b, 64) == TREEFORK_OK &&
                    treefork_statistics(device).copies_to_device == before);
    CHECK(test, treefork_host(device, a, TREEFORK_READ | TREEFORK_WRITE) == TREEFORK_OK);
    a[3] = 41;
    CHECK(test, step(device, a, b, 64) == TREEFORK_OK &&
                    treefork_statistics(device).copies_to_device == before + copied(1));
    CHECK(test, treefork_host(device, NULL, TREEFORK_READ | TREEFORK_WRITE) == TREEFORK_OK &&
                    b[3] == 42 && b[4] == 1);
    CHECK(test, treefork_release(device, NULL) == TREEFORK_OK);
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

/* Larger use of the same pointer, smaller use after the array shrank, ranges that overlap at
 * different pointers. */
static void ranges(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    int a[100], b[100] = {0};
    for (int i = 0; i < 100; i++)
        a[i] = i;
    CHECK(test, step(device, a, b, 10) == TREEFORK_OK && step(device, a, b, 100) == TREEFORK_OK);
    CHECK(test, treefork_host(device, b, TREEFORK_READ | TREEFORK_WRITE) == TREEFORK_OK &&
                    b[9] == 10 && b[99] == 100);
    uint64_t bytes = treefork_statistics(device).bytes_to_device;
    CHECK(test, step(device, a, b, 20) == TREEFORK_OK);
    CHECK(test, treefork_statistics(device).bytes_to_device - bytes == copied(20 * sizeof *b));
    CHECK(test, step(device, b + 5, a, 10) ==
                    TREEFORK_OK); /* b[5..14], newer on the device under another pointer */
    CHECK(test, treefork_host(device, a, TREEFORK_READ) == TREEFORK_OK && a[0] == 7 && a[9] == 16);
    CHECK(test, step(device, a + 1, b + 15, 5) ==
                    TREEFORK_OK); /* writes b[15..19]; the copy of b is stale then */
    CHECK(test, treefork_host(device, b, TREEFORK_READ) == TREEFORK_OK && b[15] == a[1] + 1 &&
                    b[14] == 15 && b[19] == a[5] + 1);
    CHECK(test, step(device, b, a, 20) == TREEFORK_OK);
    CHECK(test, treefork_host(device, a, TREEFORK_READ) == TREEFORK_OK && a[15] == b[15] + 1);
    CHECK(test,
          step(device, a, a + 5, 20) == TREEFORK_ARGUMENT && strstr(treefork_message(), "overlap"));
    CHECK(test, step(device, a, a, 20) == TREEFORK_ARGUMENT);
    CHECK(test, treefork_release(device, NULL) == TREEFORK_OK);
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

/* A launch that takes some milliseconds; the kernel has run before, so that nobody waits for it. */
static int late(struct treefork_device *device, const int *a, int *b, int n, int rounds)
{
    struct treefork_module module = module_of(text);
    struct treefork_argument arguments[] = {
        buffer(device, a, (size_t)n * sizeof *a, TREEFORK_READ),
        buffer(device, b, (size_t)n * sizeof *b, TREEFORK_WRITE), integer(n), integer(rounds)};
    struct treefork_launch launch = {.module = &module,
                                     .kernel = "late",
                                     .blocks = 1,
                                     .threads = 1,
                                     .n_arguments = 4,
                                     .arguments = arguments};
    return treefork_run(device, &launch);
}

/* The host may write, free or end an array that a launch in flight works in as soon as the runtime
   says so, and not before: by treefork_host, treefork_release, treefork_discard. Arrays begin at
   any address. */
static void in_flight(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    enum { N = 8, ROUNDS = 20000000 };
    _Alignas(16) int a[N + 1], b[N], c[N];
    for (int shift = 0; shift < 2; shift++) {
        int *from = a + shift;
        for (int i = 0; i <= N; i++)
            a[i] = i;
        CHECK(test, late(device, from, b, N, 1) == TREEFORK_OK &&
                        late(device, from, b, N, ROUNDS) == TREEFORK_OK);
        CHECK(test, treefork_host(device, from, TREEFORK_READ | TREEFORK_WRITE) == TREEFORK_OK);
        memset(a, 0, sizeof a);
        CHECK(test,
              treefork_host(device, b, TREEFORK_READ) == TREEFORK_OK && b[N - 1] == N + shift);
        CHECK(test, late(device, b, c, N, ROUNDS) == TREEFORK_OK &&
                        treefork_release(device, b) == TREEFORK_OK);
        memset(b, 0, sizeof b);
        CHECK(test, treefork_release(device, c) == TREEFORK_OK && c[N - 1] == N + 1 + shift);
        CHECK(test, late(device, c, b, N, ROUNDS) == TREEFORK_OK);
        treefork_discard(device, c, sizeof c);
        memset(c, 0, sizeof c);
        CHECK(test, treefork_wait(device) == TREEFORK_OK);
        CHECK(test, treefork_host(device, NULL, TREEFORK_READ | TREEFORK_WRITE) == TREEFORK_OK &&
                        b[N - 1] == N + 2 + shift);
        CHECK(test, late(device, b, c, N / 2, ROUNDS) == TREEFORK_OK);
        buffer(device, c, sizeof c,
               TREEFORK_READ); /* longer than the range that is being written */
        CHECK(test, treefork_host(device, c, TREEFORK_READ) == TREEFORK_OK &&
                        c[N / 2 - 1] == b[N / 2 - 1] + 1 && c[N - 1] == 0);
        CHECK(test, treefork_release(device, NULL) == TREEFORK_OK);
    }
}

/* What kernels do not work in although the device shares: arrays at odd addresses, and in checked
   builds all, whose pattern for what is overwritten the host does not see. */
static void unshared(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    enum { N = 16 };
    _Alignas(16) int a[N + 1] = {0}, b[N] = {0}, c[N];
    uint64_t handle, before = treefork_statistics(device).copies_to_device;
    CHECK(test, step(device, a + 1, b, N) == TREEFORK_OK &&
                    treefork_release(device, NULL) == TREEFORK_OK && b[N - 1] == 1);
    CHECK(test, treefork_statistics(device).copies_to_device == before + (shares ? 1 : 2));
    for (int i = 0; i < N; i++)
        b[i] = c[i] = i;
    CHECK(test,
          step(device, a, b, N) == TREEFORK_OK &&
              treefork_use_checked(device, b, sizeof b, TREEFORK_READ, &handle) == TREEFORK_OK);
    CHECK(test, treefork_use_checked(device, c, sizeof c, TREEFORK_WRITE | TREEFORK_OVERWRITE,
                                     &handle) == TREEFORK_OK);
    CHECK(test, treefork_host(device, NULL, TREEFORK_READ | TREEFORK_WRITE) == TREEFORK_OK &&
                    b[3] == 1 && c[3] == 3);
    CHECK(test, treefork_release(device, NULL) == TREEFORK_OK);
}

/* More launches than a driver is given at once. */
static void many(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    int a[20] = {0}, b[20] = {0};
    for (int t = 0; t < 1500; t++)
        CHECK(test, step(device, t % 2 ? b : a, t % 2 ? a : b, 20) == TREEFORK_OK);
    CHECK(test, treefork_release(device, NULL) == TREEFORK_OK && a[19] == 1500 && b[0] == 1499);
}

static unsigned random_next(unsigned *seed, unsigned limit)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 16) % limit;
}

/* Pieces whose ranges overlap as the runtime knows them are refused; the host computes them then,
 * as the serial code would. */
static int piece_step(struct treefork_device *device, const int *from, int *to, int n)
{
    int status = step(device, from, to, n);
    if (status != TREEFORK_ARGUMENT)
        return status;
    status = treefork_host(device, NULL, TREEFORK_READ | TREEFORK_WRITE);
    for (int i = 0; i < n; i++)
        to[i] = from[i] + 1;
    return status;
}

/* Random launches on pieces of one array, which overlap, with host code between them, against the
 * same on the host. */
static void pieces(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    enum { N = 64, STEPS = 1500, LONGEST = 16 };
    _Alignas(16) int a[N], want[N];
    unsigned seed = 20261123;
    int wrong = 0;
    for (int i = 0; i < N; i++)
        a[i] = want[i] = i;
    for (int t = 0; t < STEPS; t++) {
        int n = (int)random_next(&seed, LONGEST) + 1;
        int from = (int)random_next(&seed, N - 2 * LONGEST + 1),
            to = from + n + (int)random_next(&seed, LONGEST - (unsigned)n + 1);
        bool is_backward = random_next(&seed, 2);
        int in = is_backward ? to : from, out = is_backward ? from : to;
        wrong += piece_step(device, a + in, a + out, n) != TREEFORK_OK;
        for (int i = 0; i < n; i++)
            want[out + i] = want[in + i] + 1;
        if (random_next(&seed, 7) == 0) {
            wrong += treefork_host(device, a + out, TREEFORK_READ) != TREEFORK_OK;
            wrong += memcmp(a + out, want + out, (size_t)n * sizeof *a) != 0;
        }
        if (random_next(&seed, 11) == 0) {
            wrong += treefork_host(device, NULL, TREEFORK_READ | TREEFORK_WRITE) != TREEFORK_OK;
            wrong += memcmp(a, want, sizeof a) != 0;
            for (int i = 0; i < N; i += 5)
                a[i] = want[i] = t;
        }
        if (random_next(&seed, 13) == 0)
            wrong += treefork_release(device, a + in) != TREEFORK_OK;
    }
    CHECK(test, treefork_release(device, NULL) == TREEFORK_OK && wrong == 0 &&
                    memcmp(a, want, sizeof a) == 0);
}

struct worker {
    struct treefork_device *device;
    int wrong;
};

/* Each call is safe under the device's mutex; two threads with arrays of their own do not disturb
   each other. The message belongs to the thread. */
static void *work(void *state)
{
    struct worker *worker = state;
    int a[500] = {0}, b[500] = {0};
    for (int t = 0; t < 20; t++)
        worker->wrong += step(worker->device, t % 2 ? b : a, t % 2 ? a : b, 500) != TREEFORK_OK;
    worker->wrong +=
        treefork_host(worker->device, a, TREEFORK_READ | TREEFORK_WRITE) != TREEFORK_OK;
    worker->wrong +=
        treefork_host(worker->device, b, TREEFORK_READ | TREEFORK_WRITE) != TREEFORK_OK;
    worker->wrong += a[499] != 20 || b[0] != 19 || treefork_message()[0] != '\0';
    worker->wrong += treefork_release(worker->device, a) || treefork_release(worker->device, b);
    return NULL;
}

static void threads(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    struct worker workers[3];
    pthread_t ids[3];
    for (int i = 0; i < 3; i++) {
        workers[i] = (struct worker){.device = device};
        CHECK(test, pthread_create(&ids[i], NULL, work, &workers[i]) == 0);
    }
    for (int i = 0; i < 3; i++)
        CHECK(test, pthread_join(ids[i], NULL) == 0 && workers[i].wrong == 0);
}

/* A CPU that PoCL drives shares its memory unless it is told not to. */
static bool device_shares(struct test *test, struct treefork_device *device, bool may_share)
{
    int a[4] = {0}, b[4] = {0};
    CHECK(test, step(device, a, b, 4) == TREEFORK_OK &&
                    treefork_release(device, NULL) == TREEFORK_OK && b[3] == 1);
    bool copies = treefork_statistics(device).copies_to_device > 0;
    bool is_pocl = strncmp(treefork_device_name(device), "pthread", 7) == 0;
    CHECK(test, may_share || copies);
    CHECK(test, !may_share || !is_pocl || !copies);
    return !copies;
}

static void run(struct test *test, bool may_share)
{
    struct treefork_device *device = NULL;
    setenv("TREEFORK_COPY", may_share ? "0" : "1", 1);
    if (treefork_open("opencl", &device)) {
        printf("runtime_run: SKIPPED: %s\n", treefork_message());
        test->count.skipped++;
        return;
    }
    CHECK(test,
          strcmp(treefork_device_kind(device), "opencl") == 0 && treefork_device_name(device)[0]);
    shares = device_shares(test, device, may_share);
    shapes(test, device);
    rows(test, device);
    copies(test, device);
    overwritten(test, device);
    host_touch(test, device);
    bindings(test, device);
    local_memory(test, device);
    scalar_types(test, device);
    ranges(test, device);
    errors(test, device);
    grids(test, device);
    in_flight(test, device);
    unshared(test, device);
    many(test, device);
    pieces(test, device);
    threads(test, device);
    treefork_close(device);
}

int main(void)
{
    struct test test = {.name = "runtime_run"};
    char folder[512];
    CHECK(&test, test_cache(folder, sizeof folder));
    run(&test, true);
    run(&test, false);
    test_cache_end(folder);
    return test_end(&test);
}
