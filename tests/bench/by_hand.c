/* A kernel written by hand (tests/cycles/hand) on the simulated multiprocessor. In: its PTX text,
   its name, sizes ("n=128"); out: what the launch took, after its result was compared with plain C:
   the largest difference, in parts of the largest magnitude, may be TOLERANCE. Usage: by-hand
   FILE.ptx NAME SIZES. */
#include "base/ctx.h"
#include "ir/ptx/ptx.h"
#include "tests/cycles/cycles.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAYS_MAX = 4, ASSEMBLED_FOR = 75 };
static const double TOLERANCE = 1e-5;

/* Sizes m and n, arrays with what is expected of the last one, and the launch. */
struct problem {
    int m, n, n_arrays;
    size_t counts[ARRAYS_MAX];
    float *arrays[ARRAYS_MAX], *expected;
    unsigned grid[2], block[2];
    bool takes_m;               /* its first argument is m, else n alone is told */
};

static void arrays_make(struct problem *p)
{
    unsigned state = 1;
    for (int i = 0; i < p->n_arrays; i++) {
        p->arrays[i] = malloc(p->counts[i] * sizeof(float));
        if (!p->arrays[i])
            exit(1);
        for (size_t k = 0; k < p->counts[i]; k++) {
            state = state * 1664525u + 1013904223u;
            p->arrays[i][k] = (float)(state >> 8) / (1 << 24) - 0.5f;
        }
    }
    size_t bytes = p->counts[p->n_arrays - 1] * sizeof(float);
    p->expected = malloc(bytes);
    if (!p->expected)
        exit(1);
    memcpy(p->expected, p->arrays[p->n_arrays - 1], bytes);
}

static void launch_set(struct problem *p, int columns, int rows, int width, int height)
{
    p->grid[0] = (unsigned)columns;
    p->grid[1] = (unsigned)rows;
    p->block[0] = (unsigned)width;
    p->block[1] = (unsigned)height;
}

static void matmul(struct problem *p)
{
    int n = p->n;
    size_t count = (size_t)n * (size_t)n;
    p->n_arrays = 3;
    p->counts[0] = p->counts[1] = p->counts[2] = count;
    arrays_make(p);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                p->expected[i * n + j] += p->arrays[0][i * n + k] * p->arrays[1][k * n + j];
    launch_set(p, n / 32, n / 32, 64, 1);
}

static void matvec(struct problem *p)
{
    p->takes_m = true;
    p->n_arrays = 3;
    p->counts[0] = (size_t)p->m * (size_t)p->n;
    p->counts[1] = (size_t)p->n;
    p->counts[2] = (size_t)p->m;
    arrays_make(p);
    for (int i = 0; i < p->m; i++) {
        float sum = 0;
        for (int k = 0; k < p->n; k++)
            sum += p->arrays[0][i * p->n + k] * p->arrays[1][k];
        p->expected[i] = sum;
    }
    launch_set(p, p->m / 4, 1, 128, 1);
}

static void conv2d(struct problem *p)
{
    int n = p->n, pitch = n + 4;
    p->n_arrays = 3;
    p->counts[0] = (size_t)pitch * (size_t)pitch;
    p->counts[1] = 25;
    p->counts[2] = (size_t)n * (size_t)n;
    arrays_make(p);
    for (int at = 0; at < n * n; at++) {
        float sum = 0;
        for (int k = 0; k < 25; k++)
            sum += p->arrays[1][k] * p->arrays[0][(at / n + k / 5) * pitch + at % n + k % 5];
        p->expected[at] = sum;
    }
    launch_set(p, n / 32, n / 32, 32, 4);
}

static void transpose(struct problem *p)
{
    int n = p->n;
    p->n_arrays = 2;
    p->counts[0] = p->counts[1] = (size_t)n * (size_t)n;
    arrays_make(p);
    for (int at = 0; at < n * n; at++)
        p->expected[at] = p->arrays[0][at % n * n + at / n];
    launch_set(p, n / 32, n / 32, 32, 8);
}

static void jacobi2d(struct problem *p)
{
    int n = p->n, blocks = (n - 2 + 31) / 32;
    p->n_arrays = 2;
    p->counts[0] = p->counts[1] = (size_t)n * (size_t)n;
    arrays_make(p);
    for (int y = 1; y < n - 1; y++)
        for (int x = 1; x < n - 1; x++) {
            const float *u = &p->arrays[0][y * n + x];
            p->expected[y * n + x] = 0.2f * (u[0] + u[-1] + u[1] + u[-n] + u[n]);
        }
    launch_set(p, blocks, blocks, 32, 8);
}

static const struct {
    const char *name;
    void (*make)(struct problem *problem);
} problems[] = {{"matmul", matmul},       {"matvec", matvec},     {"conv2d", conv2d},
                {"transpose", transpose}, {"jacobi2d", jacobi2d}};

static double difference(const struct problem *p)
{
    int last = p->n_arrays - 1;
    double most = 0, magnitude = 0;
    for (size_t i = 0; i < p->counts[last]; i++) {
        most = fmax(most, fabs((double)p->arrays[last][i] - (double)p->expected[i]));
        magnitude = fmax(magnitude, fabs((double)p->expected[i]));
    }
    return most / magnitude;
}

static bool problem_run(struct ctx *ctx, struct problem *p, const char *ptx, const char *entry)
{
    struct cycles_memory memories[ARRAYS_MAX];
    struct cycles_result result;
    struct ptx_measure measure = {.registers = 0};
    const char *message;
    void *pointers[ARRAYS_MAX], *arguments[ARRAYS_MAX + 2];
    int n = 0;
    if (p->takes_m)
        arguments[n++] = &p->m;
    arguments[n++] = &p->n;
    for (int i = 0; i < p->n_arrays; i++, n++) {
        memories[i] = (struct cycles_memory){(char *)p->arrays[i], p->counts[i] * sizeof(float)};
        pointers[i] = p->arrays[i];
        arguments[n] = &pointers[i];
    }
    ptx_measure(ctx, ptx, entry, ASSEMBLED_FOR, &measure, &message);
    struct cycles_launch launch = {.ptx = ptx, .entry = entry, .grid = {p->grid[0], p->grid[1]},
                                   .block = {p->block[0], p->block[1]},
                                   .registers = measure.registers, .arguments = arguments,
                                   .memories = memories, .n_memories = p->n_arrays};
    if (!cycles_run(ctx, &launch, &result))
        return false;
    double wrong = difference(p);
    printf("entry=%s cycles=%" PRId64 " registers=%d resident=%d issued=%" PRId64
           " wavefronts=%" PRId64 " conflicts=%" PRId64 " bytes=%" PRId64 " difference=%g\n", entry,
           result.cycles, result.registers, result.resident, result.issued,
           result.shared_wavefronts, result.shared_extra, result.bytes_memory, wrong);
    return wrong <= TOLERANCE;
}

static int size_of(const char *sizes, const char *name)
{
    const char *at = strstr(sizes, name);
    return at ? atoi(at + strlen(name)) : 0;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: by-hand FILE.ptx NAME SIZES\n");
        return 2;
    }
    struct problem problem = {.m = size_of(argv[3], "m="), .n = size_of(argv[3], "n=")};
    if (problem.n == 0)
        problem.n = size_of(argv[3], "N=");
    struct ctx *ctx = ctx_new();
    size_t length;
    const char *ptx = file_read(ctx, argv[1], &length);
    bool good = false;
    size_t n_problems = ptx ? sizeof problems / sizeof *problems : 0;
    for (size_t i = 0; i < n_problems; i++)
        if (strcmp(problems[i].name, argv[2]) == 0) {
            problems[i].make(&problem);
            good = problem_run(ctx, &problem, ptx, argv[2]);
        }
    for (int i = 0; i < problem.n_arrays; i++)
        free(problem.arrays[i]);
    free(problem.expected);
    ctx_free(ctx);
    return good ? 0 : 1;
}
