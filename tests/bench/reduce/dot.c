/* The product of two vectors. */
#include "driver.h"
#if defined BLAS
#include <cblas.h>
static float dot(int n, const float *x, const float *y)
{
    return cblas_sdot(n, x, 1, y, 1);
}
#elif defined LANES
#include "lanes.h"
static const char text[] =
    "kernel void run_dot(global const float *restrict x, global const float "
    "*restrict y,\n"
    "               global float *restrict parts, int n)\n"
    "{\n"
    "    int chunks = get_global_size(0), c = get_global_id(0);\n"
    "    int begin = (long)n * c / chunks, end = (long)n * (c + 1) / chunks, i "
    "= begin;\n"
    "    float lane[64], s = 0;\n"
    "    for (int l = 0; l < 64; l++)\n"
    "        lane[l] = 0;\n"
    "    for (; i + 64 <= end; i += 64)\n"
    "        for (int l = 0; l < 64; l++)\n"
    "            lane[l] += x[i + l] * y[i + l];\n"
    "    for (int l = 0; l < 64; l++)\n"
    "        s += lane[l];\n"
    "    for (int l = 0; i + l < end; l++)\n"
    "        s += x[i + l] * y[i + l];\n"
    "    parts[c] = s;\n"
    "}\n";
static float dot(int n, const float *x, const float *y)
{
    static float *parts;
    static cl_kernel kernel;
    if (!parts) {
        size_t bytes = (size_t)n * sizeof *x;
        parts = memory(CHUNKS * sizeof *parts);
        kernel = lanes_reduction(text, "run_dot", (void *)x, bytes, (void *)y, bytes, parts,
                                 CHUNKS * sizeof *parts, n);
    }
    lanes_run(kernel, CHUNKS);
    lanes_finish();
    float s = 0;
    for (int c = 0; c < CHUNKS; c++)
        s += parts[c];
    return s;
}
#else
static float dot(int n, const float *x, const float *y)
{
    float s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += x[i] * y[i];
    return s;
}
#endif

static double program_call(void)
{
    return dot(size, first, second);
}
