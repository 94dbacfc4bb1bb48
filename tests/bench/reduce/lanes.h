#ifndef LANES_H
#define LANES_H
/* A hand's OpenCL for CPU devices: kernels whose work-items are groups of rows
 * or chunks, with lanes as their inner loops. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHUNKS = 64 };

static cl_context lanes_context;
static cl_command_queue lanes_queue;
static cl_program lanes_program;

static void lanes_must(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: OpenCL error %d\n", what, (int)status);
    exit(4);
}

static cl_kernel lanes_kernel(const char *text, const char *name)
{
    cl_int status;
    if (!lanes_context) {
        cl_platform_id platform;
        cl_device_id device;
        lanes_must(clGetPlatformIDs(1, &platform, NULL), "platform");
        lanes_must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL), "device");
        lanes_context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
        lanes_must(status, "context");
        lanes_queue = clCreateCommandQueue(lanes_context, device, 0, &status);
        lanes_must(status, "queue");
        lanes_program = clCreateProgramWithSource(lanes_context, 1, &text, NULL, &status);
        lanes_must(status, "program");
        lanes_must(clBuildProgram(lanes_program, 1, &device, "-cl-fast-relaxed-math", NULL, NULL),
                   "build");
    }
    cl_kernel kernel = clCreateKernel(lanes_program, name, &status);
    lanes_must(status, name);
    return kernel;
}

/* The host's own memory. */
static cl_mem lanes_memory(void *host, size_t bytes)
{
    cl_int status;
    cl_mem memory = clCreateBuffer(lanes_context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes,
                                   host, &status);
    lanes_must(status, "memory");
    return memory;
}

static void lanes_argument(cl_kernel kernel, unsigned at, size_t bytes, const void *value)
{
    lanes_must(clSetKernelArg(kernel, at, bytes, value), "argument");
}

/* So many work-items, each a group. */
static void lanes_run(cl_kernel kernel, size_t items)
{
    size_t one = 1;
    lanes_must(clEnqueueNDRangeKernel(lanes_queue, kernel, 1, NULL, &items, &one, 0, NULL, NULL),
               "launch");
}

static void lanes_finish(void)
{
    lanes_must(clFinish(lanes_queue), "finish");
}

/* The kernel with two arrays, a place for parts and the number of elements. */
static cl_kernel lanes_reduction(const char *text, const char *name, void *x, size_t x_bytes,
                                 void *y, size_t y_bytes, void *parts, size_t parts_bytes, int n)
{
    cl_kernel kernel = lanes_kernel(text, name);
    cl_mem memory[3] = {lanes_memory(x, x_bytes), lanes_memory(y, y_bytes),
                        lanes_memory(parts, parts_bytes)};
    for (unsigned i = 0; i < 3; i++)
        lanes_argument(kernel, i, sizeof *memory, &memory[i]);
    lanes_argument(kernel, 3, sizeof n, &n);
    return kernel;
}
#endif
