#ifndef LANES_SUM_H
#define LANES_SUM_H
/* The sum of TERM over all i, a text in OpenCL C of x[i] and y[i], by hand: chunks of 64 lanes. */
#include "lanes.h"

static const char lanes_sum_text[] =
    "kernel void run(global const float *restrict x, global const float *restrict y,\n"
    "                global float *restrict parts, int n)\n"
    "{\n"
    "    int chunks = get_global_size(0), c = get_global_id(0);\n"
    "    int begin = (long)n * c / chunks, end = (long)n * (c + 1) / chunks, first = begin;\n"
    "    float lane[64], s = 0;\n"
    "    for (int l = 0; l < 64; l++)\n"
    "        lane[l] = 0;\n"
    "    for (; first + 64 <= end; first += 64)\n"
    "        for (int l = 0; l < 64; l++) {\n"
    "            int i = first + l;\n"
    "            lane[l] += " TERM ";\n"
    "        }\n"
    "    for (int l = 0; l < 64; l++)\n"
    "        s += lane[l];\n"
    "    for (int i = first; i < end; i++)\n"
    "        s += " TERM ";\n"
    "    parts[c] = s;\n"
    "}\n";

static float lanes_sum(int n, const float *x, const float *y)
{
    static float *parts;
    static cl_kernel kernel;
    float s = 0;
    if (!parts) {
        size_t bytes = (size_t)n * sizeof *x;
        parts = memory(CHUNKS * sizeof *parts);
        kernel = lanes_reduction(lanes_sum_text, "run", (void *)x, bytes, (void *)y, bytes, parts,
                                 CHUNKS * sizeof *parts, n);
    }
    lanes_run(kernel, CHUNKS);
    lanes_finish();
    for (int c = 0; c < CHUNKS; c++)
        s += parts[c];
    return s;
}
#endif
