/* Start, devices, contexts and memory of the simulated driver. Environment:
   TREEFORK_SIMULATED_MACHINE (a machine file, the limits of the device; by default only compute
   capability 8.0 is told), TREEFORK_SIMULATED_MEMORY (bytes of device memory),
   TREEFORK_SIMULATED_FAIL (an injected error), TREEFORK_SIMULATED_SEED (order of threads).
   Invariant: every handle that comes in is looked up in what was given out. Source: CUDA driver API
   reference. */
#include "tests/simulated/simulated.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    ATTRIBUTE_SHARED_DEFAULT = 8,
    ATTRIBUTE_MAJOR = 75,
    ATTRIBUTE_MINOR = 76,
    SHARED_DEFAULT = 49152,
    ALIGNMENT = 256
};

/* The runtime asks for this name to know that no device stands behind the numbers. */
int treefork_simulated_driver(void);
int treefork_simulated_driver(void)
{
    return 1;
}

struct sim *simulated(void)
{
    static struct sim state;
    return &state;
}

int sim_fail(int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "simulated driver: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, " (error %d)\n", code);
    va_end(arguments);
    return code;
}

static int injected(const char *symbol)
{
    static int seen;
    const char *text = getenv("TREEFORK_SIMULATED_FAIL");
    size_t length = strlen(symbol);
    if (!text || strncmp(text, symbol, length) != 0 || text[length] != ':')
        return CU_OK;
    char *rest;
    long when = strtol(text + length + 1, &rest, 10);
    return ++seen == when && *rest == '=' ? (int)strtol(rest + 1, NULL, 10) : CU_OK;
}

int sim_enter(const char *symbol, bool needs_context)
{
    struct sim *sim = simulated();
    if (sim->lost)
        return sim->lost;
    int code = injected(symbol);
    if (code >= CU_ILLEGAL_ADDRESS && code != CU_OUT_OF_RESOURCES)
        sim->lost = code;
    if (code)
        return sim_fail(code, "%s fails as asked", symbol);
    if (!sim->started)
        return sim_fail(CU_NOT_INITIALIZED, "%s before cuInit", symbol);
    if (needs_context && sim->depth < 1)
        return sim_fail(CU_INVALID_CONTEXT, "%s without a current context", symbol);
    return CU_OK;
}

int cuInit(unsigned flags)
{
    struct sim *sim = simulated();
    const char *path = getenv("TREEFORK_SIMULATED_MACHINE"),
               *memory = getenv("TREEFORK_SIMULATED_MEMORY");
    const char *seed = getenv("TREEFORK_SIMULATED_SEED"),
               *plain = "{\"name\": \"simulated device\", \"architecture\": 80}";
    if (flags)
        return sim_fail(CU_INVALID_VALUE, "cuInit with flags");
    int status = path ? treefork_machine_read(path, &sim->machine)
                      : treefork_machine_parse(plain, strlen(plain), "simulated", &sim->machine);
    if (status)
        return sim_fail(CU_NO_DEVICE, "%s", treefork_message());
    sim->memory_limit = memory ? strtoull(memory, NULL, 10) : (size_t)1 << 30;
    sim->seed = seed ? strtoull(seed, NULL, 10) : 0;
    sim->started = true;
    return CU_OK;
}

/* TREEFORK_SIMULATED_VERSION, so that tests see what another driver changes. */
int cuDriverGetVersion(int *version)
{
    const char *text = getenv("TREEFORK_SIMULATED_VERSION");
    *version = text ? atoi(text) : 13000;
    return CU_OK;
}

int cuDeviceGetCount(int *count)
{
    int code = sim_enter("cuDeviceGetCount", false);
    *count = code ? 0 : 1;
    return code;
}

int cuDeviceGet(int *device, int index)
{
    int code = sim_enter("cuDeviceGet", false);
    *device = 0;
    return code || index == 0 ? code : sim_fail(CU_INVALID_DEVICE, "device %d", index);
}

int cuDeviceGetName(char *name, int room, int device)
{
    int code = sim_enter("cuDeviceGetName", false);
    if (code || device != 0 || room < 1)
        return code ? code : CU_INVALID_DEVICE;
    snprintf(name, (size_t)room, "%s", simulated()->machine.name);
    return CU_OK;
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    static const int attributes[TREEFORK_PARAMETERS] = {
#define X(symbol, key, unit, lo, hi, cuda, opencl, fallback) [TREEFORK_##symbol] = cuda,
#include "runtime/machine.def"
#undef X
    };
    const int64_t *machine = simulated()->machine.value;
    int64_t told = TREEFORK_UNLIMITED;
    int code = sim_enter("cuDeviceGetAttribute", false);
    if (code || device != 0)
        return code ? code : CU_INVALID_DEVICE;
    for (int i = 0; i < TREEFORK_PARAMETERS; i++)
        if (attributes[i] == attribute && machine[i] != TREEFORK_UNLIMITED)
            told = i == TREEFORK_Z_B || i == TREEFORK_Z_M || i == TREEFORK_Z_R ? 4 * machine[i]
                                                                               : machine[i];
    if (attribute == ATTRIBUTE_SHARED_DEFAULT)
        told =
            machine[TREEFORK_Z_B] < SHARED_DEFAULT / 4 ? 4 * machine[TREEFORK_Z_B] : SHARED_DEFAULT;
    if (attribute == ATTRIBUTE_MAJOR || attribute == ATTRIBUTE_MINOR)
        told =
            attribute == ATTRIBUTE_MAJOR ? machine[TREEFORK_A_D] / 10 : machine[TREEFORK_A_D] % 10;
    if (told > INT32_MAX)
        return CU_INVALID_VALUE;
    *value = (int)told;
    return CU_OK;
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
    int code = sim_enter("cuDevicePrimaryCtxRetain", false);
    if (code || device != 0)
        return code ? code : CU_INVALID_DEVICE;
    simulated()->retained++;
    *context = simulated();
    return CU_OK;
}

/* The last release says what the program forgot to free. */
int cuDevicePrimaryCtxRelease_v2(int device)
{
    struct sim *sim = simulated();
    int arrays = 0;
    if (device != 0 || sim->retained < 1)
        return sim_fail(CU_INVALID_CONTEXT, "a context is released that is not retained");
    if (--sim->retained > 0)
        return CU_OK;
    while (sim->memory) {
        struct sim_memory *memory = sim->memory;
        sim->memory = memory->next;
        free(memory->data);
        free(memory);
        arrays++;
    }
    int modules = sim_modules_free(), links = sim_links_free();
    if (sim->ctx)
        ctx_free(sim->ctx);
    if (!sim->lost && (arrays || modules || links || sim->depth))
        sim_fail(CU_OK, "left behind: %d arrays, %d modules, %d links, %d pushed contexts", arrays,
                 modules, links, sim->depth);
    sim->ctx = NULL;
    sim->ir = NULL;
    sim->memory_used = 0;
    return CU_OK;
}

int cuCtxPushCurrent_v2(void *context)
{
    struct sim *sim = simulated();
    int code = sim_enter("cuCtxPushCurrent_v2", false);
    if (code || context != sim || sim->retained < 1)
        return code ? code : sim_fail(CU_INVALID_CONTEXT, "an unknown context is pushed");
    sim->depth++;
    return CU_OK;
}

int cuCtxPopCurrent_v2(void **context)
{
    struct sim *sim = simulated();
    if (sim->depth < 1)
        return sim_fail(CU_INVALID_CONTEXT, "no context to pop");
    sim->depth--;
    *context = sim;
    return CU_OK;
}

int cuCtxGetCurrent(void **context)
{
    struct sim *sim = simulated();
    int code = sim_enter("cuCtxGetCurrent", false);
    *context = sim->depth > 0 ? sim : NULL;
    return code;
}

int cuCtxGetDevice(int *device)
{
    *device = 0;
    return sim_enter("cuCtxGetDevice", true);
}

/* A stream is a number below a few; everything in it is done at once. */
bool sim_is_stream(const void *stream)
{
    return !stream || ((const char *)stream > simulated()->streams &&
                       (const char *)stream <= simulated()->streams + simulated()->n_streams);
}

static int sim_stream(const char *symbol, const void *stream)
{
    int code = sim_enter(symbol, true);
    return code || sim_is_stream(stream)
               ? code
               : sim_fail(CU_INVALID_VALUE, "%s: an unknown stream", symbol);
}

int cuStreamCreate(void **stream, unsigned flags)
{
    struct sim *sim = simulated();
    int code = sim_enter("cuStreamCreate", true);
    if (code || flags > 1 || sim->n_streams + 1 >= SIM_STREAMS)
        return code ? code : sim_fail(CU_INVALID_VALUE, "a stream too many");
    *stream = &sim->streams[++sim->n_streams];
    return CU_OK;
}

int cuStreamGetCtx(void *stream, void **context)
{
    *context = simulated();
    return sim_stream("cuStreamGetCtx", stream);
}

int cuStreamSynchronize(void *stream)
{
    return sim_stream("cuStreamSynchronize", stream);
}

int cuCtxSynchronize(void)
{
    return sim_enter("cuCtxSynchronize", true);
}

struct sim_memory *sim_memory_of(uint64_t at, size_t bytes)
{
    struct sim_memory *memory = simulated()->memory;
    for (; memory; memory = memory->next) {
        uint64_t start = (uint64_t)(uintptr_t)memory->data;
        if (at >= start && at - start <= memory->bytes && bytes <= memory->bytes - (at - start))
            break;
    }
    return memory;
}

int cuMemAlloc_v2(uint64_t *at, size_t bytes)
{
    struct sim *sim = simulated();
    int code = sim_enter("cuMemAlloc_v2", true);
    if (code)
        return code;
    if (bytes == 0)
        return sim_fail(CU_INVALID_VALUE, "an allocation of no bytes");
    struct sim_memory *memory =
        bytes > sim->memory_limit - sim->memory_used ? NULL : calloc(1, sizeof *memory);
    char *data =
        memory ? aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT) : NULL;
    if (!data) {
        free(memory);
        return CU_OUT_OF_MEMORY;
    }
    memset(data, 0xa5, bytes);
    *memory = (struct sim_memory){ .next = sim->memory, .data = data, .bytes = bytes };
    sim->memory = memory;
    sim->memory_used += bytes;
    *at = (uint64_t)(uintptr_t)data;
    return CU_OK;
}

int cuMemFree_v2(uint64_t at)
{
    struct sim *sim = simulated();
    struct sim_memory **place = &sim->memory, *memory;
    int code = sim_enter("cuMemFree_v2", true);
    if (code)
        return code;
    while (*place && (uint64_t)(uintptr_t)(*place)->data != at)
        place = &(*place)->next;
    memory = *place;
    if (!memory)
        return sim_fail(CU_INVALID_VALUE, "memory is freed that was not allocated");
    *place = memory->next;
    sim->memory_used -= memory->bytes;
    free(memory->data);
    free(memory);
    return CU_OK;
}

/* Memory of the device alone, of device 0. */
int cuPointerGetAttribute(void *value, int attribute, uint64_t at)
{
    enum { TYPE = 2, TYPE_DEVICE = 2, IS_MANAGED = 8, ORDINAL = 9 };
    int code = sim_enter("cuPointerGetAttribute", true);
    if (code || !sim_memory_of(at, 1))
        return code ? code : CU_INVALID_VALUE;
    if (attribute != TYPE && attribute != IS_MANAGED && attribute != ORDINAL)
        return CU_INVALID_VALUE;
    *(int *)value = attribute == TYPE ? TYPE_DEVICE : 0;
    return CU_OK;
}

int cuMemGetInfo_v2(size_t *left, size_t *all)
{
    *all = simulated()->memory_limit;
    *left = *all - simulated()->memory_used;
    return sim_enter("cuMemGetInfo_v2", true);
}

int cuMemcpyHtoDAsync_v2(uint64_t at, const void *host, size_t bytes, void *stream)
{
    int code = sim_stream("cuMemcpyHtoDAsync_v2", stream);
    return code ? code : cuMemcpyHtoD_v2(at, host, bytes);
}

int cuMemcpyDtoHAsync_v2(void *host, uint64_t at, size_t bytes, void *stream)
{
    int code = sim_stream("cuMemcpyDtoHAsync_v2", stream);
    return code ? code : cuMemcpyDtoH_v2(host, at, bytes);
}

int cuMemcpyHtoD_v2(uint64_t at, const void *host, size_t bytes)
{
    int code = sim_enter("cuMemcpyHtoD_v2", true);
    if (code || !sim_memory_of(at, bytes))
        return code ? code
                    : sim_fail(CU_INVALID_VALUE, "a copy of %zu bytes leaves its array", bytes);
    memcpy((void *)(uintptr_t)at, host, bytes);
    return CU_OK;
}

int cuMemcpyDtoH_v2(void *host, uint64_t at, size_t bytes)
{
    int code = sim_enter("cuMemcpyDtoH_v2", true);
    if (code || !sim_memory_of(at, bytes))
        return code ? code
                    : sim_fail(CU_INVALID_VALUE, "a copy of %zu bytes leaves its array", bytes);
    memcpy(host, (const void *)(uintptr_t)at, bytes);
    return CU_OK;
}
