/* The sequences as a person writes them in OpenCL at first: a kernel for each elementary operation,
   a work-item for each element, row or column, and for a sum of everything one for each chunk. */
#include "../reduce/lanes.h"
#include "sequences.h"
#include <stdbool.h>
#include <string.h>

enum { ARGUMENTS_MOST = 7, MEMORIES_MOST = 32 };

static const char text[] =
    "kernel void set(global float *x, float a) { x[get_global_id(0)] = a; }\n"
    "kernel void scale(global float *x, float a, global const float *y)\n"
    "{ int i = get_global_id(0); x[i] = a * y[i]; }\n"
    "kernel void plus(global float *z, global const float *x, float a, global const float *y)\n"
    "{ int i = get_global_id(0); z[i] = x[i] + a * y[i]; }\n"
    "kernel void product(global float *parts, global const float *x, global const float *y,\n"
    "                    int n)\n"
    "{ int g = get_global_id(0), c = (n + get_global_size(0) - 1) / get_global_size(0);\n"
    "  int end = min(n, (g + 1) * c); float s = 0;\n"
    "  for (int i = g * c; i < end; i++) s += x[i] * y[i];\n"
    "  parts[g] = s; }\n"
    "kernel void rows(global float *y, float a, global const float *A, global const float *x,\n"
    "                 int n)\n"
    "{ int i = get_global_id(0); float s = 0;\n"
    "  for (int j = 0; j < n; j++) s += A[(long)i * n + j] * x[j];\n"
    "  y[i] += a * s; }\n"
    "kernel void columns(global float *x, float a, global const float *A, global const float *y,\n"
    "                    int m)\n"
    "{ int j = get_global_id(0), n = get_global_size(0); float s = 0;\n"
    "  for (int i = 0; i < m; i++) s += A[(long)i * n + j] * y[i];\n"
    "  x[j] += a * s; }\n"
    "kernel void outer(global float *B, global const float *A, global const float *u,\n"
    "                  global const float *v)\n"
    "{ int j = get_global_id(0), n = get_global_size(0), i = get_global_id(1);\n"
    "  B[(long)i * n + j] = A[(long)i * n + j] + u[i] * v[j]; }\n";

static cl_mem memory_of(const void *host, size_t count)
{
    static struct {
        const void *host;
        cl_mem memory;
    } made[MEMORIES_MOST];
    size_t i = 0;
    while (i < MEMORIES_MOST && made[i].host && made[i].host != host)
        i++;
    if (i == MEMORIES_MOST)
        exit(5);
    if (!made[i].host) {
        made[i].host = host;
        made[i].memory = lanes_memory((void *)host, count * sizeof(float));
    }
    return made[i].memory;
}

struct call {
    const char *name;
    cl_kernel kernel;
    unsigned count;
};

static struct call call_begin(const char *name)
{
    return (struct call){name, lanes_kernel(text, name), 0};
}

static void pass_array(struct call *call, const void *host, size_t count)
{
    cl_mem memory = memory_of(host, count);
    lanes_argument(call->kernel, call->count++, sizeof memory, &memory);
}

static void pass_number(struct call *call, float number)
{
    lanes_argument(call->kernel, call->count++, sizeof number, &number);
}

static void pass_size(struct call *call, int size)
{
    lanes_argument(call->kernel, call->count++, sizeof size, &size);
}

static void call_run(struct call *call, int x, int y)
{
    size_t items[2] = {(size_t)x, (size_t)y};
    lanes_must(clEnqueueNDRangeKernel(lanes_queue, call->kernel, y > 1 ? 2 : 1, NULL, items, NULL,
                                      0, NULL, NULL),
               call->name);
    clReleaseKernel(call->kernel);
}

static void set(int n, float *x, float a)
{
    struct call call = call_begin("set");
    pass_array(&call, x, (size_t)n);
    pass_number(&call, a);
    call_run(&call, n, 1);
}

static void scale(int n, float *x, float a, const float *y)
{
    struct call call = call_begin("scale");
    pass_array(&call, x, (size_t)n);
    pass_number(&call, a);
    pass_array(&call, y, (size_t)n);
    call_run(&call, n, 1);
}

static void plus(int n, float *z, const float *x, float a, const float *y)
{
    struct call call = call_begin("plus");
    pass_array(&call, z, (size_t)n);
    pass_array(&call, x, (size_t)n);
    pass_number(&call, a);
    pass_array(&call, y, (size_t)n);
    call_run(&call, n, 1);
}

static void product(const char *name, int m, int n, float *to, float a, const float *A,
                    const float *of)
{
    bool by_rows = !strcmp(name, "rows");
    struct call call = call_begin(name);
    pass_array(&call, to, (size_t)(by_rows ? m : n));
    pass_number(&call, a);
    pass_array(&call, A, (size_t)m * (size_t)n);
    pass_array(&call, of, (size_t)(by_rows ? n : m));
    pass_size(&call, by_rows ? n : m);
    call_run(&call, by_rows ? m : n, 1);
}

static void outer(int m, int n, float *B, const float *A, const float *u, const float *v)
{
    struct call call = call_begin("outer");
    pass_array(&call, B, (size_t)m * (size_t)n);
    pass_array(&call, A, (size_t)m * (size_t)n);
    pass_array(&call, u, (size_t)m);
    pass_array(&call, v, (size_t)n);
    call_run(&call, n, m);
}

float axpydot(int n, float alpha, const float *restrict w, const float *restrict v,
              const float *restrict u, float *restrict z)
{
    static float parts[CHUNKS] __attribute__((aligned(4096)));
    float sum = 0;
    plus(n, z, w, -alpha, v);
    struct call call = call_begin("product");
    pass_array(&call, parts, CHUNKS);
    pass_array(&call, z, (size_t)n);
    pass_array(&call, u, (size_t)n);
    pass_size(&call, n);
    call_run(&call, CHUNKS, 1);
    lanes_finish();
    for (int i = 0; i < CHUNKS; i++)
        sum += parts[i];
    return sum;
}

void atax(int m, int n, const float A[restrict m][n], const float x[restrict n],
          float t[restrict m], float y[restrict n])
{
    set(m, t, 0);
    product("rows", m, n, t, 1, A[0], x);
    set(n, y, 0);
    product("columns", m, n, y, 1, A[0], t);
    lanes_finish();
}

void bicgk(int m, int n, const float A[restrict m][n], const float p[restrict n],
           const float r[restrict m], float q[restrict m], float s[restrict n])
{
    set(m, q, 0);
    product("rows", m, n, q, 1, A[0], p);
    set(n, s, 0);
    product("columns", m, n, s, 1, A[0], r);
    lanes_finish();
}

void sgemv(int m, int n, float alpha, float beta, const float A[restrict m][n],
           const float x[restrict n], const float y[restrict m], float t[restrict m],
           float z[restrict m])
{
    (void)t;
    scale(m, z, beta, y);
    product("rows", m, n, z, alpha, A[0], x);
    lanes_finish();
}

void sgemvt(int m, int n, float alpha, float beta, const float A[restrict m][n],
            const float y[restrict m], const float z[restrict n], float x[restrict n],
            float w[restrict m])
{
    scale(n, x, 1, z);
    product("columns", m, n, x, beta, A[0], y);
    set(m, w, 0);
    product("rows", m, n, w, alpha, A[0], x);
    lanes_finish();
}

void sscal(int n, float alpha, float *x)
{
    scale(n, x, alpha, x);
    lanes_finish();
}

void gemver(int m, int n, float alpha, float beta, const float A[restrict m][n],
            const float u1[restrict m], const float v1[restrict n], const float u2[restrict m],
            const float v2[restrict n], const float y[restrict m], const float z[restrict n],
            float T[restrict m][n], float B[restrict m][n], float x[restrict n],
            float w[restrict m])
{
    outer(m, n, T[0], A[0], u1, v1);
    outer(m, n, B[0], T[0], u2, v2);
    scale(n, x, 1, z);
    product("columns", m, n, x, beta, B[0], y);
    set(m, w, 0);
    product("rows", m, n, w, alpha, B[0], x);
    lanes_finish();
}

void gesummv(int m, int n, float alpha, float beta, const float A[restrict m][n],
             const float B[restrict m][n], const float x[restrict n], float y[restrict m])
{
    set(m, y, 0);
    product("rows", m, n, y, alpha, A[0], x);
    product("rows", m, n, y, beta, B[0], x);
    lanes_finish();
}

void madd(int m, int n, const float A[restrict m][n], const float B[restrict m][n],
          float C[restrict m][n])
{
    plus(m * n, C[0], A[0], 1, B[0]);
    lanes_finish();
}

void vadd(int n, const float *restrict w, const float *restrict y, const float *restrict z,
          float *restrict t, float *restrict x)
{
    plus(n, t, w, 1, y);
    plus(n, x, t, 1, z);
    lanes_finish();
}

void waxpby(int n, float alpha, float beta, const float *restrict x, const float *restrict y,
            float *restrict t, float *restrict w)
{
    scale(n, t, beta, y);
    plus(n, w, t, alpha, x);
    lanes_finish();
}
