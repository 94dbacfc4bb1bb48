/* The length of a vector. */
#include "driver.h"
#if defined BLAS
#include <cblas.h>
static float nrm2(int n, const float *x, const float *y)
{
    (void)y;
    return cblas_snrm2(n, x, 1);
}
#elif defined LANES
#include "lanes.h"
static const char text[] =
    "kernel void run_nrm2(global const float *restrict x, global const float "
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
    "            lane[l] += x[i + l] * x[i + l];\n"
    "    for (int l = 0; l < 64; l++)\n"
    "        s += lane[l];\n"
    "    for (int l = 0; i + l < end; l++)\n"
    "        s += x[i + l] * x[i + l];\n"
    "    parts[c] = s;\n"
    "}\n";
static float nrm2(int n, const float *x, const float *y)
{
    static float *parts;
    static cl_kernel kernel;
    if (!parts) {
        size_t bytes = (size_t)n * sizeof *x;
        parts = memory(CHUNKS * sizeof *parts);
        kernel = lanes_reduction(text, "run_nrm2", (void *)x, bytes, (void *)y, bytes, parts,
                                 CHUNKS * sizeof *parts, n);
    }
    lanes_run(kernel, CHUNKS);
    lanes_finish();
    float s = 0;
    for (int c = 0; c < CHUNKS; c++)
        s += parts[c];
    return sqrtf(s);
}
#else
static float nrm2(int n, const float *x, const float *y)
{
    float s = 0;
    (void)y;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    return sqrtf(s);
}
#endif

static double program_call(void)
{
    return nrm2(size, first, second);
}
