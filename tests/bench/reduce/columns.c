/* The sum of each column of a square matrix. */
#include "driver.h"
#if defined LANES
#include "lanes.h"
static const char text[] = "kernel void run_columns(global const float *restrict a, global float "
                           "*restrict unused,\n"
                           "                        global float *restrict sums, int n)\n"
                           "{\n"
                           "    int begin = 128 * get_global_id(0), width = min(128, n - begin);\n"
                           "    float lane[128];\n"
                           "    for (int l = 0; l < 128; l++)\n"
                           "        lane[l] = 0;\n"
                           "    if (width == 128)\n"
                           "        for (int i = 0; i < n; i++)\n"
                           "            for (int l = 0; l < 128; l++)\n"
                           "                lane[l] += a[(long)i * n + begin + l];\n"
                           "    else\n"
                           "        for (int i = 0; i < n; i++)\n"
                           "            for (int l = 0; l < width; l++)\n"
                           "                lane[l] += a[(long)i * n + begin + l];\n"
                           "    for (int l = 0; l < width; l++)\n"
                           "        sums[begin + l] = lane[l];\n"
                           "}\n";
static void columns(int n, const float a[n][n], float s[n])
{
    static cl_kernel kernel;
    size_t bytes = (size_t)n * sizeof *s;
    if (!kernel)
        kernel = lanes_reduction(text, "run_columns", (void *)a, (size_t)n * bytes, (void *)a,
                                 bytes, s, bytes, n);
    lanes_run(kernel, ((size_t)n + 127) / 128);
    lanes_finish();
}
#else
static void columns(int n, const float a[n][n], float s[n])
{
    for (int j = 0; j < n; j++)
        s[j] = 0;
#pragma omp parallel for reduction(+ : s[:n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s[j] += a[i][j];
}
#endif

static double program_call(void)
{
    double all = 0;
    columns(side, (const float(*)[side])first, third);
    for (int i = 0; i < side; i += side / 10)
        all += third[i];
    return all;
}
