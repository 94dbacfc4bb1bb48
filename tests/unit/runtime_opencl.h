#ifndef RUNTIME_OPENCL_H
#define RUNTIME_OPENCL_H
/* What tests of launches on a real OpenCL device share (PoCL where there is no other): kernels,
   arguments, and running all cases twice: once in the host's arrays, where the device shares them,
   and once on copies (TREEFORK_COPY). */
#include "tests/unit/runtime_test.h"

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

static inline uint64_t copied(uint64_t count)
{
    return shares ? 0 : count;
}

static inline struct treefork_module module_of(const char *opencl)
{
    return (struct treefork_module){.name = "test", .opencl = opencl};
}

static inline struct treefork_argument integer(int64_t value)
{
    return (struct treefork_argument){.type = TREEFORK_I32, .value.i = value};
}

static inline struct treefork_argument buffer(struct treefork_device *device, const void *host,
                                              size_t bytes, unsigned access)
{
    struct treefork_argument argument = {.type = TREEFORK_BUFFER};
    if (treefork_use(device, host, bytes, access, &argument.value.buffer))
        fprintf(stderr, "treefork_use: %s\n", treefork_message());
    return argument;
}

static inline int step(struct treefork_device *device, const int *a, int *b, int n)
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

/* A CPU that PoCL drives shares its memory unless it is told not to. */
static inline bool device_shares(struct test *test, struct treefork_device *device,
                                 bool may_share)
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

static inline void cases_run(struct test *test, bool may_share,
                             void (*cases)(struct test *test, struct treefork_device *device))
{
    struct treefork_device *device = NULL;
    setenv("TREEFORK_COPY", may_share ? "0" : "1", 1);
    if (treefork_open("opencl", &device)) {
        printf("%s: SKIPPED: %s\n", test->name, treefork_message());
        test->count.skipped++;
        return;
    }
    CHECK(test,
          strcmp(treefork_device_kind(device), "opencl") == 0 && treefork_device_name(device)[0]);
    shares = device_shares(test, device, may_share);
    cases(test, device);
    treefork_close(device);
}

/* The whole program: its exit status. */
static inline int opencl_main(const char *name,
                              void (*cases)(struct test *test, struct treefork_device *device))
{
    struct test test = {.name = name};
    char folder[512];
    CHECK(&test, test_cache(folder, sizeof folder));
    cases_run(&test, true, cases);
    cases_run(&test, false, cases);
    test_cache_end(folder);
    return test_end(&test);
}

#endif
