/* OpenCL devices by dlopen. In: a device number; out: a device whose machine holds what the driver
   tells (column opencl of machine.def, bytes to words; what it does not tell stays unlimited).
   Devices are numbered with GPUs first, then accelerators, then CPUs, over all platforms.
   Invariant: a launch is checked against the kernel's own limits before it is enqueued, because
   some drivers die on too much local memory instead of reporting it. TREEFORK_OPENCL_DRIVER names
   another library. Source: the OpenCL 1.2 specification, chapters 4 and 5. */
#include "runtime/opencl.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PLATFORMS_MAX = 16, DEVICES_MAX = 64 };
/* Some drivers count work items in 31 bits. */
enum { WORK_ITEMS_MAX = INT32_MAX };
enum {
    DEVICE_TYPE = 0x1000,
    DEVICE_TYPE_CPU = 2,
    DEVICE_TYPE_GPU = 4,
    DEVICE_MEMORY_ONE = 0x1010,
    DEVICE_MEMORY_ALL = 0x101F,
    DEVICE_UNIFIED_MEMORY = 0x1035,
    DEVICE_NAME = 0x102B,
    DEVICE_EXTENSIONS = 0x1030,
    DEVICE_SINGLE_FP_CONFIG = 0x101B,
    FP_CORRECT_DIVISION = 1 << 7,
    DEVICE_CAPABILITY_MAJOR_NV = 0x4000,
    DEVICE_CAPABILITY_MINOR_NV = 0x4001
};

/* False after a failure with TREEFORK_NO_DEVICE. */
static bool opencl_load(struct opencl_api *api)
{
    static const struct treefork_symbol symbols[] = {
#define X(result, name, parameters) { #name, offsetof(struct opencl_api, name), true },
#include "runtime/opencl.def"
#undef X
    };
    const char *path = treefork_environment("TREEFORK_OPENCL_DRIVER"), *missing = NULL;
    const char *const named[] = {path, NULL}, *const usual[] = {"libOpenCL.so.1", "libOpenCL.so",
                                                                NULL};
    void *library = treefork_library_open(path && *path ? named : usual);
    if (!library)
        treefork_fail(TREEFORK_NO_DEVICE,
                      "no OpenCL driver: %s cannot be opened (install an OpenCL device driver)",
                      path && *path ? path : "libOpenCL.so.1");
    else if (!treefork_library_fill(library, symbols, sizeof symbols / sizeof *symbols, api,
                                    &missing))
        treefork_fail(TREEFORK_NO_DEVICE, "the OpenCL driver has no %s", missing);
    return library && !missing;
}

/* All devices of one type; devices that are no GPU, no accelerator and no CPU come with
   the accelerators. */
static uint32_t opencl_collect(const struct opencl_api *api, uint64_t type, void **devices,
                               uint32_t n)
{
    void *platforms[PLATFORMS_MAX];
    uint32_t n_platforms = 0, found;
    if (api->clGetPlatformIDs(PLATFORMS_MAX, platforms, &n_platforms))
        return n;
    for (uint32_t i = 0; i < n_platforms && i < PLATFORMS_MAX; i++) {
        found = 0;
        if (n < DEVICES_MAX &&
            !api->clGetDeviceIDs(platforms[i], type, DEVICES_MAX - n, devices + n, &found))
            n += found < DEVICES_MAX - n ? found : DEVICES_MAX - n;
    }
    return n;
}

static uint32_t opencl_devices(const struct opencl_api *api, void **devices)
{
    enum { CPU = DEVICE_TYPE_CPU, GPU = DEVICE_TYPE_GPU, ACCELERATOR = 8 };
    uint32_t n = opencl_collect(api, GPU, devices, 0);
    n = opencl_collect(api, ACCELERATOR, devices, n);
    return opencl_collect(api, CPU, devices, n);
}

int treefork_opencl_count(void)
{
    struct opencl_api api;
    void *devices[DEVICES_MAX];
    return opencl_load(&api) ? (int)opencl_devices(&api, devices) : 0;
}

/* A number of 4 or 8 bytes, as the device answers. */
static bool opencl_query(const struct opencl *cl, uint32_t what, int64_t *value)
{
    unsigned char bytes[8] = { 0 };
    size_t size = 0;
    uint32_t narrow;
    uint64_t wide;
    if (cl->api.clGetDeviceInfo(cl->device, what, sizeof bytes, bytes, &size) ||
        (size != 4 && size != 8))
        return false;
    memcpy(&narrow, bytes, sizeof narrow);
    memcpy(&wide, bytes, sizeof wide);
    if (size == 4)
        wide = narrow;
    *value = wide > INT64_MAX ? INT64_MAX : (int64_t)wide;
    return true;
}

static bool opencl_extension(const struct opencl *cl, const char *name)
{
    size_t size = 0;
    bool found = false;
    if (cl->api.clGetDeviceInfo(cl->device, DEVICE_EXTENSIONS, 0, NULL, &size) || size == 0)
        return false;
    char *text = calloc(size + 1, 1);
    if (text && !cl->api.clGetDeviceInfo(cl->device, DEVICE_EXTENSIONS, size, text, NULL))
        for (char *at = strstr(text, name); at && !found; at = strstr(at + 1, name))
            found = (at == text || at[-1] == ' ') &&
                    (at[strlen(name)] == ' ' || at[strlen(name)] == '\0');
    free(text);
    return found;
}

/* A vendor that tells its compute capability gets the table's values too. Others tell nothing of
   registers: a thread is taken to have as many as the largest GPU's. Loops over what a thread keeps
   in them are unrolled, and PoCL's compiler does not end on one of some hundred rounds. */
static void opencl_machine(const struct opencl *cl, struct treefork_machine *machine)
{
    static const int queries[TREEFORK_PARAMETERS] = {
#define X(symbol, key, unit, lo, hi, cuda, opencl, fallback) [TREEFORK_##symbol] = opencl,
#include "runtime/machine.def"
#undef X
    };
    bool vendor = opencl_extension(cl, "cl_nv_device_attribute_query");
    int64_t value, minor;
    machine->value[TREEFORK_R_B] = TREEFORK_REGISTERS_MOST;
    if (opencl_query(cl, DEVICE_TYPE, &value) && (value & DEVICE_TYPE_CPU))
        treefork_machine_host(machine);
    for (int i = 0; i < TREEFORK_PARAMETERS; i++) {
        if (queries[i] == 0 || (queries[i] >= 0x4000 && !vendor) ||
            !opencl_query(cl, (uint32_t)queries[i], &value))
            continue;
        if (treefork_parameter_in_bytes(i))
            value /= 4;
        if (i == TREEFORK_K_D)
            value *= 1000;
        if (!treefork_parameter_refuses(i, value))
            machine->value[i] = value;
    }
    if (vendor && opencl_query(cl, DEVICE_CAPABILITY_MAJOR_NV, &value) &&
        opencl_query(cl, DEVICE_CAPABILITY_MINOR_NV, &minor))
        treefork_machine_capability(machine, 10 * value + minor);
}

/* A kernel of a CPU device runs in this process, on its memory: where the kernel faults the process
   ends, as it would with the serial code. A GPU that shares the host's memory can fail half-way and
   leave the program to go on with arrays that are half written; it works on copies. */
static bool opencl_shares(const struct opencl *cl)
{
    int64_t type, is_unified;
    return opencl_query(cl, DEVICE_TYPE, &type) && type & DEVICE_TYPE_CPU &&
           opencl_query(cl, DEVICE_UNIFIED_MEMORY, &is_unified) && is_unified;
}

static void opencl_describe(struct opencl *cl, struct treefork_device *device)
{
    int64_t value;
    device->kind = "opencl";
    if (cl->api.clGetDeviceInfo(cl->device, DEVICE_NAME, sizeof device->name - 1, device->name,
                                NULL))
        snprintf(device->name, sizeof device->name, "OpenCL device");
    treefork_machine_clear(&device->enforced, "");
    snprintf(device->enforced.name, sizeof device->enforced.name, "%.*s",
             (int)sizeof device->enforced.name - 1, device->name);
    opencl_machine(cl, &device->enforced);
    cl->correct_division = opencl_query(cl, DEVICE_SINGLE_FP_CONFIG, &value) &&
                           (value & FP_CORRECT_DIVISION);
    cl->is_gpu = opencl_query(cl, DEVICE_TYPE, &value) && (value & DEVICE_TYPE_GPU);
    cl->is_cpu = opencl_query(cl, DEVICE_TYPE, &value) && (value & DEVICE_TYPE_CPU);
    device->shares = opencl_shares(cl);
    if (opencl_query(cl, DEVICE_MEMORY_ALL, &value) && value > 0)
        device->memory_all = (uint64_t)value;
    if (opencl_query(cl, DEVICE_MEMORY_ONE, &value) && value > 0)
        device->memory_one = (uint64_t)value;
    cl->register_option = opencl_extension(cl, "cl_nv_compiler_options");
}

static void opencl_close(struct treefork_device *device)
{
    struct opencl *cl = device->state;
    if (cl->copies)
        cl->api.clReleaseCommandQueue(cl->copies);
    if (cl->queue)
        cl->api.clReleaseCommandQueue(cl->queue);
    if (cl->own_queue)
        cl->api.clReleaseCommandQueue(cl->own_queue);
    if (cl->context)
        cl->api.clReleaseContext(cl->context);
    free(cl);
    device->state = NULL;
}

static int call_check(struct treefork_device *device, const struct treefork_call *call,
                      const struct opencl_kernel *k)
{
    int64_t words = device->enforced.value[TREEFORK_Z_B];
    uint64_t limit = words > INT64_MAX / 4 ? UINT64_MAX : 4 * (uint64_t)words;
    bool local = k->n_arguments == call->n_values + 1;
    if (!local && k->n_arguments != call->n_values)
        return treefork_fail(TREEFORK_ARGUMENT,
                             "%s: the kernel has %" PRIu32 " arguments, the launch %zu",
                             call->kernel, k->n_arguments, call->n_values);
    if (!local && call->shared_bytes > 0)
        return treefork_fail(TREEFORK_ARGUMENT, "%s: the kernel takes no dynamic local memory",
                             call->kernel);
    if (!k->has_rows && call->threads > k->threads_max)
        return treefork_fail(TREEFORK_LAUNCH,
                             "%s does not fit: %" PRIu32
                             " threads per block exceed the %zu this kernel allows on %s",
                             call->kernel, call->threads, k->threads_max, device->name);
    if (call->shared_bytes > limit || k->static_bytes > limit - call->shared_bytes)
        return treefork_fail(TREEFORK_LAUNCH,
                             "%s does not fit: %zu bytes of dynamic and %" PRIu64
                             " of static local memory exceed the %" PRIu64 " of %s",
                             call->kernel, call->shared_bytes, k->static_bytes, limit,
                             device->name);
    return TREEFORK_OK;
}

/* A memory object that was given back may have its address again in another one. */
static void memories_forget(const struct opencl *cl, struct opencl_kernel *k)
{
    for (uint32_t i = 0; i < k->n_arguments; i++)
        if (k->arguments[i].is_memory)
            k->arguments[i].size = 0;
    k->released = cl->released;
}

/* What the kernel has already is not set again. */
static int32_t argument_set(struct opencl *cl, struct opencl_kernel *k, uint32_t i,
                            const struct treefork_value *value)
{
    struct opencl_argument *known = &k->arguments[i];
    bool is_memory = value->type == TREEFORK_BUFFER;
    if (known->size == value->size && known->bits == value->as.u64)
        return 0;
    int32_t code = cl->api.clSetKernelArg(k->kernel, i, is_memory ? sizeof(void *) : value->size,
                                          &value->as);
    *known = (struct opencl_argument){value->as.u64, code ? 0 : value->size, is_memory};
    return code;
}

static int call_arguments(struct treefork_device *device, const struct treefork_call *call,
                          struct opencl_kernel *k)
{
    struct opencl *cl = device->state;
    char what[160];
    int32_t code = 0;
    size_t i;
    if (k->released != cl->released)
        memories_forget(cl, k);
    for (i = 0; i < call->n_values && !code; i++)
        code = argument_set(cl, k, (uint32_t)i, &call->values[i]);
    if (!code && k->n_arguments > call->n_values)
        code = cl->api.clSetKernelArg(k->kernel, (uint32_t)i++,
                                      call->shared_bytes ? call->shared_bytes : 4, NULL);
    if (!code)
        return TREEFORK_OK;
    snprintf(what, sizeof what, "%s: argument %zu", call->kernel, i);
    return treefork_driver_error(device, TREEFORK_OPENCL, code, what);
}

/* Rows of blocks and of threads; of a line no more blocks than have 2^31 - 1 threads. */
static int opencl_call(struct treefork_device *device, const struct treefork_call *call)
{
    struct opencl *cl = device->state;
    struct opencl_kernel *k = call->function.pointer;
    uint64_t most = WORK_ITEMS_MAX / call->threads;
    uint64_t width = call->grid_width > most ? most : call->grid_width;
    uint64_t rows = call->blocks / call->grid_width;
    size_t threads[2] = {call->block_width, call->threads / call->block_width};
    if (k->has_rows)
        threads[0] = threads[1] = 1;
    size_t total[2] = {(size_t)width * threads[0], (size_t)rows * threads[1]};
    int status = call_check(device, call, k);
    if (!status)
        status = call_arguments(device, call, k);
    if (status)
        return status;
    int32_t code = cl->api.clEnqueueNDRangeKernel(cl->queue, k->kernel, 2, NULL, total, threads,
                                                  0, NULL, NULL);
    if (code)
        return treefork_driver_error(device, TREEFORK_OPENCL, code, call->kernel);
    cl->api.clFlush(cl->queue);     /* if it fails, so does waiting */
    return TREEFORK_OK;
}

static int opencl_wait(struct treefork_device *device, const char *what)
{
    struct opencl *cl = device->state;
    int32_t code = cl->api.clFinish(cl->queue);
    if (!code && cl->copies)
        code = cl->api.clFinish(cl->copies);
    return code ? treefork_driver_error(device, TREEFORK_OPENCL, code, what) : TREEFORK_OK;
}

/* A queue in order, and what it belongs to. */
static int queue_look(struct treefork_device *device, void *queue, void **context, void **target)
{
    enum { CONTEXT = 0x1090, DEVICE = 0x1091, PROPERTIES = 0x1093, OUT_OF_ORDER = 1 };
    struct opencl *cl = device->state;
    uint64_t properties = 0;
    if (!queue)
        return treefork_fail(TREEFORK_ARGUMENT, "the command queue is NULL");
    int32_t code = cl->api.clGetCommandQueueInfo(queue, CONTEXT, sizeof *context, context, NULL);
    if (!code)
        code = cl->api.clGetCommandQueueInfo(queue, DEVICE, sizeof *target, target, NULL);
    if (!code)
        code = cl->api.clGetCommandQueueInfo(queue, PROPERTIES, sizeof properties, &properties,
                                             NULL);
    if (code)
        return treefork_driver_error(device, TREEFORK_OPENCL, code, "looking at a command queue");
    return !(properties & OUT_OF_ORDER)
               ? TREEFORK_OK
               : treefork_fail(TREEFORK_ARGUMENT, "the command queue is out of order: launches "
                                                  "need one in order");
}

static int opencl_queue_set(struct treefork_device *device, void *queue)
{
    struct opencl *cl = device->state;
    void *context = cl->context, *target = cl->device, *wanted = queue ? queue : cl->own_queue;
    if (wanted == cl->queue)
        return TREEFORK_OK;
    int status = queue ? queue_look(device, queue, &context, &target) : TREEFORK_OK;
    if (!status && (context != cl->context || target != cl->device))
        status = treefork_fail(TREEFORK_ARGUMENT, "the command queue is of another %s than %s",
                               context != cl->context ? "context" : "device", device->name);
    if (!status)
        status = treefork_launches_wait(device);
    int32_t code = status ? 0 : cl->api.clRetainCommandQueue(wanted);
    if (code)
        status = treefork_driver_error(device, TREEFORK_OPENCL, code, "keeping a command queue");
    if (status)
        return status;
    cl->api.clReleaseCommandQueue(cl->queue);
    cl->queue = wanted;
    return TREEFORK_OK;
}

static const struct treefork_driver opencl_driver = {
    .kind = "opencl", .rows_max = WORK_ITEMS_MAX, .threads_max = WORK_ITEMS_MAX,
    .close = opencl_close,
    .memory_new = treefork_opencl_memory_new, .memory_free = treefork_opencl_memory_free,
    .memory_write = treefork_opencl_memory_write, .memory_read = treefork_opencl_memory_read,
    .memory_copy = treefork_opencl_memory_copy, .join = treefork_opencl_join,
    .event_new = treefork_opencl_event_new, .event_free = treefork_opencl_event_free,
    .event_await = treefork_opencl_event_await,
    .memory_share = treefork_opencl_memory_share, .memory_settle = treefork_opencl_memory_settle,
    .memory_describe = treefork_opencl_memory_describe, .memory_part = treefork_opencl_memory_part,
    .memory_keep = treefork_opencl_memory_keep, .memory_leave = treefork_opencl_memory_free,
    .queue_set = opencl_queue_set,
    .program_key = treefork_opencl_program_key, .program_new = treefork_opencl_program_new,
    .program_load = treefork_opencl_program_load, .program_image = treefork_opencl_program_image,
    .program_free = treefork_opencl_program_free,
    .function_new = treefork_opencl_function_new, .function_free = treefork_opencl_function_free,
    .call = opencl_call, .wait = opencl_wait, .choose = treefork_opencl_choose,
};

/* The queue gets a second reference, so that another one may take its place. */
static int opencl_finish(struct treefork_device *device, int status)
{
    struct opencl *cl = device->state;
    int32_t code = status ? 0 : cl->api.clRetainCommandQueue(cl->own_queue);
    if (code)
        status = treefork_driver_error(device, TREEFORK_OPENCL, code, "opening the device");
    if (!status) {
        cl->queue = cl->own_queue;
        cl->in_place = device->shares && treefork_opencl_in_place(device);
    } else if (cl) {
        opencl_close(device);
    }
    return status;
}

static int opencl_connect(struct opencl *cl, struct treefork_device *device)
{
    int32_t code = 0;
    opencl_describe(cl, device);
    cl->context = cl->api.clCreateContext(NULL, 1, &cl->device, NULL, NULL, &code);
    if (cl->context && !code)
        cl->own_queue = cl->api.clCreateCommandQueue(cl->context, cl->device, 0, &code);
    return cl->own_queue && !code
               ? TREEFORK_OK
               : treefork_driver_error(device, TREEFORK_OPENCL, code, "opening the device");
}

/* What is kept is kept whole: nothing of the program's is released that was not retained. */
static int opencl_join(struct opencl *cl, struct treefork_device *device, void *queue)
{
    void *context = NULL;
    int status = queue_look(device, queue, &context, &cl->device);
    if (status)
        return status;
    opencl_describe(cl, device);
    int32_t code = cl->api.clRetainContext(context);
    if (!code)
        cl->context = context;
    if (!code)
        code = cl->api.clRetainCommandQueue(queue);
    if (!code)
        cl->own_queue = queue;
    return code ? treefork_driver_error(device, TREEFORK_OPENCL, code, "opening the device")
                : TREEFORK_OK;
}

static int opencl_start(struct treefork_device *device)
{
    struct opencl *cl = calloc(1, sizeof *cl);
    if (!cl)
        return treefork_fail(TREEFORK_MEMORY, "no memory for a device");
    device->state = cl;
    device->driver = &opencl_driver;
    return opencl_load(&cl->api) ? TREEFORK_OK : TREEFORK_NO_DEVICE;
}

int treefork_opencl_open(int index, struct treefork_device *device)
{
    void *devices[DEVICES_MAX];
    int status = opencl_start(device);
    struct opencl *cl = device->state;
    uint32_t n = status ? 0 : opencl_devices(&cl->api, devices);
    if (!status && (uint32_t)index >= n)
        status = treefork_fail(TREEFORK_NO_DEVICE,
                               n ? "OpenCL has %" PRIu32 " devices, numbered from 0"
                                 : "an OpenCL library but no OpenCL device",
                               n);
    if (!status) {
        cl->device = devices[index];
        status = opencl_connect(cl, device);
    }
    return opencl_finish(device, status);
}

int treefork_opencl_open_queue(void *queue, struct treefork_device *device)
{
    int status = opencl_start(device);
    if (!status)
        status = opencl_join(device->state, device, queue);
    return opencl_finish(device, status);
}
