/* How often each number occurs: BINS (256 or 65536) of them. */
#include "driver.h"
#if defined LANES
#include "lanes.h"
#include <string.h>
static const char text[] =
    "kernel void run_count(global const int *restrict p, global int *restrict "
    "unused,\n"
    "                      global int *restrict parts, int n)\n"
    "{\n"
    "    int chunks = get_global_size(0), c = get_global_id(0);\n"
    "    int begin = (long)n * c / chunks, end = (long)n * (c + 1) / chunks;\n"
    "    global int *own = parts + (long)c * BINS;\n"
    "    for (int b = 0; b < BINS; b++)\n"
    "        own[b] = 0;\n"
    "    for (int i = begin; i < end; i++)\n"
    "        own[p[i] & BINS - 1]++;\n"
    "}\n";
static void histogram(int n, const int *p, int *h)
{
    enum { OWN = 2 };
    static int *parts;
    static cl_kernel kernel;
    if (!parts) {
        char *with = malloc(sizeof text + 100);
        sprintf(with, "#define BINS %d\n%s", BINS, text);
        parts = memory(OWN * BINS * sizeof *parts);
        kernel = lanes_reduction(with, "run_count", (void *)p, (size_t)n * sizeof *p, (void *)p,
                                 (size_t)n * sizeof *p, parts, OWN * BINS * sizeof *parts, n);
    }
    lanes_run(kernel, OWN);
    lanes_finish();
    for (int b = 0; b < BINS; b++)
        h[b] += parts[b] + parts[BINS + b];
}
#else
static void histogram(int n, const int p[n], int h[BINS])
{
#pragma omp parallel for reduction(+ : h[:BINS])
    for (int i = 0; i < n; i++)
        h[p[i] & (BINS - 1)]++;
}
#endif

static double program_call(void)
{
    double all = 0;
    for (int b = 0; b < BINS; b++)
        counts[b] = 0;
    histogram(size, indices, counts);
    for (int b = 0; b < BINS; b++)
        all += (double)counts[b] * (b % 7);
    return all;
}
