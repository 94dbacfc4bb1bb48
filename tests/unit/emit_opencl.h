#ifndef TESTS_UNIT_EMIT_OPENCL_H
#define TESTS_UNIT_EMIT_OPENCL_H
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The first OpenCL device, opened with dlopen: builds a text, runs a kernel once. */

struct opencl {
    void *library;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    char log[4096];
};

#define CL_CALL(cl, name) (__extension__(__typeof__(&name))opencl_symbol((cl), #name))

static inline void *opencl_symbol(struct opencl *cl, const char *name)
{
    return dlsym(cl->library, name);
}

static inline bool opencl_open(struct opencl *cl)
{
    cl_platform_id platform;
    cl_int status;
    memset(cl, 0, sizeof *cl);
    cl->library = dlopen("libOpenCL.so.1", RTLD_NOW);
    if (!cl->library || CL_CALL(cl, clGetPlatformIDs)(1, &platform, NULL) != CL_SUCCESS ||
        CL_CALL(cl, clGetDeviceIDs)(platform, CL_DEVICE_TYPE_ALL, 1, &cl->device, NULL) !=
            CL_SUCCESS)
        return false;
    cl->context = CL_CALL(cl, clCreateContext)(NULL, 1, &cl->device, NULL, NULL, &status);
    if (status != CL_SUCCESS)
        return false;
    cl->queue = CL_CALL(cl, clCreateCommandQueue)(cl->context, cl->device, 0, &status);
    return status == CL_SUCCESS;
}

static inline void opencl_close(struct opencl *cl)
{
    CL_CALL(cl, clReleaseCommandQueue)(cl->queue);
    CL_CALL(cl, clReleaseContext)(cl->context);
}

/* NULL and the log in cl->log if the text is refused. */
static inline cl_program opencl_build(struct opencl *cl, const char *text, const char *options)
{
    cl_int status;
    cl_program program =
        CL_CALL(cl, clCreateProgramWithSource)(cl->context, 1, &text, NULL, &status);
    cl->log[0] = 0;
    if (CL_CALL(cl, clBuildProgram)(program, 1, &cl->device, options, NULL, NULL) == CL_SUCCESS)
        return program;
    CL_CALL(cl, clGetProgramBuildInfo)(program, cl->device, CL_PROGRAM_BUILD_LOG, sizeof cl->log,
                                       cl->log, NULL);
    cl->log[sizeof cl->log - 1] = 0;
    CL_CALL(cl, clReleaseProgram)(program);
    return NULL;
}

struct opencl_value {
    size_t bytes;
    const void *value;      /* a scalar; for an array its data, copied in and out */
    bool is_array;
};

/* Rows of blocks, and of threads in a block: the length first, then how many. */
struct opencl_shape {
    size_t blocks[2], threads[2];
};

/* Runs `entry`; shared > 0: the last argument is that much local memory. The OpenCL status of the
   first failing call. */
static inline cl_int opencl_run(struct opencl *cl, cl_program program, const char *entry,
                                const struct opencl_value *values, int n, size_t shared,
                                struct opencl_shape shape)
{
    cl_int status;
    cl_mem buffers[16] = {0};
    size_t global[2] = {shape.blocks[0] * shape.threads[0], shape.blocks[1] * shape.threads[1]};
    cl_kernel kernel = CL_CALL(cl, clCreateKernel)(program, entry, &status);
    for (int i = 0; status == CL_SUCCESS && i < n; i++) {
        if (values[i].is_array)
            buffers[i] =
                CL_CALL(cl, clCreateBuffer)(cl->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                            values[i].bytes, (void *)values[i].value, &status);
        if (status == CL_SUCCESS)
            status = CL_CALL(cl, clSetKernelArg)(
                kernel, (cl_uint)i, buffers[i] ? sizeof *buffers : values[i].bytes,
                buffers[i] ? (const void *)&buffers[i] : values[i].value);
    }
    if (status == CL_SUCCESS && shared)
        status = CL_CALL(cl, clSetKernelArg)(kernel, (cl_uint)n, shared, NULL);
    if (status == CL_SUCCESS)
        status = CL_CALL(cl, clEnqueueNDRangeKernel)(cl->queue, kernel, 2, NULL, global,
                                                     shape.threads, 0, NULL, NULL);
    for (int i = 0; i < n; i++) {
        if (status == CL_SUCCESS && buffers[i])
            status =
                CL_CALL(cl, clEnqueueReadBuffer)(cl->queue, buffers[i], CL_TRUE, 0, values[i].bytes,
                                                 (void *)values[i].value, 0, NULL, NULL);
        if (buffers[i])
            CL_CALL(cl, clReleaseMemObject)(buffers[i]);
    }
    if (kernel)
        CL_CALL(cl, clReleaseKernel)(kernel);
    return status;
}

#endif
