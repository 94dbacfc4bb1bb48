/* treefork devices --fit: the coefficients of the model of predicted time, measured.

   In: a device. Out: machine parameters. Each row of `steps` runs a small kernel through
   libtreefork, as generated programs do, with so much work that a run takes some milliseconds, and
   takes the lower quartile of several runs less that of runs without work; so a noisy host disturbs
   little. Every kernel has the same arguments: an array, its number of elements, rounds. What one
   step finds (launch) the next ones use.
   Devices without warps run threads in loops: how these go is measured there alone.
   Invariant: every value is one that the table of machine parameters allows; after LIMIT seconds
   nothing more is measured. Not told apart: what limits a kernel beside what it is written for. */
#include "cli/fit.h"
#include <stdlib.h>
#include <time.h>

enum {
    RUNS = 9,
    LIMIT = 40,                  /* seconds */
    THREADS = 64,
    BLOCKS = 4096,               /* of each multiprocessor, where blocks are counted */
    POINTS = 4,                  /* of a thread of fit_apart, fit_rows */
    ROW = 64,                    /* elements of a row of fit_rows */
    LENGTH = 1024,               /* of one of fit_sum: so many additions that rows do not overlap */
    OPERATIONS = 128,            /* of a thread of fit_floats, fit_doubles, fit_integers */
    LARGE = 1 << 24              /* elements of the array */
};
static const double LONG_ENOUGH = 4e-3;      /* seconds of a run */

/* The same text for both languages: the head says what differs. Kernels are called like this:
   fit_NAME(n, rounds, x), x: n floats. */
static const char OPENCL_HEAD[] =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "#define KERNEL __kernel void\n#define ARRAY __global float *restrict\n#define SHARED __local\n"
    "#define THREAD ((int)get_local_id(0))\n#define THREADS ((int)get_local_size(0))\n"
    "#define POINT ((int)get_global_id(0))\n#define POINTS ((int)get_global_size(0))\n"
    "#define WAIT barrier(CLK_LOCAL_MEM_FENCE)\n"
    "#define DOUBLES __global double *\n#define ROW ((int)get_local_id(1))\n";
static const char CUDA_HEAD[] =
    "#define KERNEL extern \"C\" __global__ void\n#define ARRAY float *__restrict__\n"
    "#define SHARED __shared__\n#define THREAD ((int)threadIdx.x)\n"
    "#define THREADS ((int)blockDim.x)\n"
    "#define POINT ((int)(blockIdx.x * blockDim.x + threadIdx.x))\n"
    "#define POINTS ((int)(gridDim.x * blockDim.x))\n#define WAIT __syncthreads()\n"
    "#define DOUBLES double *\n#define ROW ((int)threadIdx.y)\n";
static const char KERNELS[] =
    "KERNEL fit_nothing(int n, int rounds, ARRAY x)\n{\n"
    "    if (rounds < 0)\n        x[POINT] = 0;\n}\n"
    "KERNEL fit_stream(int n, int rounds, ARRAY x)\n{\n"
    "    int half_n = n / 2;\n"
    "    if (POINT < half_n)\n        x[half_n + POINT] = x[POINT] + (float)rounds;\n}\n"
    "#define FOUR a = a * f + g; b = b * f + g; c = c * f + g; d = d * f + g;\n"
    "#define MANY FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR\n"
    "#define COMPUTE(NAME, TYPE) \\\n"
    "KERNEL fit_##NAME(int n, int rounds, ARRAY x) \\\n{ \\\n"
    "    TYPE a = (TYPE)x[THREAD], b = a + 1, c = a + 2, d = a + 3, f = (TYPE)n, g = f + 5; \\\n"
    "    MANY MANY \\\n"
    "    x[THREAD] = (float)(a + b + c + d); \\\n}\n"
    "COMPUTE(floats, float)\nCOMPUTE(doubles, double)\nCOMPUTE(integers, int)\n"
    "KERNEL fit_barriers(int n, int rounds, ARRAY x)\n{\n"
    "    SHARED float line[64];\n"
    "    line[THREAD] = x[THREAD];\n"
    "    for (int i = 0; i < rounds; i++) {\n"
    "        WAIT;\n        line[(THREAD + i) % THREADS] += 1;\n        WAIT;\n    }\n"
    "    x[THREAD] = line[THREAD];\n}\n"
    "KERNEL fit_shared(int n, int rounds, ARRAY x)\n{\n"
    "    SHARED int next[64];\n"
    "    next[THREAD] = (THREAD + 17) % THREADS;\n"
    "    WAIT;\n"
    "    int at = THREAD;\n"
    "    for (int i = 0; i < rounds; i++)\n        at = next[at];\n"
    "    if (at < 0)\n        x[THREAD] = (float)at;\n}\n"
    "KERNEL fit_memory(int n, int rounds, ARRAY x)\n{\n"
    "    int at = THREAD;\n"
    "    for (int i = 0; i < rounds; i++)\n"
    "        at = (at + 100003 + (int)x[at]) % n;\n"
    "    if (at < 0)\n        x[0] = (float)at;\n}\n"
    "KERNEL fit_sum(int n, int rounds, ARRAY x)\n{\n"
    "    const DOUBLES row = (const DOUBLES)x + POINT % 4 * rounds;\n"
    "    double s = 0;\n"
    "    for (int i = 0; i < rounds; i++)\n        s += row[i];\n"
    "    x[n + POINT] = (float)s;\n}\n"
    "#define WALK(i, q) values[(long)((i) + q * THREADS) * rounds + j] * value\n"
    "KERNEL fit_rows(int n, int rounds, ARRAY x)\n{\n"
    "    const DOUBLES values = (const DOUBLES)x;\n"
    "    int i = POINT / THREADS % 4 * 4 * THREADS + THREAD;\n"
    "    if (i + 3 * THREADS < n) {\n"
    "        double s = 0, t = 0, u = 0, v = 0;\n"
    "        for (int j = 0; j < rounds; j++) {\n"
    "            double value = values[j];\n"
    "            s = s + WALK(i, 0);\n            t = t + WALK(i, 1);\n"
    "            u = u + WALK(i, 2);\n            v = v + WALK(i, 3);\n        }\n"
    "        x[n + i] = (float)s;\n        x[n + i + THREADS] = (float)t;\n"
    "        x[n + i + 2 * THREADS] = (float)u;\n        x[n + i + 3 * THREADS] = (float)v;\n"
    "    }\n}\n"
    "#define ONE(i) x[i] = x[(i) + n] * x[(i) + n + 1] + x[(i) + n + 2] * x[(i) + n + 3]\n"
    "KERNEL fit_one(int n, int rounds, ARRAY x)\n{\n    ONE(THREAD);\n}\n"
    "KERNEL fit_apart(int n, int rounds, ARRAY x)\n{\n"
    "    ONE(THREAD);\n    ONE(THREAD + rounds);\n"
    "    ONE(THREAD + 2 * rounds);\n    ONE(THREAD + 3 * rounds);\n}\n"
    "KERNEL fit_plane(int n, int rounds, ARRAY x)\n{\n"
    "    x[ROW * rounds + THREAD] += 1;\n}\n";

struct fitting {
    struct treefork_device *device;
    struct treefork_machine *machine;
    struct treefork_module module;
    char opencl[sizeof OPENCL_HEAD + sizeof KERNELS], cuda[sizeof CUDA_HEAD + sizeof KERNELS];
    double start;
    bool is_host;                /* the device computes in this process: its CPU time is the clock,
                                    which other work on the host does not disturb */
    float *array;
    double launch;               /* seconds of a kernel that does nothing */
};

/* A run: kernel, blocks, threads of a block, elements of the array, rounds, threads of a row of a
   block (0: it is a line). */
struct fit_run {
    const char *kernel;
    int64_t blocks, threads, elements, rounds, width;
};

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

static int64_t processors(const struct fitting *fit)
{
    return fit->machine->value[TREEFORK_M_D];
}

static bool run_once(struct fitting *fit, struct fit_run run, double *time)
{
    struct treefork_argument arguments[] = {
        {.type = TREEFORK_I32, .value.i = run.elements},
        {.type = TREEFORK_I32, .value.i = run.rounds},
        {.type = TREEFORK_BUFFER},
    };
    struct treefork_launch launch = {.module = &fit->module,
                                     .kernel = run.kernel,
                                     .blocks = run.blocks,
                                     .threads = run.threads,
                                     .grid_width = run.width ? run.blocks : 0,
                                     .block_width = run.width,
                                     .n_arguments = sizeof arguments / sizeof *arguments,
                                     .arguments = arguments};
    size_t bytes = (size_t)LARGE * sizeof *fit->array;
    clockid_t clock = fit->is_host ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
    double start = seconds(clock);
    if (treefork_use(fit->device, fit->array, bytes, TREEFORK_READ | TREEFORK_WRITE,
                     &arguments[2].value.buffer) != TREEFORK_OK ||
        treefork_run(fit->device, &launch) != TREEFORK_OK ||
        treefork_wait(fit->device) != TREEFORK_OK)
        return false;
    int64_t busy = run.blocks < processors(fit) ? run.blocks : processors(fit);
    *time = (seconds(clock) - start) / (double)(fit->is_host ? busy : 1);
    return true;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The lower quartile of several runs, after one that compiles: a busy host only makes
   them longer. */
static bool run_usual(struct fitting *fit, struct fit_run run, double *usual)
{
    double times[RUNS];
    if (!run_once(fit, run, &times[0]))
        return false;
    for (int i = 0; i < RUNS; i++)
        if (!run_once(fit, run, &times[i]))
            return false;
    qsort(times, RUNS, sizeof *times, compare);
    *usual = times[RUNS / 4];
    return true;
}

/* Seconds of one round, with as many rounds as take long enough. */
static bool round_time(struct fitting *fit, struct fit_run run, double *time)
{
    double once, with, without;
    for (run.rounds = 64; run.rounds < 1 << 28; run.rounds *= 4) {
        if (!run_once(fit, run, &once))
            return false;
        if (once - fit->launch > LONG_ENOUGH)
            break;
    }
    struct fit_run none = run;
    none.rounds = 0;
    if (!run_usual(fit, run, &with) || !run_usual(fit, none, &without))
        return false;
    *time = (with - without) / (double)run.rounds;
    return true;
}

static void value_set(struct fitting *fit, int parameter, double value)
{
    int64_t rounded = value < 9e15 ? (int64_t)(greater(value, 0) + 0.5) : 0;
    bool is_latency = parameter == TREEFORK_Y_B || parameter == TREEFORK_Y_L;
    fit->machine->value[parameter] = rounded == 0 && !is_latency ? 1 : rounded;
}

static double cycles(const struct fitting *fit, double time)
{
    return time * (double)fit->machine->value[TREEFORK_K_D] * 1e3;
}

/* --- steps ------------------------------------------------------------------------------------ */

static bool fit_launch(struct fitting *fit, int parameter)
{
    struct fit_run run = {"fit_nothing", 1, THREADS, LARGE, 0, 0};
    if (!run_usual(fit, run, &fit->launch))
        return false;
    value_set(fit, parameter, fit->launch * 1e9);
    return true;
}

static bool fit_block(struct fitting *fit, int parameter)
{
    struct fit_run run = {"fit_nothing", BLOCKS * processors(fit), 1, LARGE, 0, 0};
    double time;
    if (!run_usual(fit, run, &time))
        return false;
    value_set(fit, parameter, cycles(fit, (time - fit->launch) / BLOCKS));
    return true;
}

/* Half of the array to the other half: each element once read and once written. */
static bool fit_bandwidth(struct fitting *fit, int parameter)
{
    struct fit_run run = {"fit_stream", LARGE / 2 / 256, 256, LARGE, 1, 0};
    double time;
    if (!run_usual(fit, run, &time))
        return false;
    value_set(fit, parameter, (double)LARGE * 4 / greater(time - fit->launch, time / 100) / 1e6);
    return true;
}

/* Seconds of a block of a run, beyond one that does nothing, where every multiprocessor has
   many. */
static bool block_time(struct fitting *fit, struct fit_run run, double *time)
{
    struct fit_run none = run;
    double with, without;
    run.blocks = none.blocks = BLOCKS * processors(fit);
    none.kernel = "fit_nothing";
    if (!run_usual(fit, run, &with) || !run_usual(fit, none, &without))
        return false;
    *time = greater(with - without, with / 100) / BLOCKS;
    return true;
}

/* The kernels have OPERATIONS operations in a row, in four chains that do not wait for
   each other. */
static bool fit_operations(struct fitting *fit, int parameter, const char *kernel)
{
    struct fit_run run = {.kernel = kernel, .threads = 256, .elements = 1};
    double time;
    if (!block_time(fit, run, &time))
        return false;
    value_set(fit, parameter, OPERATIONS * 256 / cycles(fit, time));
    return true;
}

static bool fit_floats(struct fitting *fit, int parameter)
{
    return fit_operations(fit, parameter, "fit_floats");
}

static bool fit_doubles(struct fitting *fit, int parameter)
{
    return fit_operations(fit, parameter, "fit_doubles");
}

/* Begun are at least as many instructions as floating-point operations are done. */
static bool fit_issue(struct fitting *fit, int parameter)
{
    if (!fit_operations(fit, parameter, "fit_integers"))
        return false;
    if (fit->machine->value[parameter] < fit->machine->value[TREEFORK_P_S])
        fit->machine->value[parameter] = fit->machine->value[TREEFORK_P_S];
    return true;
}

/* Two barriers in a round, and a little work between them. */
static bool fit_barrier(struct fitting *fit, int parameter)
{
    struct fit_run run = {"fit_barriers", processors(fit), THREADS, LARGE, 0, 0};
    double time;
    if (!round_time(fit, run, &time))
        return false;
    value_set(fit, parameter, cycles(fit, time) / 2);
    return true;
}

/* A thread's chain of loads. Without warps the processor itself reorders and fetches ahead: what a
   thread waits for is in its throughput. */
static bool fit_chain(struct fitting *fit, int parameter, const char *kernel)
{
    struct fit_run run = {kernel, 1, 1, LARGE, 0, 0};
    double time = 0;
    if (fit->machine->value[TREEFORK_W_B] > 1 && !round_time(fit, run, &time))
        return false;
    value_set(fit, parameter, cycles(fit, time));
    return true;
}

static bool fit_memory(struct fitting *fit, int parameter)
{
    return fit_chain(fit, parameter, "fit_memory");
}

static bool fit_shared(struct fitting *fit, int parameter)
{
    return fit_chain(fit, parameter, "fit_shared");
}

/* So many times faster are threads in a row than single ones, up to a power of two. */
static bool fit_vectors(struct fitting *fit, int parameter)
{
    struct fit_run many = {.kernel = "fit_floats", .threads = THREADS, .elements = 1}, one = many;
    double row, single;
    int64_t lanes = 1;
    one.threads = 1;
    if (!block_time(fit, many, &row) || !block_time(fit, one, &single))
        return false;
    while (lanes < 16 && single * THREADS / row > 1.5 * (double)lanes)
        lanes *= 2;
    value_set(fit, parameter, fit->machine->value[TREEFORK_W_B] > 1 ? 1 : (double)lanes);
    return true;
}

/* What only devices without warps are asked, whose threads a compiler makes loops and vectors of;
   elsewhere the value stays. */
static bool has_threads_in_loops(const struct fitting *fit)
{
    return fit->machine->value[TREEFORK_W_B] == 1;
}

static void percent_set(struct fitting *fit, int parameter, double percent)
{
    value_set(fit, parameter, greater(percent, 100));
}

/* Four elements of an array a thread, against one. */
static bool fit_apart(struct fitting *fit, int parameter)
{
    struct fit_run four = {.kernel = "fit_apart", .threads = 256, .elements = 4096, .rounds = 256},
                   one = four;
    double together, alone;
    one.kernel = "fit_one";
    if (!has_threads_in_loops(fit))
        return true;
    if (!block_time(fit, four, &together) || !block_time(fit, one, &alone))
        return false;
    percent_set(fit, parameter, 100 * together / (POINTS * alone));
    return true;
}

/* The same threads and elements in long rows and in short ones. */
static bool fit_row(struct fitting *fit, int parameter)
{
    enum { SHORT = 16, LONG = 64, BLOCK = 1024 };
    struct fit_run few = {.kernel = "fit_plane", .threads = BLOCK, .elements = LARGE,
                          .rounds = LONG, .width = LONG},
                   many = few;
    double with_few, with_many;
    many.rounds = many.width = SHORT;
    if (!has_threads_in_loops(fit))
        return true;
    if (!block_time(fit, few, &with_few) || !block_time(fit, many, &with_many))
        return false;
    int rows = BLOCK / SHORT - BLOCK / LONG;
    value_set(fit, parameter, cycles(fit, with_many - with_few) / rows);
    return true;
}

static bool fit_sum(struct fitting *fit, int parameter)
{
    struct fit_run run = {.kernel = "fit_sum", .threads = 1, .elements = LARGE / 2,
                          .rounds = LENGTH};
    double time;
    if (!has_threads_in_loops(fit))
        return true;
    if (!block_time(fit, run, &time))
        return false;
    value_set(fit, parameter, cycles(fit, time) / LENGTH);
    return true;
}

/* A load of threads that walk rows of their own, of many against one thread. */
static bool fit_gather(struct fitting *fit, int parameter)
{
    struct fit_run many = {.kernel = "fit_rows", .threads = THREADS, .elements = LARGE / 2,
                           .rounds = ROW},
                   one = many;
    double together, alone;
    one.threads = 1;
    if (!has_threads_in_loops(fit))
        return true;
    if (!block_time(fit, many, &together) || !block_time(fit, one, &alone))
        return false;
    percent_set(fit, parameter, 100 * together / (THREADS * alone));
    return true;
}

struct fit_step {
    int parameter;
    bool (*measure)(struct fitting *fit, int parameter);
};

static const struct fit_step steps[] = {
    {TREEFORK_Y_L, fit_launch},   {TREEFORK_Y_B, fit_block},  {TREEFORK_V_D, fit_bandwidth},
    {TREEFORK_V_L, fit_vectors},  {TREEFORK_P_S, fit_floats}, {TREEFORK_P_D, fit_doubles},
    {TREEFORK_P_I, fit_issue},    {TREEFORK_Y_F, fit_barrier}, {TREEFORK_Y_G, fit_memory},
    {TREEFORK_Y_S, fit_shared},   {TREEFORK_V_A, fit_apart},  {TREEFORK_V_R, fit_row},
    {TREEFORK_V_S, fit_sum},      {TREEFORK_V_G, fit_gather},
};

static bool steps_run(struct fitting *fit, FILE *report)
{
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const struct fit_step *step = &steps[i];
        bool is_late = seconds(CLOCK_MONOTONIC) - fit->start > LIMIT;
        if (!is_late && !step->measure(fit, step->parameter))
            return false;
        if (report)
            fprintf(report, "%-18s %lld %s%s\n", treefork_parameter_key(step->parameter),
                    (long long)fit->machine->value[step->parameter],
                    treefork_parameter_unit(step->parameter),
                    is_late ? " (not measured: out of time)" : "");
    }
    return true;
}

bool machine_fit(struct treefork_device *device, struct treefork_machine *machine, FILE *report)
{
    struct fitting fit = {.device = device,
                          .machine = machine,
                          .start = seconds(CLOCK_MONOTONIC)};
    fit.is_host = machine->value[TREEFORK_W_B] == 1 && machine->value[TREEFORK_A_D] == 0;
    snprintf(fit.opencl, sizeof fit.opencl, "%s%s", OPENCL_HEAD, KERNELS);
    snprintf(fit.cuda, sizeof fit.cuda, "%s%s", CUDA_HEAD, KERNELS);
    fit.module = (struct treefork_module){.name = "fit", .opencl = fit.opencl, .cuda = fit.cuda};
    fit.array = calloc(LARGE, sizeof *fit.array);
    if (!fit.array) {
        treefork_fail(TREEFORK_MEMORY, "no memory for %zu bytes to measure with",
                      LARGE * sizeof *fit.array);
        return false;
    }
    bool done = steps_run(&fit, report);
    if (done)
        treefork_release(device, fit.array);
    free(fit.array);
    return done;
}
