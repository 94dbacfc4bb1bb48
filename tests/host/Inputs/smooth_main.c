/* The example of docs/runtime.md (simulate.h is cut out of it), and what else a program does with memory of its own on a real
   OpenCL device: host code between regions, serial code, parts. */
#define CL_TARGET_OPENCL_VERSION 120
#include "simulate.h"
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000, STEPS = 5 };
static cl_context context;
static cl_command_queue queue;
static int failures;

static void expect(int holds, const char *what)
{
    failures += !holds;
    if (!holds)
        printf("%s: %s\n", what, treefork_message());
}

static cl_mem memory_of(const float *from)
{
    return clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, N * sizeof *from, (void *)from, NULL);
}

static void seen(cl_mem memory, float *to)
{
    clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, N * sizeof *to, to, 0, NULL, NULL);
}

static void example(cl_device_id device)
{
    const char *text = "kernel void own(global const float *v, global float *u) { u[get_global_id(0)] = v[get_global_id(0)] + 2; }";
    float start[N], u[N], zeros[N] = {0}, expected = 4;
    for (int i = 0; i < N; i++)
        start[i] = 4;
    cl_mem u_memory = memory_of(start), v_memory = memory_of(zeros);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    clBuildProgram(program, 1, &device, NULL, NULL, NULL);
    cl_kernel own = clCreateKernel(program, "own", NULL);
    expect(simulate(queue, own, u_memory, v_memory, N, STEPS) == TREEFORK_OK, "simulate");
    for (int t = 0; t < STEPS; t++)
        expected = 0.5f * expected + 3;
    seen(u_memory, u);
    expect(u[0] == expected && u[N - 1] == expected, "the example's result");
    clReleaseKernel(own);
    clReleaseProgram(program);
    clReleaseMemObject(u_memory);
    clReleaseMemObject(v_memory);
}

static uint64_t copies(const struct treefork_device *device)
{
    struct treefork_statistics s = treefork_statistics(device);
    return s.copies_to_device + s.copies_to_host;
}

/* A function whose host code meets the array, on reserved addresses and on a range of the host's. */
static void around_host_code(struct treefork_device *device, float *host)
{
    float zeros[N] = {0}, u[N];
    cl_mem memory = memory_of(zeros);
    void *array = host;
    expect(!treefork_attach(device, &array, sizeof zeros, memory), "attach");
    shift(N, 16, array);
    seen(memory, u);
    expect(u[0] == 202 && u[1] == 2 && u[N - 2] == 202, "its contents are home when the function returns");
    expect(copies(device) > 0, "host code needed them");
    setenv("TREEFORK_FORCE", "shift=99", 1);        /* no such leaf: both regions run serially */
    shift(N, 16, array);
    unsetenv("TREEFORK_FORCE");
    seen(memory, u);
    expect(u[0] == 606 && u[1] == 6, "serial code works on it, too");
    expect(!treefork_detach(device, array), "detach");
    clReleaseMemObject(memory);
}

static void parts(struct treefork_device *device)
{
    enum { FROM = 512 };            /* 2048 bytes: where a sub-buffer may begin */
    float zeros[N] = {0}, u[N];
    cl_mem memory = memory_of(zeros);
    void *array = NULL;
    expect(!treefork_attach(device, &array, sizeof zeros, memory), "attach");
    float *all = array;
    uint64_t before = copies(device);
    expect(!smooth_auto(N - FROM, all, all + FROM), "a part from another");
    expect(copies(device) == before, "nothing was copied");
    seen(memory, u);
    expect(u[0] == 0 && u[FROM] == 1 && u[N - 1] == 1, "parts");
    expect(!smooth_auto(10, all + 1, all + FROM), "where no sub-buffer may begin");
    seen(memory, u);
    expect(u[FROM] == 1 && u[FROM + 9] == 1, "it ran serially, or not");
    clReleaseMemObject(memory);
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    struct treefork_device *opened;
    static float host[N];
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueue(context, device, 0, NULL);
    example(device);
    if (treefork_open_queue("opencl", queue, &opened) || treefork_make_current(opened))
        return puts(treefork_message()), 1;
    around_host_code(opened, NULL);
    around_host_code(opened, host);
    parts(opened);
    treefork_close(opened);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    printf("%d failures\n", failures);
    return failures != 0;
}
