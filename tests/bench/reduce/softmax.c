/* The softmax of a vector: its greatest element, the sum of the exponentials,
 * their shares. */
#include "driver.h"
#if defined LANES
#include "lanes.h"
static const char text[] =
    "kernel void run_most(global const float *restrict x, global float "
    "*restrict y,\n"
    "                     global float *restrict parts, int n)\n"
    "{\n"
    "    int chunks = get_global_size(0), c = get_global_id(0);\n"
    "    int begin = (long)n * c / chunks, end = (long)n * (c + 1) / chunks, i "
    "= begin;\n"
    "    float lane[64], most = -INFINITY;\n"
    "    for (int l = 0; l < 64; l++)\n"
    "        lane[l] = -INFINITY;\n"
    "    for (; i + 64 <= end; i += 64)\n"
    "        for (int l = 0; l < 64; l++)\n"
    "            lane[l] = x[i + l] > lane[l] ? x[i + l] : lane[l];\n"
    "    for (int l = 0; l < 64; l++)\n"
    "        most = max(most, lane[l]);\n"
    "    for (; i < end; i++)\n"
    "        most = max(most, x[i]);\n"
    "    parts[c] = most;\n"
    "}\n"
    "kernel void run_sum(global const float *restrict x, global float "
    "*restrict y,\n"
    "                    global float *restrict parts, int n)\n"
    "{\n"
    "    int chunks = get_global_size(0), c = get_global_id(0);\n"
    "    int begin = (long)n * c / chunks, end = (long)n * (c + 1) / chunks, i "
    "= begin;\n"
    "    float lane[64], s = 0, most = parts[0];\n"
    "    for (int p = 1; p < chunks; p++)\n"
    "        most = max(most, parts[p]);\n"
    "    for (int l = 0; l < 64; l++)\n"
    "        lane[l] = 0;\n"
    "    for (; i + 64 <= end; i += 64)\n"
    "        for (int l = 0; l < 64; l++) {\n"
    "            float e = exp(x[i + l] - most);\n"
    "            y[i + l] = e;\n"
    "            lane[l] += e;\n"
    "        }\n"
    "    for (int l = 0; l < 64; l++)\n"
    "        s += lane[l];\n"
    "    for (; i < end; i++) {\n"
    "        float e = exp(x[i] - most);\n"
    "        y[i] = e;\n"
    "        s += e;\n"
    "    }\n"
    "    parts[chunks + c] = s;\n"
    "}\n"
    "kernel void run_share(global const float *restrict x, global float "
    "*restrict y,\n"
    "                      global float *restrict parts, int n)\n"
    "{\n"
    "    int chunks = get_global_size(0), c = get_global_id(0);\n"
    "    int begin = (long)n * c / chunks, end = (long)n * (c + 1) / chunks;\n"
    "    float s = 0;\n"
    "    for (int p = 0; p < chunks; p++)\n"
    "        s += parts[chunks + p];\n"
    "    for (int i = begin; i < end; i++)\n"
    "        y[i] /= s;\n"
    "}\n";
static void softmax(int n, const float *x, float *y)
{
    static const char *const names[3] = {"run_most", "run_sum", "run_share"};
    static float *parts;
    static cl_kernel kernel[3];
    size_t bytes = (size_t)n * sizeof *x;
    if (!parts) {
        parts = memory(2 * CHUNKS * sizeof *parts);
        for (int i = 0; i < 3; i++)
            kernel[i] = lanes_reduction(text, names[i], (void *)x, bytes, y, bytes, parts,
                                        2 * CHUNKS * sizeof *parts, n);
    }
    for (int i = 0; i < 3; i++)
        lanes_run(kernel[i], CHUNKS);
    lanes_finish();
}
#else
static void softmax(int n, const float *x, float *y)
{
    float most = x[0], sum = 0;
#pragma omp parallel for reduction(max : most)
    for (int i = 0; i < n; i++)
        if (x[i] > most)
            most = x[i];
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        y[i] = expf(x[i] - most);
        sum += y[i];
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] /= sum;
}
#endif

static double program_call(void)
{
    softmax(size, first, third);
    return third[size / 3] * (double)size;
}
