/* The CUDA path of the runtime without a GPU: against the simulated driver, which accounts for
   every handle, checks limits and argument layout and runs the kernels' IR on the CPU. NVRTC
   compiles for real where it is installed; PTX is assembled for real where ptxas or nvJitLink is.
   Every case is a child process, since drivers read their environment once; whatever a case leaves
   allocated in the driver is a failure. Results are those of a simulated driver, not of a device.
   One file: all cases share the kernel, its image and the child that runs a case. */
#include "runtime/tables.h"
#include "tests/unit/runtime_test.h"

/* The kernels' meaning, as `treefork -d leaves` prints it. */
static const char *const ir =
    "// leaf 1\n"
    "kernel axpy {\n"
    "    ring n, s, B;\n"
    "    param data size long n >= 1;\n"
    "    param program tunable int s >= 1;\n"
    "    param program tunable int B >= 1;\n"
    "    param data value double alpha;\n"
    "    global const restrict double x[n];\n"
    "    global restrict double y[n];\n"
    "    grid long i < (n + s * B - 1) / (s * B);\n"
    "    block int j < B;\n"
    "    body {\n"
    "        band (int j1 < B) {\n"
    "            for (int k = 0; k < s; k += 1) {\n"
    "                let long p = (i * s + k) * B + j1;\n"
    "                if (p < n) {\n"
    "                    y[p] = alpha * x[p] + y[p];\n"
    "                }\n"
    "            }\n"
    "        }\n"
    "    }\n"
    "}\n"
    "// leaf 2\n"
    "kernel shift {\n"
    "    ring N, B;\n"
    "    param data size int N >= 1;\n"
    "    param program tunable int B >= 1;\n"
    "    global int a[N];\n"
    "    shared int sa[B] at 0;\n"
    "    shared_bytes 4 * B;\n"
    "    grid int i < N / B;\n"
    "    block int j < B;\n"
    "    body {\n"
    "        strided band (int q < B) {\n"
    "            sa[q] = a[i * B + q];\n"
    "        }\n"
    "        barrier;\n"
    "        band (int j2 < B) {\n"
    "            a[i * B + j2] = sa[B - 1 - j2];\n"
    "        }\n"
    "        barrier;\n"
    "    }\n"
    "}\n";

static const char *const cuda =
    "extern \"C\" __global__ void axpy_1(long long n, int s_, int B, double alpha, const double "
    "*x, double *y) {\n"
    "#ifdef TREEFORK_BIND_s\n"
    "    const int s = TREEFORK_BIND_s;\n"
    "#else\n"
    "    const int s = s_;\n"
    "#endif\n"
    "    for (long long b = blockIdx.x; b < (n + s * B - 1) / (s * B); b += gridDim.x)\n"
    "        for (int k = 0; k < s; k++) {\n"
    "            long long p = (b * s + k) * B + threadIdx.x;\n"
    "            if (p < n) y[p] = alpha * x[p] + y[p];\n"
    "        }\n"
    "}\n"
    "extern __shared__ int tile[];\n"
    "extern \"C\" __global__ void shift_2(int N, int B, int *a) {\n"
    "    for (int b = blockIdx.x; b < N / B; b += gridDim.x) {\n"
    "        for (int q = threadIdx.x; q < B; q += blockDim.x) tile[q] = a[b * B + q];\n"
    "        __syncthreads();\n"
    "        a[b * B + threadIdx.x] = tile[B - 1 - threadIdx.x];\n"
    "        __syncthreads();\n"
    "    }\n"
    "}\n";

/* PTX without bodies: the simulated driver runs the IR; what is tested is which text and entry is
   chosen, that it assembles, and its layout. The text for sm_60 declares too narrow a parameter and
   the one for sm_90 is none: neither may be taken on a device between them. */
#define HEAD(target) ".version 6.3\n.target sm_" #target "\n.address_size 64\n"
#define AXPY(name, first)                                                                          \
    ".visible .entry " name "(.param " first                                                       \
    " p0, .param .u32 p1, .param .u32 p2, .param .f64 p3,\n"                                       \
    "    .param .u64 p4, .param .u64 p5)\n{\n    ret;\n}\n"
#define SHIFT(name)                                                                                \
    ".visible .entry " name "(.param .u32 p0, .param .u32 p1, .param .u64 p2)\n{\n    ret;\n}\n"
static const char ptx_60[] = HEAD(60) AXPY("axpy_1", ".u32");
static const char ptx_70[] =
    HEAD(70) AXPY("axpy_1", ".u64") AXPY("axpy_1__s_2", ".u64") SHIFT("shift_2__B_32__u_1");
static const struct treefork_ptx ptx[] = {{ptx_60, 60, ""},
                                          {ptx_70, 70, ""},
                                          {ptx_70, 70, "s=2"},
                                          {ptx_70, 70, "B=32,u=1"},
                                          {"no PTX", 90, ""}};

static struct treefork_module module_of(bool with_cuda)
{
    return (struct treefork_module){
        .name = "cuda", .cuda = with_cuda ? cuda : NULL, .n_ptx = 5, .ptx = ptx};
}

static struct treefork_argument number(enum treefork_type type, int64_t i, double f)
{
    struct treefork_argument argument = { .type = type };
    if (type == TREEFORK_F64)
        argument.value.f = f;
    else
        argument.value.i = i;
    return argument;
}

static int use(struct treefork_device *device, const void *host, size_t bytes, unsigned access,
               struct treefork_argument *argument)
{
    argument->type = TREEFORK_BUFFER;
    return treefork_use(device, host, bytes, access, &argument->value.buffer);
}

static int axpy(struct treefork_device *device, int64_t n, int s, const double *x, double *y)
{
    struct treefork_module module = module_of(true);
    struct treefork_argument arguments[] = {number(TREEFORK_I64, n, 0),
                                            number(TREEFORK_I32, s, 0),
                                            number(TREEFORK_I32, 32, 0),
                                            number(TREEFORK_F64, 0, 0.5),
                                            {0},
                                            {0}};
    struct treefork_binding bindings[] = { { "s", s }, { "B", 32 } };
    int status = use(device, x, (size_t)n * sizeof *x, TREEFORK_READ, &arguments[4]);
    if (!status)
        status =
            use(device, y, (size_t)n * sizeof *y, TREEFORK_READ | TREEFORK_WRITE, &arguments[5]);
    struct treefork_launch launch = {.module = &module,
                                     .kernel = "axpy_1",
                                     .blocks = (n + s * 32 - 1) / (s * 32),
                                     .threads = 32,
                                     .registers = 40,
                                     .n_arguments = 6,
                                     .arguments = arguments,
                                     .n_bindings = 2,
                                     .bindings = bindings};
    return status ? status : treefork_run(device, &launch);
}

static int shift_launch(struct treefork_device *device, int n, int block, int *a, int64_t threads,
                        int64_t bytes)
{
    struct treefork_module module = module_of(true);
    struct treefork_argument arguments[] = {
        number(TREEFORK_I32, n, 0), number(TREEFORK_I32, block, 0), {0}};
    struct treefork_binding bindings[] = { { "B", block }, { "u", 1 } };
    int status =
        use(device, a, (size_t)n * sizeof *a, TREEFORK_READ | TREEFORK_WRITE, &arguments[2]);
    struct treefork_launch launch = {.module = &module,
                                     .kernel = "shift_2",
                                     .blocks = n / block,
                                     .threads = threads,
                                     .shared_bytes = bytes,
                                     .n_arguments = 3,
                                     .arguments = arguments,
                                     .n_bindings = 2,
                                     .bindings = bindings};
    return status ? status : treefork_run(device, &launch);
}

static void axpy_is_right(struct test *test, struct treefork_device *device, int s)
{
    enum { N = 1000 };
    static double x[N], y[N];
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        x[i] = i;
        y[i] = 1;
    }
    for (int t = 0; t < 3; t++)
        CHECK(test, axpy(device, N, s, x, y) == TREEFORK_OK);
    CHECK(test, treefork_host(device, NULL, TREEFORK_READ | TREEFORK_WRITE) == TREEFORK_OK);
    for (int i = 0; i < N; i++)
        wrong += y[i] != 1 + 1.5 * i;
    CHECK(test, wrong == 0);
}

static void shift_is_right(struct test *test, struct treefork_device *device, int block)
{
    enum { N = 4096 };
    static int a[N];
    int wrong = 0;
    for (int i = 0; i < N; i++)
        a[i] = i;
    CHECK(test, shift_launch(device, N, block, a, block, block * 4) == TREEFORK_OK);
    CHECK(test, treefork_host(device, a, TREEFORK_READ | TREEFORK_WRITE) == TREEFORK_OK);
    for (int i = 0; i < N; i++)
        wrong += a[i] != i / block * block + block - 1 - i % block;
    CHECK(test, wrong == 0);
}

/* A region that chooses s of 1, 2 and 4: a thread runs the fewer instructions the larger s is where
   the text is compiled for s, and many from a text for any s. */
enum { ONE, THREADS, WORK, ZERO, S, SHARED_WORK, MUCH_WORK };
static const treefork_int tunable_constants[] = {
    [ONE] = 1, [THREADS] = 32, [WORK] = 1000000, [ZERO] = 0};
static const struct treefork_operation tunable_operations[] = {{TREEFORK_OP_DIV, WORK, S, 0},
                                                               {TREEFORK_OP_MUL, WORK, THREADS, 0}};
static const uint16_t tunable_lists[] = { 0, 1, ONE, 1, THREADS };
static const struct treefork_figure_row tunable_figures[] = {
    { ZERO, ZERO, SHARED_WORK, ZERO, ZERO, ZERO, 0 },
    { ZERO, ZERO, MUCH_WORK, ZERO, ZERO, ZERO, 0 } };
static const struct treefork_launch_row tunable_launches[] = {
    { 0, 1, 3, TREEFORK_NONE, TREEFORK_NONE, TREEFORK_NONE, 0, 0, 0, 1,
      TREEFORK_NONE } };
static const struct treefork_leaf_row tunable_leaves[] = { { 1, 0, 0, 0, 1 } };
static const struct treefork_parameter_row tunable_parameters[] = { { "s", 0, 1, 0, 1 } };
static const struct treefork_tunable_row tunable_tunables[] = { { 0, 3, 1, 0 } };

static int select_first(const struct treefork_machine *machine, const treefork_int *values,
                        struct treefork_trace *trace)
{
    (void)machine;
    (void)trace;
    return values[0] > 0 ? 1 : -TREEFORK_ARGUMENT;
}

/* The s that the region chooses, of whose texts the first n_ptx of `ptx` are; 0: none. */
static int64_t chosen_s(struct treefork_device *device, size_t n_ptx)
{
    const struct treefork_module module = {
        .name = "axpy_1", .cuda = cuda, .n_ptx = n_ptx, .ptx = ptx};
    const struct treefork_region region = {.layout = TREEFORK_TABLES,
                                           .name = "r",
                                           .function = "r",
                                           .select = select_first,
                                           .n_parameters = 1,
                                           .n_integers = 1,
                                           .n_constants = 4,
                                           .n_operations = 2,
                                           .n_shape = 2,
                                           .n_leaves = 1,
                                           .n_tunables = 1,
                                           .parameters = tunable_parameters,
                                           .constants = tunable_constants,
                                           .operations = tunable_operations,
                                           .lists = tunable_lists,
                                           .figures = tunable_figures,
                                           .launches = tunable_launches,
                                           .leaves = tunable_leaves,
                                           .modules = &module,
                                           .tunables = tunable_tunables};
    struct treefork_evaluation evaluation;
    treefork_int s = 1;
    struct treefork_choosing choosing = {
        .region = &region, .device = device, .evaluation = &evaluation, .integers = &s};
    if (treefork_evaluation_new(&region, &evaluation))
        return 0;
    int status = treefork_choose(&choosing);
    treefork_evaluation_free(&evaluation);
    return status || choosing.leaf != 1 ? 0 : s;
}

static void kernels(struct test *test, struct treefork_device *device)
{
    const int64_t *machine = treefork_device_machine(device)->value;
    CHECK(test,
          strcmp(treefork_device_kind(device), "simulated") == 0 && machine[TREEFORK_W_B] == 32);
    axpy_is_right(test, device, 2);
    axpy_is_right(test, device, 3);
    shift_is_right(test, device, 32);
    shift_is_right(test, device, 32);
    CHECK(test, treefork_statistics(device).copies_to_host == 4);
}

static void case_nvrtc(struct test *test, struct treefork_device *device)
{
    static int a[512];
    struct treefork_module module = {
        .name = "wrong", .cuda = "extern \"C\" __global__ void k(int *a) { nonsense; }"};
    struct treefork_argument argument;
    CHECK(test, use(device, a, sizeof a, TREEFORK_WRITE, &argument) == TREEFORK_OK);
    struct treefork_launch launch = {.module = &module,
                                     .kernel = "k",
                                     .blocks = 1,
                                     .threads = 1,
                                     .n_arguments = 1,
                                     .arguments = &argument};
    if (treefork_run(device, &launch) == TREEFORK_BUILD &&
        strstr(treefork_message(), "NVRTC is not installed")) {
        test->count.skipped++;
        return;
    }
    CHECK(test, strstr(treefork_message(), "nonsense"));
    CHECK(test, chosen_s(device, 3) == 4);
    kernels(test, device);
    CHECK(test, treefork_statistics(device).builds == 3);    /* s = 2, s = 3, and B = 32 of the
                                                                other kernel */
    shift_is_right(test, device, 512);
}

/* A text that NVRTC refuses is compiled once; the PTX of its module serves its launches, and others
   have none. */
static void case_instead(struct test *test, struct treefork_device *device)
{
    static double x[1000], y[1000];
    struct treefork_module module = {.name = "wrong", .cuda = "nonsense;", .n_ptx = 5, .ptx = ptx};
    struct treefork_argument arguments[] = {number(TREEFORK_I64, 1000, 0),
                                            number(TREEFORK_I32, 2, 0),
                                            number(TREEFORK_I32, 32, 0),
                                            number(TREEFORK_F64, 0, 0.5),
                                            {0},
                                            {0}};
    struct treefork_binding bindings[] = { { "s", 2 }, { "B", 32 } };
    for (int i = 0; i < 1000; i++)
        x[i] = i;
    CHECK(test, use(device, x, sizeof x, TREEFORK_READ, &arguments[4]) == TREEFORK_OK);
    CHECK(test,
          use(device, y, sizeof y, TREEFORK_READ | TREEFORK_WRITE, &arguments[5]) == TREEFORK_OK);
    struct treefork_launch launch = {.module = &module,
                                     .kernel = "axpy_1",
                                     .blocks = 16,
                                     .threads = 32,
                                     .n_arguments = 6,
                                     .arguments = arguments,
                                     .n_bindings = 2,
                                     .bindings = bindings};
    CHECK(test, treefork_run(device, &launch) == TREEFORK_OK &&
                    treefork_run(device, &launch) == TREEFORK_OK);
    CHECK(test, treefork_host(device, y, TREEFORK_READ) == TREEFORK_OK && y[999] == 999);
    CHECK(test, treefork_statistics(device).builds == 1);
    launch.kernel = "none";
    CHECK(test,
          treefork_run(device, &launch) == TREEFORK_BUILD && strstr(treefork_message(), "PTX"));
}

/* Without NVRTC: the mangled entries are found, the symbolic one serves other values, and what has
   none is refused. A region chooses values for which there is a text. */
static void case_ptx(struct test *test, struct treefork_device *device)
{
    static int a[128];
    CHECK(test, chosen_s(device, 3) == 2);
    kernels(test, device);
    CHECK(test, treefork_statistics(device).builds == 1);    /* one text: no kernel takes more than
                                                                its budget freely */
    CHECK(test, shift_launch(device, 128, 64, a, 64, 256) == TREEFORK_BUILD &&
                    strstr(treefork_message(), "no PTX for sm_"));
}

/* A kernel that holds WIDE values at once beside one that needs few registers. */
enum { WIDE = 80, WIDE_BLOCK = 1024 };

static const char *wide_text(void)
{
    static char text[WIDE * 80 + 2000];
    int at = snprintf(
        text, sizeof text,
        HEAD(70) SHIFT(
            "shift_2__B_32__u_1") ".visible .entry axpy_1(.param .u64 p0, .param .u32 p1, .param "
                                  ".u32 p2, .param .f64 p3,\n"
                                  "    .param .u64 p4, .param .u64 p5)\n{\n"
                                  "    .reg .b32 %%r<%d>;\n    .reg .b64 %%x, %%y;\n"
                                  "    ld.param.u64 %%x, [p4];\n    ld.param.u64 %%y, [p5];\n",
        WIDE);
    for (int i = 0; i < WIDE; i++)
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "    ld.volatile.global.u32 %%r%d, [%%x+%d];\n", i, 4 * i);
    for (int i = 0; i < WIDE; i++)
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "    st.volatile.global.u32 [%%y+%d], %%r%d;\n", 4 * i, i);
    snprintf(text + at, sizeof text - (size_t)at, "    ret;\n}\n");
    return text;
}

static int wide_launch(struct treefork_device *device, int threads, int registers)
{
    static double x[WIDE_BLOCK], y[WIDE_BLOCK];
    const struct treefork_ptx row = { wide_text(), 70, "" };
    struct treefork_module module = { .name = "wide", .n_ptx = 1, .ptx = &row };
    struct treefork_argument arguments[] = {number(TREEFORK_I64, threads, 0),
                                            number(TREEFORK_I32, 1, 0),
                                            number(TREEFORK_I32, threads, 0),
                                            number(TREEFORK_F64, 0, 0.5),
                                            {0},
                                            {0}};
    int status = use(device, x, sizeof x, TREEFORK_READ, &arguments[4]);
    if (!status)
        status = use(device, y, sizeof y, TREEFORK_READ | TREEFORK_WRITE, &arguments[5]);
    struct treefork_launch launch = {.module = &module,
                                     .kernel = "axpy_1",
                                     .blocks = 1,
                                     .threads = threads,
                                     .registers = registers,
                                     .n_arguments = 6,
                                     .arguments = arguments};
    return status ? status : treefork_run(device, &launch);
}

static int narrow_launch(struct treefork_device *device)
{
    static int a[64];
    const struct treefork_ptx row = { wide_text(), 70, "B=32,u=1" };
    struct treefork_module module = { .name = "wide", .n_ptx = 1, .ptx = &row };
    struct treefork_argument arguments[] = {
        number(TREEFORK_I32, 64, 0), number(TREEFORK_I32, 32, 0), {0}};
    struct treefork_binding bindings[] = { { "B", 32 }, { "u", 1 } };
    int status = use(device, a, sizeof a, TREEFORK_READ | TREEFORK_WRITE, &arguments[2]);
    struct treefork_launch launch = {.module = &module,
                                     .kernel = "shift_2",
                                     .blocks = 2,
                                     .threads = 32,
                                     .shared_bytes = 128,
                                     .registers = 24,
                                     .n_arguments = 3,
                                     .arguments = arguments,
                                     .n_bindings = 2,
                                     .bindings = bindings};
    return status ? status : treefork_run(device, &launch);
}

/* A text is compiled freely once, for all its kernels, and again within the budget of a launch that
   lacks registers, once for each budget. Where it spills within the budget, as this one does within
   all that 1024 threads have, the budget rises by steps of 8: up to 64 there, and for 256 threads
   from 72 on, within which it spills until it is what was compiled freely. The budget is a part of
   what is remembered. */
static void case_budget(struct test *test, struct treefork_device *device)
{
    static const struct {
        int threads, registers, builds;
        bool runs;
    } rows[] = {{WIDE_BLOCK, 64, 2, true}, {WIDE_BLOCK, 64, 2, true},   {WIDE_BLOCK, 40, 5, true},
                {WIDE_BLOCK, 128, 5, false}, {WIDE_BLOCK / 4, 64, 8, true},
                {WIDE_BLOCK / 4, 72, 8, true}, {WIDE_BLOCK, 64, 8, true}};
    if (wide_launch(device, WIDE_BLOCK, 0) == TREEFORK_OK) {    /* nothing here assembles PTX */
        test->count.skipped++;
        return;
    }
    CHECK(test, strstr(treefork_message(), "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES") &&
                    treefork_statistics(device).builds == 1);
    CHECK(test, narrow_launch(device) == TREEFORK_OK && treefork_statistics(device).builds == 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int status = wide_launch(device, rows[i].threads, rows[i].registers);
        CHECK(test, (status == TREEFORK_OK) == rows[i].runs);
        CHECK(test, (int)treefork_statistics(device).builds == rows[i].builds);
    }
    CHECK(test, narrow_launch(device) == TREEFORK_OK && treefork_statistics(device).builds == 8);
}

/* NVRTC 13 no longer knows sm_70: PTX takes over. */
static void case_old(struct test *test, struct treefork_device *device)
{
    CHECK(test, chosen_s(device, 2) == 4);
    axpy_is_right(test, device, 2);
}

static void case_fermi(struct test *test, struct treefork_device *device)
{
    double x[1] = { 0 }, y[1] = { 0 };
    CHECK(test, treefork_device_machine(device)->value[TREEFORK_R_B] == 63);
    CHECK(test, treefork_device_machine(device)->value[TREEFORK_Z_B] == 12288);
    CHECK(test, axpy(device, 1, 2, x, y) == TREEFORK_BUILD && strstr(treefork_message(), "sm_20"));
}

static void case_limits(struct test *test, struct treefork_device *device)
{
    static int a[2048];
    CHECK(test, treefork_device_machine(device)->value[TREEFORK_Z_B] == 41728);
    CHECK(test,
          shift_launch(device, 64, 32, a, 32, 65536) == TREEFORK_OK); /* above 48 KiB: asked for */
    CHECK(test, shift_launch(device, 64, 32, a, 32, 41728 * 4) == TREEFORK_OK);
    CHECK(test, shift_launch(device, 64, 32, a, 32, 41728 * 4 + 4) == TREEFORK_LAUNCH);
    CHECK(test, shift_launch(device, 2048, 32, a, 1025, 128) == TREEFORK_LAUNCH &&
                    strstr(treefork_message(), "1025"));
    CHECK(test, shift_launch(device, 64, 32, a, 32, 124) ==
                    TREEFORK_ARGUMENT); /* the driver sees too few bytes */
    CHECK(test, shift_launch(device, 64, 32, a, 33, 128) ==
                    TREEFORK_ARGUMENT); /* and a block that is not the kernel's */
    CHECK(test, shift_launch(device, 64, 32, a, 32, 128) == TREEFORK_OK);
}

/* The driver fails the third launch with an error that no device survives. */
static void case_lost(struct test *test, struct treefork_device *device)
{
    static int a[64];
    uint64_t handle;
    CHECK(test, shift_launch(device, 64, 32, a, 32, 128) == TREEFORK_OK &&
                    shift_launch(device, 64, 32, a, 32, 128) == TREEFORK_OK);
    CHECK(test, shift_launch(device, 64, 32, a, 32, 128) == TREEFORK_LOST &&
                    strstr(treefork_message(), "CUDA_ERROR_LAUNCH_FAILED"));
    CHECK(test, treefork_host(device, a, TREEFORK_READ) == TREEFORK_LOST &&
                    strstr(treefork_message(), "lost"));
    CHECK(test, treefork_use(device, a, 4, TREEFORK_READ, &handle) == TREEFORK_LOST);
    CHECK(test, shift_launch(device, 64, 32, a, 32, 128) == TREEFORK_LOST);
    CHECK(test, treefork_release(device, NULL) == TREEFORK_LOST);
}

/* 100,000 bytes of device memory: arrays that the host has too make room; what a launch needs at
   once must fit. */
static void case_memory(struct test *test, struct treefork_device *device)
{
    static double x[7500], y[7500], z[7500];
    uint64_t handle;
    CHECK(test, axpy(device, 5000, 2, x, y) == TREEFORK_OK);
    CHECK(test, treefork_host(device, NULL, TREEFORK_READ) == TREEFORK_OK);
    CHECK(test, treefork_use(device, z, sizeof z, TREEFORK_READ, &handle) == TREEFORK_OK);
    CHECK(test, axpy(device, 7500, 2, x, y) == TREEFORK_MEMORY);
    CHECK(test,
          axpy(device, 5000, 2, z, y) == TREEFORK_OK && axpy(device, 5000, 2, z, y) == TREEFORK_OK);
    CHECK(test, treefork_use(device, x, sizeof x, TREEFORK_READ, &handle) ==
                    TREEFORK_MEMORY); /* y is newer: it stays */
    CHECK(test, treefork_release(device, NULL) == TREEFORK_OK);
}

static void case_refused(struct test *test, struct treefork_device *device)
{
    static int a[64];
    CHECK(test, shift_launch(device, 64, 32, a, 32, 128) == TREEFORK_MEMORY &&
                    strstr(treefork_message(), "CUDA_ERROR_OUT_OF_MEMORY"));
    CHECK(test, shift_launch(device, 64, 32, a, 32, 128) == TREEFORK_OK);
}

static void case_checked(struct test *test, struct treefork_device *device)
{
    static int a[64];
    uint64_t handle;
    CHECK(test, treefork_use_checked(device, a, sizeof a, TREEFORK_READ, &handle) == TREEFORK_OK);
    CHECK(test, treefork_use_checked(device, a, (size_t)1 << 40, TREEFORK_READ, &handle) ==
                    TREEFORK_BOUNDS);
    CHECK(test, treefork_declare(device, a, sizeof a) == TREEFORK_OK);
    CHECK(test,
          treefork_use_checked(device, a, sizeof a + 1, TREEFORK_READ, &handle) == TREEFORK_BOUNDS);
    CHECK(test, strstr(treefork_message(), "has 256 bytes, the region needs 257"));
    CHECK(test, treefork_use(device, a, sizeof a + 1, TREEFORK_READ, &handle) ==
                    TREEFORK_BOUNDS); /* TREEFORK_CHECKED=1 */
    CHECK(test, treefork_use_checked(device, a, sizeof a, TREEFORK_READ, &handle) == TREEFORK_OK);
    CHECK(test, treefork_declare(device, a, 0) == TREEFORK_OK &&
                    treefork_declare(device, NULL, 4) == TREEFORK_ARGUMENT);
}

static const struct scenario {
    const char *name, *machine, *nvrtc, *variable, *value;
    void (*run)(struct test *test, struct treefork_device *device);
} scenarios[] = {
    {"nvrtc", "ampere-a100", "", NULL, NULL, case_nvrtc},
    {"hopper", "hopper-h200", "", NULL, NULL, case_nvrtc},
    {"instead", "ampere-a100", "", NULL, NULL, case_instead},
    {"ptx", "ampere-a100", "none", "TREEFORK_SIMULATED_SEED", "7", case_ptx},
    {"turing", "turing-t4", "none", NULL, NULL, case_ptx},
    {"budget", "ampere-a100", "none", NULL, NULL, case_budget},
    {"old", "volta-v100", "", NULL, NULL, case_old},
    {"fermi", "fermi-m2050", "", NULL, NULL, case_fermi},
    {"limits", "ampere-a100", "none", NULL, NULL, case_limits},
    {"lost", "ampere-a100", "none", "TREEFORK_SIMULATED_FAIL", "cuLaunchKernel:3=719", case_lost},
    {"memory", "ampere-a100", "none", "TREEFORK_SIMULATED_MEMORY", "100000", case_memory},
    {"refused", "ampere-a100", "none", "TREEFORK_SIMULATED_FAIL", "cuMemAlloc_v2:1=2",
     case_refused},
    {"checked", "ampere-a100", "none", "TREEFORK_CHECKED", "1", case_checked},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

static int child(const char *name)
{
    struct test test = { .name = name };
    struct treefork_device *device = NULL, *none = NULL;
    for (int i = 0; i < SCENARIOS; i++) {
        if (strcmp(scenarios[i].name, name) != 0)
            continue;
        CHECK(&test, treefork_open("cuda:1", &none) == TREEFORK_NO_DEVICE);
        if (CHECK(&test, treefork_open("simulated", &device) == TREEFORK_OK))
            scenarios[i].run(&test, device);
    }
    treefork_close(device);
    return test.count.failed || !test.count.passed ? 1 : test.count.skipped ? 77 : 0;
}

/* The child's standard error, printed again, must not say that the driver was left with
   anything. */
static bool scenario_run(struct test *test, const char *self, const struct scenario *scenario,
                         const char *log)
{
    check_test(&test->count);
    char path[200], line[2000];
    bool clean = true;
    snprintf(path, sizeof path, "machines/%s.json", scenario->machine);
    setenv("TREEFORK_SIMULATED_MACHINE", path, 1);
    setenv("TREEFORK_NVRTC", scenario->nvrtc, 1);
    fflush(stderr);
    int saved = dup(2);
    if (!freopen(log, "w", stderr))
        return false;
    int status = test_child(self, scenario->name, scenario->variable, scenario->value);
    fflush(stderr);
    dup2(saved, 2);
    close(saved);
    FILE *file = fopen(log, "r");
    while (file && fgets(line, sizeof line, file)) {
        clean = clean && !strstr(line, "left behind");
        if (status != 0 && status != 77)
            fputs(line, stderr);
    }
    if (file)
        fclose(file);
    test->count.skipped += status == 77;
    return clean && (status == 0 || status == 77);
}

int main(int argc, char **argv)
{
    struct test test = { .name = "runtime_cuda" };
    char folder[512], path[600], driver[600];
    if (argc > 1)
        return child(argv[1]);
    CHECK(&test, test_cache(folder, sizeof folder));
    snprintf(driver, sizeof driver, "%.*s/../libcuda-simulated.so",
             (int)(strrchr(argv[0], '/') - argv[0]), argv[0]);
    CHECK(&test, access(driver, R_OK) == 0);
    setenv("TREEFORK_CUDA_DRIVER", driver, 1);
    snprintf(path, sizeof path, "%s/leaves.txt", folder);
    FILE *file = fopen(path, "w");
    CHECK(&test, file && fputs(ir, file) >= 0 && fclose(file) == 0);
    setenv("TREEFORK_SIMULATED_IR", path, 1);
    snprintf(path, sizeof path, "%s/log.txt", folder);
    for (int i = 0; i < SCENARIOS; i++)
        if (!CHECK(&test, scenario_run(&test, argv[0], &scenarios[i], path)))
            fprintf(stderr, "  scenario %s\n", scenarios[i].name);
    test_cache_end(folder);
    return test_end(&test);
}
