/* OpenCL C text to kernels. In: a module's OpenCL text and the values bound; out: a kernel object
   with what must be checked before a launch. Floating point is compiled as the serial C program
   was: no contraction option is relaxed, and float division is correctly rounded where the device
   can. A failed build reports the compiler's log. */
#include "runtime/opencl.h"
#include <stdlib.h>
#include <string.h>

enum {
    PROGRAM_BUILD_LOG = 0x1183,
    KERNEL_NUM_ARGS = 0x1191,
    KERNEL_WORK_GROUP_SIZE = 0x11B0,
    KERNEL_COMPILE_WORK_GROUP_SIZE = 0x11B1,
    KERNEL_LOCAL_MEM_SIZE = 0x11B2
};

int treefork_opencl_choose(struct treefork_device *device, const struct treefork_launch *launch,
                           struct treefork_choice *choice)
{
    choice->text = launch->module->opencl;
    choice->bound = true;
    snprintf(choice->entry, sizeof choice->entry, "%s", launch->kernel);
    if (choice->text)
        return TREEFORK_OK;
    return treefork_fail(TREEFORK_BUILD, "%s: module %s has no OpenCL text for %s", launch->kernel,
                         launch->module->name ? launch->module->name : "?", device->name);
}

/* A CPU's compiler finds neighbouring elements by 64-bit sums, and counts no register less. It
   makes loops of threads anyway: where a text has better ones, they are taken. */
char *treefork_opencl_options(const struct opencl *cl, const struct treefork_launch *launch)
{
    struct treefork_text options = { 0 };
    treefork_text_add(&options, "-cl-std=CL1.2%s",
                      cl->correct_division ? " -cl-fp32-correctly-rounded-divide-sqrt" : "");
    if (cl->register_option && launch->registers > 0)
        treefork_text_add(&options, " -cl-nv-maxrregcount=%d", launch->registers);
    if (launch->grid_width)
        treefork_text_add(&options, " -DTREEFORK_PLANE");
    if (launch->part)
        treefork_text_add(&options, " -DTREEFORK_PART");
    if (launch->small_arrays && cl->is_gpu)
        treefork_text_add(&options, " -DTREEFORK_INDEX=int");
    if (cl->is_cpu)
        treefork_text_add(&options, " -DTREEFORK_ROWS");
    for (size_t i = 0; i < launch->n_bindings; i++)
        treefork_text_add(&options, " -DTREEFORK_BIND_%s=%lld", launch->bindings[i].name,
                          (long long)launch->bindings[i].value);
    return options.text;
}

static int build_failed(struct treefork_device *device, void *program,
                        const struct treefork_launch *launch, int code)
{
    struct opencl *cl = device->state;
    size_t size = 0;
    treefork_driver_error(device, TREEFORK_OPENCL, code, "building the kernels");
    if (cl->api.clGetProgramBuildInfo(program, cl->device, PROGRAM_BUILD_LOG, 0, NULL, &size) ||
        size < 2)
        return TREEFORK_BUILD;
    char *log = calloc(size + 1, 1);
    if (log &&
        !cl->api.clGetProgramBuildInfo(program, cl->device, PROGRAM_BUILD_LOG, size, log, NULL))
        treefork_fail(TREEFORK_BUILD, "%s: the OpenCL compiler of %s refused module %s:\n%s",
                      launch->kernel, device->name,
                      launch->module->name ? launch->module->name : "?", log);
    free(log);
    return TREEFORK_BUILD;
}

int treefork_opencl_program_new(struct treefork_device *device,
                                const struct treefork_launch *launch, const char *text,
                                struct treefork_image *image, union treefork_object *program)
{
    struct opencl *cl = device->state;
    int32_t code = 0;
    *image = (struct treefork_image){0};
    char *options = treefork_opencl_options(cl, launch);
    if (!options)
        return treefork_fail(TREEFORK_MEMORY, "no memory for build options");
    void *object = cl->api.clCreateProgramWithSource(cl->context, 1, &text, NULL, &code);
    if (!object || code) {
        free(options);
        return treefork_driver_error(device, TREEFORK_OPENCL, code, "creating a program");
    }
    code = cl->api.clBuildProgram(object, 1, &cl->device, options, NULL, NULL);
    free(options);
    int status = code ? build_failed(device, object, launch, code) : TREEFORK_OK;
    if (status)
        cl->api.clReleaseProgram(object);
    else
        program->pointer = object;
    return status;
}

void treefork_opencl_program_free(struct treefork_device *device, union treefork_object program)
{
    struct opencl *cl = device->state;
    cl->api.clReleaseProgram(program.pointer);
}

/* Asked before any argument is set, so that the local memory is the static part alone. */
static int kernel_query(struct treefork_device *device, struct opencl_kernel *k)
{
    struct opencl *cl = device->state;
    size_t required[3] = {0};
    int32_t code = cl->api.clGetKernelInfo(k->kernel, KERNEL_NUM_ARGS, sizeof k->n_arguments,
                                           &k->n_arguments, NULL);
    if (!code)
        code = cl->api.clGetKernelWorkGroupInfo(k->kernel, cl->device, KERNEL_WORK_GROUP_SIZE,
                                                sizeof k->threads_max, &k->threads_max, NULL);
    if (!code)
        code = cl->api.clGetKernelWorkGroupInfo(k->kernel, cl->device, KERNEL_LOCAL_MEM_SIZE,
                                                sizeof k->static_bytes, &k->static_bytes, NULL);
    if (!code)
        code = cl->api.clGetKernelWorkGroupInfo(k->kernel, cl->device,
                                                KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required,
                                                required, NULL);
    k->has_rows = required[0] == 1 && required[1] == 1;
    return code ? treefork_driver_error(device, TREEFORK_OPENCL, code, "asking about a kernel")
                : TREEFORK_OK;
}

int treefork_opencl_function_new(struct treefork_device *device, union treefork_object program,
                                 const char *kernel, union treefork_object *function)
{
    struct opencl *cl = device->state;
    int32_t code = 0;
    struct opencl_kernel *k = calloc(1, sizeof *k);
    if (!k)
        return treefork_fail(TREEFORK_MEMORY, "no memory for a kernel");
    k->kernel = cl->api.clCreateKernel(program.pointer, kernel, &code);
    int status = k->kernel && !code ? kernel_query(device, k)
                                    : treefork_driver_error(device, TREEFORK_OPENCL, code, kernel);
    if (!status)
        k->arguments = calloc((size_t)k->n_arguments + 1, sizeof *k->arguments);
    if (!status && !k->arguments)
        status = treefork_fail(TREEFORK_MEMORY, "no memory for the arguments of %s", kernel);
    function->pointer = k;
    if (status)
        treefork_opencl_function_free(device, *function);
    return status;
}

void treefork_opencl_function_free(struct treefork_device *device, union treefork_object function)
{
    struct opencl *cl = device->state;
    struct opencl_kernel *k = function.pointer;
    if (k->kernel)
        cl->api.clReleaseKernel(k->kernel);
    free(k->arguments);
    free(k);
}
