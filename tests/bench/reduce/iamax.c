/* The first index of the greatest absolute value. */
#include "driver.h"
#if defined BLAS
#include <cblas.h>
static int iamax(int n, const float *x)
{
    return (int)cblas_isamax(n, x, 1);
}
#elif defined LANES
#include "lanes.h"
static const char text[] =
    "kernel void run_iamax(global const float *restrict x, global int "
    "*restrict at,\n"
    "                      global float *restrict parts, int n)\n"
    "{\n"
    "    int chunks = get_global_size(0), c = get_global_id(0);\n"
    "    int begin = (long)n * c / chunks, end = (long)n * (c + 1) / chunks, i "
    "= begin;\n"
    "    float lane[64], most = -1;\n"
    "    int where[64], first = n;\n"
    "    for (int l = 0; l < 64; l++) {\n"
    "        lane[l] = -1;\n"
    "        where[l] = n;\n"
    "    }\n"
    "    for (; i + 64 <= end; i += 64)\n"
    "        for (int l = 0; l < 64; l++) {\n"
    "            float v = fabs(x[i + l]);\n"
    "            where[l] = v > lane[l] ? i + l : where[l];\n"
    "            lane[l] = v > lane[l] ? v : lane[l];\n"
    "        }\n"
    "    for (int l = 0; l < 64; l++)\n"
    "        if (lane[l] > most || (lane[l] == most && where[l] < first)) {\n"
    "            most = lane[l];\n"
    "            first = where[l];\n"
    "        }\n"
    "    for (; i < end; i++)\n"
    "        if (fabs(x[i]) > most) {\n"
    "            most = fabs(x[i]);\n"
    "            first = i;\n"
    "        }\n"
    "    parts[c] = most;\n"
    "    at[c] = first;\n"
    "}\n";
static int iamax(int n, const float *x)
{
    static float *parts;
    static int *at;
    static cl_kernel kernel;
    if (!parts) {
        parts = memory(CHUNKS * sizeof *parts);
        at = memory(CHUNKS * sizeof *at);
        kernel = lanes_reduction(text, "run_iamax", (void *)x, (size_t)n * sizeof *x, at,
                                 CHUNKS * sizeof *at, parts, CHUNKS * sizeof *parts, n);
    }
    lanes_run(kernel, CHUNKS);
    lanes_finish();
    int best = 0;
    for (int c = 1; c < CHUNKS; c++)
        if (parts[c] > parts[best])
            best = c;
    return at[best];
}
#else
static int iamax(int n, const float *x)
{
    float most = -1;
    int at = 0;
#if defined _OPENMP && !defined OURS
#pragma omp parallel
    {
        float own = -1;
        int place = 0;
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            if (fabsf(x[i]) > own) {
                own = fabsf(x[i]);
                place = i;
            }
#pragma omp critical
        if (own > most || (own == most && place < at)) {
            most = own;
            at = place;
        }
    }
#else
    for (int i = 0; i < n; i++)
        if (fabsf(x[i]) > most) {
            most = fabsf(x[i]);
            at = i;
        }
#endif
    return at;
}
#endif

static double program_call(void)
{
    return iamax(size, first);
}
