/* CUDA devices by the driver API, opened with dlopen. In: a device number; out: a device whose
   machine holds what the driver tells (column cuda of machine.def, bytes to words) and what its
   compute capability implies (capability.def). The primary context is retained, or that of the
   program's queue used, and made current around each call, so that the caller's own CUDA code is
   not disturbed. Launches and copies go into one stream. TREEFORK_CUDA_DRIVER names
   another library; one that exports `treefork_simulated_driver` is labelled "simulated". Source:
   CUDA driver API reference. */
#include "runtime/cuda.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum {
    ATTRIBUTE_SHARED_PER_BLOCK = 8,
    ATTRIBUTE_MEMORY_CLOCK = 36,
    ATTRIBUTE_MEMORY_BUS = 37,
    ATTRIBUTE_MAJOR = 75,
    ATTRIBUTE_MINOR = 76,
    FUNCTION_MAX_DYNAMIC_SHARED = 8,
    GRID_ROWS_MAX = 65535,
    STREAM_PER_THREAD = 2
};

/* False after a failure with TREEFORK_NO_DEVICE. */
static bool cuda_load(struct cuda_api *api, bool *simulated)
{
    static const struct treefork_symbol symbols[] = {
#define X(name, symbol, parameters, needed)                                                        \
    {#symbol, offsetof(struct cuda_api, name), needed},
#include "runtime/cuda.def"
#undef X
    };
    const char *path = treefork_environment("TREEFORK_CUDA_DRIVER"), *missing = NULL;
    const char *const named[] = {path, NULL}, *const usual[] = {"libcuda.so.1", "libcuda.so", NULL};
    void *library = treefork_library_open(path && *path ? named : usual);
    if (!library)
        treefork_fail(TREEFORK_NO_DEVICE, "no CUDA driver: %s cannot be opened",
                      path && *path ? path : "libcuda.so.1");
    else if (!treefork_library_fill(library, symbols, sizeof symbols / sizeof *symbols, api,
                                    &missing))
        treefork_fail(TREEFORK_NO_DEVICE, "the CUDA driver has no %s", missing);
    else
        *simulated = dlsym(library, "treefork_simulated_driver") != NULL;
    api->library = library;
    return library && !missing;
}

static int cuda_found(const struct cuda_api *api, int *code)
{
    int count = 0;
    *code = api->init(0);
    if (!*code)
        *code = api->device_count(&count);
    return *code ? 0 : count;
}

int treefork_cuda_count(void)
{
    struct cuda_api api;
    bool simulated;
    int code;
    return cuda_load(&api, &simulated) ? cuda_found(&api, &code) : 0;
}

/* Two transfers per cycle of the memory's clock (kHz), over a bus of so many bits. */
static void cuda_bandwidth(const struct cuda *cuda, struct treefork_machine *machine)
{
    int clock = 0, bits = 0;
    bool known = !cuda->api.device_attribute(&clock, ATTRIBUTE_MEMORY_CLOCK, cuda->device)
                && !cuda->api.device_attribute(&bits, ATTRIBUTE_MEMORY_BUS, cuda->device);
    int64_t bandwidth = known ? 2 * (int64_t)clock * (bits / 8) / 1000 : 0;
    if (bandwidth > 0)
        machine->value[TREEFORK_V_D] = bandwidth;
}

static void cuda_machine(const struct cuda *cuda, struct treefork_machine *machine)
{
    static const int attributes[TREEFORK_PARAMETERS] = {
#define X(symbol, key, unit, lo, hi, cuda, opencl, fallback) [TREEFORK_##symbol] = cuda,
#include "runtime/machine.def"
#undef X
    };
    treefork_machine_capability(machine, cuda->architecture);
    cuda_bandwidth(cuda, machine);
    for (int i = 0; i < TREEFORK_PARAMETERS; i++) {
        int value = 0;
        if (attributes[i] == TREEFORK_QUERY_TABLE)
            continue;
        bool known = !cuda->api.device_attribute(&value, attributes[i], cuda->device) && value > 0;
        if (!known && i == TREEFORK_Z_B)
            known = !cuda->api.device_attribute(&value, ATTRIBUTE_SHARED_PER_BLOCK, cuda->device) &&
                    value > 0;
        if (known)
            machine->value[i] = treefork_parameter_in_bytes(i) ? value / 4 : value;
    }
}

int treefork_cuda_enter(struct treefork_device *device)
{
    struct cuda *cuda = device->state;
    int code = cuda->api.context_push(cuda->context);
    return code ? treefork_driver_error(device, TREEFORK_CUDA, code, "entering the context")
                : TREEFORK_OK;
}

void treefork_cuda_leave(struct treefork_device *device)
{
    struct cuda *cuda = device->state;
    void *context = NULL;
    cuda->api.context_pop(&context);
}

static void cuda_close(struct treefork_device *device)
{
    struct cuda *cuda = device->state;
    if (cuda->copies && !treefork_cuda_enter(device)) {
        cuda->api.stream_free(cuda->copies);
        treefork_cuda_leave(device);
    }
    if (cuda->context && !cuda->is_foreign)
        cuda->api.context_release(cuda->device);
    free(cuda->nvrtc);
    free(cuda);
    device->state = NULL;
}

/* Dynamic shared memory above the default limit must be asked for; asked once per function
   and size. */
static int call_prepare(struct treefork_device *device, const struct treefork_call *call,
                        struct cuda_function *f)
{
    struct cuda *cuda = device->state;
    int64_t words = device->enforced.value[TREEFORK_Z_B];
    uint64_t limit = words > INT32_MAX / 4 ? INT32_MAX : 4 * (uint64_t)words;
    if (call->threads > (uint32_t)f->threads_max)
        return treefork_fail(
            TREEFORK_LAUNCH,
            "%s does not fit: %u threads per block exceed the %d this kernel allows on %s",
            call->kernel, (unsigned)call->threads, f->threads_max, device->name);
    if (call->shared_bytes > limit || (uint64_t)f->static_bytes > limit - call->shared_bytes)
        return treefork_fail(TREEFORK_LAUNCH,
                             "%s does not fit: %zu bytes of dynamic and %d of static shared memory "
                             "exceed the %llu of %s",
                             call->kernel, call->shared_bytes, f->static_bytes,
                             (unsigned long long)limit, device->name);
    if (call->shared_bytes <= (size_t)f->dynamic_bytes)
        return TREEFORK_OK;
    int code = cuda->api.function_set(f->function, FUNCTION_MAX_DYNAMIC_SHARED,
                                      (int)call->shared_bytes);
    if (code)
        return treefork_driver_error(device, TREEFORK_CUDA, code,
                                     "asking for dynamic shared memory");
    f->dynamic_bytes = (int)call->shared_bytes;
    return TREEFORK_OK;
}

static int cuda_launch(struct treefork_device *device, const struct treefork_call *call,
                       void **values)
{
    struct cuda *cuda = device->state;
    struct cuda_function *f = call->function.pointer;
    int status = call_prepare(device, call, f);
    if (status)
        return status;
    for (size_t i = 0; i < call->n_values; i++)
        values[i] = &call->values[i].as;
    values[call->n_values] = NULL;      /* tests/simulated counts them */
    unsigned rows = (unsigned)(call->blocks / call->grid_width);
    int code = cuda->api.launch(f->function, (unsigned)call->grid_width, rows, 1,
                                call->block_width, call->threads / call->block_width, 1,
                                (unsigned)call->shared_bytes, cuda->queue, values, NULL);
    return code ? treefork_driver_error(device, TREEFORK_CUDA, code, call->kernel) : TREEFORK_OK;
}

static int cuda_call(struct treefork_device *device, const struct treefork_call *call)
{
    void *few[TREEFORK_FEW + 1], **values = few;
    if (call->n_values > TREEFORK_FEW)
        values = calloc(call->n_values + 1, sizeof *values);
    if (!values)
        return treefork_fail(TREEFORK_MEMORY, "no memory for arguments");
    int status = treefork_cuda_enter(device);
    if (!status) {
        status = cuda_launch(device, call, values);
        treefork_cuda_leave(device);
    }
    if (values != few)
        free(values);
    return status;
}

static int cuda_wait(struct treefork_device *device, const char *what)
{
    struct cuda *cuda = device->state;
    int status = treefork_cuda_enter(device);
    if (status)
        return status;
    int code = cuda->queue ? cuda->api.stream_synchronize(cuda->queue)
                           : cuda->api.context_synchronize();
    if (!code && cuda->copies)
        code = cuda->api.stream_synchronize(cuda->copies);
    treefork_cuda_leave(device);
    return code ? treefork_driver_error(device, TREEFORK_CUDA, code, what) : TREEFORK_OK;
}

/* The stream for each thread is another one in each, and launches are in one order. */
static int queue_check(const void *queue)
{
    return (uintptr_t)queue != STREAM_PER_THREAD
               ? TREEFORK_OK
               : treefork_fail(TREEFORK_ARGUMENT,
                               "the stream per thread (CU_STREAM_PER_THREAD) keeps no order "
                               "between threads: give a stream that was created");
}

/* The context of a stream; of the legacy one that which is current. Asked in a context. */
static int queue_context(struct treefork_device *device, void *queue, void **context)
{
    const struct cuda_api *api = &((struct cuda *)device->state)->api;
    int status = queue_check(queue);
    if (status)
        return status;
    if (queue && !api->stream_context)
        return treefork_fail(TREEFORK_NO_DEVICE, "the CUDA driver has no cuStreamGetCtx");
    int code = queue ? api->stream_context(queue, context) : api->context_current(context);
    if (code)
        return treefork_driver_error(device, TREEFORK_CUDA, code, "looking at a stream");
    return *context ? TREEFORK_OK
                    : treefork_fail(TREEFORK_ARGUMENT, "no CUDA context is current in this thread");
}

static int cuda_queue_set(struct treefork_device *device, void *queue)
{
    struct cuda *cuda = device->state;
    void *context = cuda->context, *wanted = queue ? queue : cuda->own_queue;
    if (wanted == cuda->queue)
        return TREEFORK_OK;
    int status = queue ? treefork_cuda_enter(device) : TREEFORK_OK;
    if (!status && queue) {
        status = queue_context(device, queue, &context);
        treefork_cuda_leave(device);
    }
    if (!status && context != cuda->context)
        status = treefork_fail(TREEFORK_ARGUMENT, "the stream is of another context than %s",
                               device->name);
    if (!status)
        status = treefork_launches_wait(device);
    if (!status)
        cuda->queue = wanted;
    return status;
}

static const struct treefork_driver cuda_driver = {
    .kind = "cuda", .rows_max = GRID_ROWS_MAX, .threads_max = INT64_MAX, .close = cuda_close,
    .memory_is_address = true,
    .memory_new = treefork_cuda_memory_new, .memory_free = treefork_cuda_memory_free,
    .memory_write = treefork_cuda_memory_write, .memory_read = treefork_cuda_memory_read,
    .memory_copy = treefork_cuda_memory_copy, .join = treefork_cuda_join,
    .event_new = treefork_cuda_event_new, .event_free = treefork_cuda_event_free,
    .event_await = treefork_cuda_event_await,
    .memory_describe = treefork_cuda_memory_describe, .memory_part = treefork_cuda_memory_part,
    .memory_keep = treefork_cuda_memory_keep, .memory_leave = treefork_cuda_memory_leave,
    .memory_left = treefork_cuda_memory_left, .queue_set = cuda_queue_set,
    .program_key = treefork_cuda_program_key, .program_new = treefork_cuda_program_new,
    .program_load = treefork_cuda_program_load, .program_free = treefork_cuda_program_free,
    .function_new = treefork_cuda_function_new, .function_free = treefork_cuda_function_free,
    .function_registers = treefork_cuda_function_registers,
    .function_local = treefork_cuda_function_local,
    .call = cuda_call, .wait = cuda_wait, .choose = treefork_cuda_choose,
    .choose_instead = treefork_cuda_choose_instead,
    .is_general = treefork_cuda_is_general,
};

/* What the driver tells of cuda->device. */
static int cuda_describe(struct treefork_device *device, bool simulated)
{
    struct cuda *cuda = device->state;
    int major = 0, minor = 0;
    size_t bytes = 0;
    int code = cuda->api.device_name(device->name, (int)sizeof device->name, cuda->device);
    if (!code)
        code = cuda->api.device_attribute(&major, ATTRIBUTE_MAJOR, cuda->device);
    if (!code)
        code = cuda->api.device_attribute(&minor, ATTRIBUTE_MINOR, cuda->device);
    if (code)
        return treefork_driver_error(device, TREEFORK_CUDA, code, "opening the device");
    device->kind = simulated ? "simulated" : "cuda";
    cuda->architecture = 10 * major + minor;
    treefork_machine_clear(&device->enforced, "");
    snprintf(device->enforced.name, sizeof device->enforced.name, "%.*s",
             (int)sizeof device->enforced.name - 1, device->name);
    cuda_machine(cuda, &device->enforced);
    if (cuda->api.device_memory && !cuda->api.device_memory(&bytes, cuda->device))
        device->memory_all = device->memory_one = bytes;
    if (device->memory_all)
        device->enforced.value[TREEFORK_Z_D] = (int64_t)(bytes / 4);
    return TREEFORK_OK;
}

/* By number, with the primary context. */
static int cuda_retain(struct treefork_device *device, int index)
{
    struct cuda *cuda = device->state;
    int code = cuda->api.device_get(&cuda->device, index);
    if (!code)
        code = cuda->api.context_retain(&cuda->context, cuda->device);
    return code ? treefork_driver_error(device, TREEFORK_CUDA, code, "opening the device")
                : TREEFORK_OK;
}

/* With the context of the program's stream. */
static int cuda_join(struct treefork_device *device, void *queue)
{
    struct cuda *cuda = device->state;
    int status = queue_context(device, queue, &cuda->context);
    cuda->is_foreign = true;
    cuda->queue = cuda->own_queue = queue;
    if (!status)
        status = treefork_cuda_enter(device);
    if (status)
        return status;
    int code = cuda->api.context_device(&cuda->device);
    treefork_cuda_leave(device);
    return code ? treefork_driver_error(device, TREEFORK_CUDA, code, "opening the device")
                : TREEFORK_OK;
}

/* The driver, started. */
static int cuda_start(struct treefork_device *device, bool *simulated, int *count)
{
    int code = 0;
    struct cuda *cuda = calloc(1, sizeof *cuda);
    if (!cuda)
        return treefork_fail(TREEFORK_MEMORY, "no memory for a device");
    device->state = cuda;
    device->driver = &cuda_driver;
    if (!cuda_load(&cuda->api, simulated))
        return TREEFORK_NO_DEVICE;
    *count = cuda_found(&cuda->api, &code);
    return code ? treefork_driver_error(device, TREEFORK_CUDA, code, "starting the driver")
                : TREEFORK_OK;
}

static int cuda_finish(struct treefork_device *device, int status, bool simulated)
{
    if (!status)
        status = cuda_describe(device, simulated);
    if (status && device->state)
        cuda_close(device);
    return status;
}

int treefork_cuda_open(int index, struct treefork_device *device)
{
    bool simulated = false;
    int count = 0, status = cuda_start(device, &simulated, &count);
    if (!status && index >= count)
        status = treefork_fail(TREEFORK_NO_DEVICE, "CUDA has %d devices, numbered from 0", count);
    if (!status)
        status = cuda_retain(device, index);
    return cuda_finish(device, status, simulated);
}

int treefork_cuda_open_queue(void *queue, struct treefork_device *device)
{
    bool simulated = false;
    int count = 0, status = cuda_start(device, &simulated, &count);
    if (!status)
        status = cuda_join(device, queue);
    return cuda_finish(device, status, simulated);
}
