/* The sum of each row of a square matrix. */
#include "driver.h"
#if defined LANES
#include "lanes.h"
static const char text[] = "kernel void run_rows(global const float *restrict a, global float "
                           "*restrict unused,\n"
                           "                     global float *restrict sums, int n)\n"
                           "{\n"
                           "    int i = get_global_id(0), j = 0;\n"
                           "    float lane[64], s = 0;\n"
                           "    for (int l = 0; l < 64; l++)\n"
                           "        lane[l] = 0;\n"
                           "    for (; j + 64 <= n; j += 64)\n"
                           "        for (int l = 0; l < 64; l++)\n"
                           "            lane[l] += a[(long)i * n + j + l];\n"
                           "    for (int l = 0; l < 64; l++)\n"
                           "        s += lane[l];\n"
                           "    for (; j < n; j++)\n"
                           "        s += a[(long)i * n + j];\n"
                           "    sums[i] = s;\n"
                           "}\n";
static void rows(int n, const float a[n][n], float s[n])
{
    static cl_kernel kernel;
    size_t bytes = (size_t)n * sizeof *s;
    if (!kernel)
        kernel = lanes_reduction(text, "run_rows", (void *)a, (size_t)n * bytes, (void *)a, bytes,
                                 s, bytes, n);
    lanes_run(kernel, (size_t)n);
    lanes_finish();
}
#else
static void rows(int n, const float a[n][n], float s[n])
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int j = 0; j < n; j++)
            sum += a[i][j];
        s[i] = sum;
    }
}
#endif

static double program_call(void)
{
    double all = 0;
    rows(side, (const float(*)[side])first, third);
    for (int i = 0; i < side; i += side / 10)
        all += third[i];
    return all;
}
