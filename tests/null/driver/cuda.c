/* The null driver as CUDA's driver: the functions of runtime/cuda.def. */
#include "driver.h"

#define CUDA_CALL() do { if (fails(__func__)) return (int)code_or(999); } while (0)

EXPORT(int, cuInit, (unsigned flags)) { CUDA_CALL(); (void)flags; return 0; }
EXPORT(int, cuDeviceGetCount, (int *count)) { CUDA_CALL(); *count = DEVICES; return 0; }
EXPORT(int, cuDeviceGet, (int *device, int index)) { CUDA_CALL(); *device = index; return 0; }
EXPORT(int, cuDeviceGetName, (char *name, int size, int device))
{
    CUDA_CALL();
    snprintf(name, (size_t)size, "null device %d", device);
    return 0;
}
EXPORT(int, cuDeviceGetAttribute, (int *value, int attribute, int device))
{
    static const struct { int attribute, value;
    } known[] = {{1, 1024},  {8, 49152}, {97, 101376}, {10, 32},     {12, 65536}, {16, 4},
                 {39, 1536}, {75, 8},    {76, 6},      {81, 102400}, {82, 65536}, {106, 16}};
    CUDA_CALL();
    (void)device;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].attribute == attribute)
            return *value = known[i].value, 0;
    return 1;
}
EXPORT(int, cuDeviceTotalMem_v2, (size_t *bytes, int device))
{
    CUDA_CALL();
    (void)device;
    *bytes = (size_t)number_of("NULL_MEMORY", 1L << 30);
    return 0;
}
/* The contexts, each with its legacy stream. */
static struct queue primary[DEVICES];
EXPORT(int, cuDevicePrimaryCtxRetain, (void **context, int device))
{
    CUDA_CALL();
    live_add(1);
    *context = &primary[device];
    return 0;
}
EXPORT(int, cuDevicePrimaryCtxRelease_v2, (int device))
{
    (void)device;
    live_add(-1);
    CUDA_CALL();
    return 0;
}
enum { DEEP = 16 };
static _Thread_local int depth;
static _Thread_local void *current[DEEP];
int null_depth(void) { return depth; }
EXPORT(int, cuCtxPushCurrent_v2, (void *context))
{
    CUDA_CALL();
    current[depth++ % DEEP] = context;
    return 0;
}
EXPORT(int, cuCtxPopCurrent_v2, (void **context))
{
    depth--;
    CUDA_CALL();
    *context = NULL;
    return 0;
}
static void *context_current(void) { return depth > 0 ? current[(depth - 1) % DEEP] : NULL; }
EXPORT(int, cuCtxGetCurrent, (void **context))
{
    CUDA_CALL();
    *context = context_current();
    return 0;
}
EXPORT(int, cuCtxGetDevice, (int *device))
{
    CUDA_CALL();
    if (depth < 1)
        return 201;
    *device = (int)((struct queue *)context_current() - primary);
    return 0;
}
EXPORT(int, cuStreamCreate, (void **stream, unsigned flags))
{
    CUDA_CALL();
    (void)flags;
    struct queue *q = object_new(sizeof *q);
    q->context = context_current();
    *stream = q;
    return depth > 0 ? 0 : 201;
}
EXPORT(int, cuStreamDestroy_v2, (void *stream)) { queue_end(stream); CUDA_CALL(); return 0; }
EXPORT(int, cuStreamGetCtx, (void *stream, void **context))
{
    CUDA_CALL();
    *context = ((struct queue *)stream)->context;
    return 0;
}
static int cuda_fails(const char *function) { return fails(function) ? (int)code_or(999) : 0; }
EXPORT(int, cuStreamSynchronize, (void *stream))
{
    int failed = queue_wait(stream, cuda_fails(__func__));
    return failed || depth > 0 ? failed : 201;
}
EXPORT(int, cuCtxSynchronize, (void))
{
    int failed = cuda_fails(__func__);
    return depth > 0 ? queue_wait(context_current(), failed) : failed ? failed : 201;
}
/* Everything that cuMemAlloc gave is of the device that is current. */
EXPORT(int, cuPointerGetAttribute, (void *value, int attribute, uint64_t address))
{
    CUDA_CALL();
    if (address < 4096)
        return 1;
    *(int *)value = attribute == 2   ? 2
                    : attribute == 9 ? (int)((struct queue *)context_current() - primary)
                                     : 0;
    return 0;
}
EXPORT(int, cuMemGetInfo_v2, (size_t *left, size_t *all))
{
    CUDA_CALL();
    *all = (size_t)number_of("NULL_MEMORY", 1L << 30);
    *left = *all - memory_taken();
    return 0;
}
EXPORT(int, cuMemAlloc_v2, (uint64_t *address, size_t bytes))
{
    CUDA_CALL();
    if (depth < 1)
        return 201;
    size_t *at = memory_take(bytes) ? object_new(bytes + 64) : NULL;
    if (!at)
        return 2;
    *at = bytes;
    *address = (uint64_t)(uintptr_t)at + 64;
    return 0;
}
EXPORT(int, cuMemFree_v2, (uint64_t address))
{
    size_t *at = (size_t *)(uintptr_t)(address - 64);
    queues_forget((char *)at + 64, *at);
    memory_give(*at);
    object_free(at);
    CUDA_CALL();
    return 0;
}
EXPORT(int, cuMemcpyHtoD_v2, (uint64_t to, const void *from, size_t bytes))
{
    CUDA_CALL();
    queue_copy(context_current(), (void *)(uintptr_t)to, from, bytes);
    return 0;
}
EXPORT(int, cuMemcpyDtoH_v2, (void *to, uint64_t from, size_t bytes))
{
    CUDA_CALL();
    queue_copy(context_current(), to, (const void *)(uintptr_t)from, bytes);
    return 0;
}
EXPORT(int, cuMemcpyHtoDAsync_v2, (uint64_t to, const void *from, size_t bytes, void *stream))
{
    CUDA_CALL();
    queue_copy(stream, (void *)(uintptr_t)to, from, bytes);
    return 0;
}
EXPORT(int, cuMemcpyDtoHAsync_v2, (void *to, uint64_t from, size_t bytes, void *stream))
{
    CUDA_CALL();
    queue_copy(stream, to, (const void *)(uintptr_t)from, bytes);
    return 0;
}
/* A module owns its functions. */
struct module {
    struct function functions[16];
    int n;
};
EXPORT(int, cuModuleLoadDataEx,
       (void **module, const void *image, unsigned n, int *options, void **values))
{
    CUDA_CALL();
    (void)image, (void)n, (void)options, (void)values;
    *module = object_new(sizeof(struct module));
    return 0;
}
EXPORT(int, cuModuleUnload, (void *module)) { object_free(module); CUDA_CALL(); return 0; }
EXPORT(int, cuModuleGetFunction, (void **function, void *module, const char *name))
{
    struct module *m = module;
    CUDA_CALL();
    if (m->n == 16)
        return 500;
    function_name(&m->functions[m->n], name);
    *function = &m->functions[m->n++];
    return 0;
}
EXPORT(int, cuFuncGetAttribute, (int *value, int attribute, void *function))
{
    CUDA_CALL();
    (void)function;
    *value = attribute == 0 ? 1024 : 0;
    return 0;
}
EXPORT(int, cuFuncSetAttribute, (void *function, int attribute, int value))
{
    CUDA_CALL();
    (void)function, (void)attribute, (void)value;
    return 0;
}
EXPORT(int, cuLaunchKernel,
       (void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
        unsigned bz, unsigned shared, void *stream, void **values, void **extra))
{
    struct function *f = function;
    CUDA_CALL();
    (void)gx, (void)gy, (void)gz, (void)bx, (void)by, (void)bz, (void)shared, (void)extra;
    if (depth < 1)
        return 201;
    if (f->adds) {
        uint64_t address;
        int count;
        memcpy(&address, values[0], sizeof address);
        memcpy(&count, values[1], sizeof count);
        queue_add(stream ? stream : context_current(), (int *)(uintptr_t)address, count);
    }
    return 0;
}
EXPORT(int, cuLinkCreate_v2, (unsigned n, int *options, void **values, void **state))
{
    CUDA_CALL();
    (void)n, (void)options, (void)values;
    *state = object_new(8);
    return 0;
}
EXPORT(int, cuLinkAddData_v2,
       (void *state, int type, void *data, size_t size, const char *name, unsigned n, int *options,
        void **values))
{
    CUDA_CALL();
    (void)state, (void)type, (void)data, (void)size, (void)name, (void)n, (void)options,
        (void)values;
    return 0;
}
EXPORT(int, cuLinkComplete, (void *state, void **cubin, size_t *size))
{
    static char image[] = "\177ELF of the null driver";
    CUDA_CALL();
    (void)state;
    *cubin = image;
    *size = sizeof image;
    return 0;
}
EXPORT(int, cuLinkDestroy, (void *state)) { object_free(state); CUDA_CALL(); return 0; }
EXPORT(int, cuDriverGetVersion, (int *version)) { CUDA_CALL(); *version = 12040; return 0; }
