/* stays MODE: small regions beside the same in plain C, and how many of their runs the library has
   looked at (the linker's --wrap=treefork_region_run counts them). MODE: "-", "large", "sums",
   "kernel" (before every fourth call a kernel of the program's own doubles the array on the
   device), "trace" (TREEFORK_TRACE=1 on the way), "follow" (arrays that overlap), "threads" (four of
   them, each with arrays of its own, while a fifth one launches), "small" (sums in scalars of many
   sizes, each run until it stays; a hash of all bits), "once" (the same with one run of each). */
#define _XOPEN_SOURCE 700
#include "stays.tf.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <treefork.h>

enum { CALLS = 400, SIZE = 60, LARGE = 20000, BLOCK = 16, THREADS = 4 };

struct treefork_region;
static atomic_int looks;

int __real_treefork_region_run(const struct treefork_region *region,
                               struct treefork_argument *arguments, const void *const *arrays,
                               int automatic);
int __wrap_treefork_region_run(const struct treefork_region *region,
                               struct treefork_argument *arguments, const void *const *arrays,
                               int automatic);
int __wrap_treefork_region_run(const struct treefork_region *region,
                               struct treefork_argument *arguments, const void *const *arrays,
                               int automatic)
{
    looks++;
    return __real_treefork_region_run(region, arguments, arrays, automatic);
}

static void thirds_plainly(int n, int *a, int *b)
{
    for (int p = 0; p < n; p++)
        a[p] = a[p] * 3 + 1;
    for (int p = 0; p < n - 1; p++)
        b[p] = a[p + 1] + b[p] / 2;
}

/* The host's own part of a call, so that numbers stay small. */
static void reduce(int n, int *a)
{
    for (int p = 0; p < n; p++)
        a[p] %= 100000;
}

static const char text[] = "__kernel void twice(int n, __global int *a)\n"
                           "{ size_t p = get_global_id(0); if (p < (size_t)n) a[p] *= 2; }\n";

static void device_twice(int n, int *a)
{
    static const struct treefork_module module = {.name = "twice", .opencl = text};
    struct treefork_argument arguments[2] = {{TREEFORK_I32, {.i = n}}, {TREEFORK_BUFFER, {0}}};
    const struct treefork_launch launch = {.module = &module,
                                           .kernel = "twice",
                                           .blocks = (n + BLOCK - 1) / BLOCK,
                                           .threads = BLOCK,
                                           .n_arguments = 2,
                                           .arguments = arguments};
    struct treefork_device *device = treefork_default();
    if (treefork_use(device, a, (size_t)n * sizeof *a, TREEFORK_READ | TREEFORK_WRITE,
                     &arguments[1].value.buffer) ||
        treefork_run(device, &launch))
        fprintf(stderr, "%s\n", treefork_message());
}

/* At odd addresses, so that the device has copies. */
static int *array_new(int n)
{
    int *memory = calloc((size_t)n + 8, sizeof *memory);
    return memory + 1;
}

static void array_free(int *a)
{
    free(a - 1);
}

static int thirds_run(int n, const char *mode)
{
    int *a = array_new(n), *b = array_new(n), *x = array_new(n), *y = array_new(n), wrong = 0;
    for (int call = 0; call < CALLS; call++) {
        if (strcmp(mode, "kernel") == 0 && call >= CALLS / 2 && call % 2) {
            device_twice(n, a);
            for (int p = 0; p < n; p++)
                x[p] *= 2;
        }
        if (strcmp(mode, "trace") == 0 && call == CALLS / 2)
            setenv("TREEFORK_TRACE", "1", 1);
        thirds(n, BLOCK, a, b);
        thirds_plainly(n, x, y);
        for (int p = 0; p < n; p++)
            wrong += a[p] != x[p] || b[p] != y[p];
        reduce(n, a);
        reduce(n, x);
    }
    array_free(a);
    array_free(b);
    array_free(x);
    array_free(y);
    return wrong;
}

static int follow_run(void)
{
    int *a = array_new(SIZE + 1), *b = array_new(SIZE + 1), wrong = 0;
    for (int call = 0; call < CALLS; call++) {
        a[0] = call;
        if (call < CALLS / 2) {
            follow(SIZE, BLOCK, a, b);
            wrong += b[SIZE - 1] != a[SIZE - 1] + 1;
        } else {
            follow(SIZE, BLOCK, a, a + 1);
            wrong += a[SIZE] != call + SIZE;
        }
    }
    array_free(a);
    array_free(b);
    return wrong;
}

static int sums_run(void)
{
    float a[SIZE], s[1], first = 0;
    int wrong = 0;
    for (int p = 0; p < SIZE; p++)
        a[p] = 1.0f / (float)(p + 1);
    for (int call = 0; call < CALLS; call++) {
        s[0] = 0;
        total(SIZE, BLOCK, a, s);
        first = call ? first : s[0];
        wrong += memcmp(&first, s, sizeof first) != 0;
    }
    return wrong;
}

/* The bits of both sums of a size, which every run has; their hash is continued. */
static unsigned long long small_bits(int n, int block, const float *a, float *b)
{
    float first = product(n, block, a, a + 3);
    double second = moments(2, n, block, a, b);
    unsigned bits[3];
    unsigned long long hash = 14695981039346656037u;
    memcpy(bits, &first, sizeof first);
    memcpy(bits + 1, &second, sizeof second);
    for (int i = 0; i < 3; i++)
        hash = (hash ^ bits[i]) * 1099511628211u;
    for (int p = 0; p < n + 2; p++)
        hash = (hash ^ (unsigned)(b[p] * 1e6f)) * 1099511628211u;
    return hash;
}

/* How many of the sizes stay; those of blocks of more than 256, and of more than 16 points for each
   of their lanes, do not. */
static int small_run(int most)
{
    static const int blocks[] = {1, 7, 100, 300}, sizes[] = {1, 2, 3, 5, 7, 8, 9, 16, 17, 23, 33,
                                                             111, 112, 113, 256, 257, 1000};
    static float a[1100], b[1100];
    unsigned long long sum = 0;
    int wrong = 0, staying = 0, small = 0;
    for (int p = 0; p < 1100; p++)
        a[p] = p % 11 ? (float)((p * 7919 + 13) % 1009) / 1009.0f - 0.3f : 0.25f;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            unsigned long long first = small_bits(sizes[k], blocks[i], a, b);
            bool stays = false;
            for (int call = 1; call < most && !stays; call++) {
                int before = looks;
                wrong += small_bits(sizes[k], blocks[i], a, b) != first;
                stays = looks == before;
            }
            staying += stays;
            small += blocks[i] <= 256 && sizes[k] <= 16 * blocks[i];
            wrong += stays && !(blocks[i] <= 256 && sizes[k] <= 16 * blocks[i]);
            sum = sum * 31 + first;
        }
    printf("%016llx\n%s small ones stay\n", sum, staying == small ? "all" : "not all");
    return wrong;
}

static atomic_int n_wrong;

static void *thread_run(void *mode)
{
    n_wrong += thirds_run(SIZE, mode);
    return NULL;
}

static int threads_run(void)
{
    pthread_t threads[THREADS + 1];
    for (int i = 0; i <= THREADS; i++)
        pthread_create(&threads[i], NULL, thread_run, i == THREADS ? "kernel" : "-");
    for (int i = 0; i <= THREADS; i++)
        pthread_join(threads[i], NULL);
    return n_wrong;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "-";
    int wrong;
    if (strcmp(mode, "kernel") == 0 || strcmp(mode, "threads") == 0)
        treefork_default();
    if (strcmp(mode, "follow") == 0)
        wrong = follow_run();
    else if (strcmp(mode, "sums") == 0)
        wrong = sums_run();
    else if (strcmp(mode, "small") == 0 || strcmp(mode, "once") == 0)
        wrong = small_run(strcmp(mode, "once") == 0 ? 1 : 3000);
    else if (strcmp(mode, "threads") == 0)
        wrong = threads_run();
    else
        wrong = thirds_run(strcmp(mode, "large") == 0 ? LARGE : SIZE, mode);
    printf("%d wrong, %d looks\n", wrong, looks);
    return wrong != 0;
}
