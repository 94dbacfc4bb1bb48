/* A CUDA driver and an OpenCL library in one that do nothing but memory, for tests of the runtime
   itself: its threads (built with ThreadSanitizer), its way out of every failure, its cost per
   launch. Only what runtime/cuda.def and runtime/opencl.def name.

   Kernels do nothing, but one: `add_one` adds 1 to the elements of its first argument, an array of
   int; the second is their number. Calls share no lock, so that a race of the runtime shows. What
   the driver handed out and did not get back is counted.

   A call that gives something back does so, even where it says that it failed.

   After null_late(1) a launch runs when its queue is waited for or a copy comes behind it in the
   same queue, not before: what is out of order shows. The legacy stream of CUDA is a queue of its
   own.

   NULL_FAIL=N: the N-th call fails, all others work; NULL_CODE=C with this number (999; OpenCL -5).
   NULL_TYPE=cpu: OpenCL devices share the host's memory. NULL_MEMORY=BYTES: what a device has. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES = 2, ARGUMENTS = 64 };

static _Atomic long calls, live;
static _Atomic size_t allocated;

const char *null_failed(void);
long null_calls(void);
long null_live(void);
void null_reset(void);

long null_calls(void)
{
    return atomic_load_explicit(&calls, memory_order_relaxed);
}

/* Objects that were handed out and not given back. */
long null_live(void)
{
    return atomic_load_explicit(&live, memory_order_relaxed);
}

/* The name of the function whose call failed; "" if none did. */
static const char *failed_in = "";
const char *null_failed(void)
{
    return failed_in;
}

void null_reset(void)
{
    failed_in = "";
    atomic_store(&calls, 0);
}

/* The environment is read once; a race of two first calls writes the same. */
static _Atomic long failing = -1;

static long code_wanted;

void null_fail(long call, long code);
void null_fail(long call, long code)
{
    code_wanted = code;
    atomic_store(&failing, call);
}

static long number_of(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text && *text ? atol(text) : otherwise;
}

static long code_or(long usual)
{
    return code_wanted ? code_wanted : number_of("NULL_CODE", usual);
}

/* From 1 to 0 the calls are those of the program itself, which neither count nor fail. */
static atomic_int is_own;
void null_own(int own);
void null_own(int own)
{
    atomic_store(&is_own, own);
}

static bool fails(const char *function)
{
    if (atomic_load_explicit(&is_own, memory_order_relaxed))
        return false;
    long call = atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed) + 1;
    long wanted = atomic_load_explicit(&failing, memory_order_relaxed);
    if (wanted < 0) {
        wanted = number_of("NULL_FAIL", 0);
        atomic_store_explicit(&failing, wanted, memory_order_relaxed);
    }
    if (call == wanted)
        failed_in = function;
    return call == wanted;
}

/* Objects stay reachable, so that what the library does not give back is counted here and is no
   leak of the driver's. */
enum { OBJECTS = 65536 };
static _Atomic(void *) objects[OBJECTS];
static atomic_uint last_object;

struct object {
    unsigned place;
    max_align_t content[];
};

static void *object_new(size_t size)
{
    struct object *o = calloc(1, sizeof *o + size);
    o->place = atomic_fetch_add_explicit(&last_object, 1, memory_order_relaxed) % OBJECTS;
    atomic_store_explicit(&objects[o->place], o, memory_order_relaxed);
    atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
    return o->content;
}

static void object_free(void *object)
{
    struct object *o = (struct object *)(void *)((char *)object - offsetof(struct object, content));
    atomic_store_explicit(&objects[o->place], NULL, memory_order_relaxed);
    atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
    free(o);
}

/* What was not given back goes with its context. */
void null_forget(void);
void null_forget(void)
{
    atomic_store(&live, 0);
}

static bool memory_take(size_t bytes)
{
    size_t most = (size_t)number_of("NULL_MEMORY", 1L << 30);
    if (atomic_fetch_add_explicit(&allocated, bytes, memory_order_relaxed) + bytes <= most)
        return true;
    atomic_fetch_sub_explicit(&allocated, bytes, memory_order_relaxed);
    return false;
}

static void memory_give(size_t bytes)
{
    atomic_fetch_sub_explicit(&allocated, bytes, memory_order_relaxed);
}

static void add_one(int *array, int count)
{
    for (int i = 0; i < count; i++)
        array[i]++;
}

struct function {
    bool adds;
    int n;
    unsigned char value[ARGUMENTS][8];
};

/* A stream or command queue, with what was launched and has not run. */
enum { LATE = 1024 };
struct queue {
    void *context, *device;
    uint64_t properties;
    int references, n, count[LATE];
    int *array[LATE];
    _Atomic long operations;
};

/* Those with late launches; programs with one thread have them. */
enum { LATE_QUEUES = LATE };
static struct queue *late_queues[LATE_QUEUES];
static unsigned last_late;
static atomic_bool is_late;
void null_late(int late);
void null_late(int late)
{
    atomic_store(&is_late, late != 0);
}

/* Launches and copies that this queue was given. */
long null_operations(const void *queue);
long null_operations(const void *queue)
{
    return ((const struct queue *)queue)->operations;
}

static void queue_run(struct queue *q)
{
    if (q->n == 0)
        return;
    for (int i = 0; i < q->n; i++)
        add_one(q->array[i], q->count[i]);
    q->n = 0;
}

static void queue_add(struct queue *q, int *array, int count)
{
    q->operations++;
    if (!atomic_load_explicit(&is_late, memory_order_relaxed) || q->n == LATE) {
        queue_run(q);
        add_one(array, count);
        return;
    }
    q->array[q->n] = array;
    q->count[q->n++] = count;
    late_queues[last_late++ % LATE_QUEUES] = q;
}

/* Memory is freed: what has not run on it never does, which nobody can see. */
static void queues_forget(const char *at, size_t bytes)
{
    if (!atomic_load_explicit(&is_late, memory_order_relaxed))
        return;
    for (int k = 0; k < LATE_QUEUES; k++) {
        struct queue *q = late_queues[k];
        for (int i = 0; q && i < q->n; i++)
            if ((char *)q->array[i] >= at && (char *)q->array[i] < at + bytes)
                q->count[i] = 0;
    }
}

/* A queue that fails to be waited for has lost what was in it. */
static int32_t queue_wait(struct queue *q, int32_t failed)
{
    if (failed && q->n)
        q->n = 0;
    queue_run(q);
    return failed;
}

static void queue_end(struct queue *q)
{
    for (int k = 0; k < LATE_QUEUES; k++)
        if (late_queues[k] == q)
            late_queues[k] = NULL;
    object_free(q);
}

static void queue_copy(struct queue *q, void *to, const void *from, size_t bytes)
{
    q->operations++;
    queue_run(q);
    memcpy(to, from, bytes);
}

static void function_name(struct function *f, const char *name)
{
    f->adds = strncmp(name, "add_one", 7) == 0;
}

struct memory {
    size_t bytes, offset;
    char *at;
    bool is_own;
    int references;
    void *context;
    struct memory *root;        /* of a part; NULL: it is none */
};

static struct memory *memory_new(void *host, size_t bytes)
{
    if (!memory_take(bytes))
        return NULL;
    struct memory *m = object_new(sizeof *m);
    m->bytes = bytes;
    m->is_own = !host;
    m->at = host ? host : malloc(bytes);
    m->references = 1;
    return m;
}

static void memory_end(struct memory *m)
{
    struct memory *root = m->root;
    if (--m->references > 0)
        return;
    if (!root)
        memory_give(m->bytes);
    if (m->is_own) {
        queues_forget(m->at, m->bytes);
        free(m->at);
    }
    object_free(m);
    if (root)
        memory_end(root);
}

/* --- CUDA ------------------------------------------------------------------------------------ */

#define CUDA_CALL() do { if (fails(__func__)) return (int)code_or(999); } while (0)
#define EXPORT(result, name, parameters) result name parameters; result name parameters

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
    atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
    *context = &primary[device];
    return 0;
}
EXPORT(int, cuDevicePrimaryCtxRelease_v2, (int device))
{
    (void)device;
    atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
    CUDA_CALL();
    return 0;
}
enum { DEEP = 16 };
static _Thread_local int depth;
static _Thread_local void *current[DEEP];
int null_depth(void);
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
    *left = *all - atomic_load_explicit(&allocated, memory_order_relaxed);
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

/* --- OpenCL ---------------------------------------------------------------------------------- */

#define CL_FAILS() (fails(__func__) ? (int32_t)code_or(-5) : 0)
#define CL_CALL() do { int32_t failed = CL_FAILS(); if (failed) return failed; } while (0)
#define CL_NEW(code) do { *(code) = CL_FAILS(); if (*(code)) return NULL; } while (0)

static int32_t answer(const void *from, size_t bytes, size_t size, void *value, size_t *needed)
{
    if (needed)
        *needed = bytes;
    if (value && size < bytes)
        return -30;
    if (value)
        memcpy(value, from, bytes);
    return 0;
}

static int32_t answer_text(const char *text, size_t size, void *value, size_t *needed)
{
    return answer(text, strlen(text) + 1, size, value, needed);
}

EXPORT(int32_t, clGetPlatformIDs, (uint32_t n, void **platforms, uint32_t *count))
{
    CL_CALL();
    if (platforms && n)
        platforms[0] = (void *)(uintptr_t)8;
    if (count)
        *count = 1;
    return 0;
}
static bool is_cpu(void)
{
    const char *type = getenv("NULL_TYPE");
    return type && strcmp(type, "cpu") == 0;
}
EXPORT(int32_t, clGetDeviceIDs,
       (void *platform, uint64_t type, uint32_t n, void **devices, uint32_t *count))
{
    CL_CALL();
    (void)platform;
    *count = 0;
    if (type != (is_cpu() ? 2u : 4u))
        return -1;
    for (uint32_t i = 0; i < DEVICES && i < n; i++)
        devices[(*count)++] = (void *)(uintptr_t)(16 + i);
    return 0;
}
EXPORT(int32_t, clGetDeviceInfo,
       (void *device, uint32_t what, size_t size, void *value, size_t *needed))
{
    uint64_t wide;
    uint32_t narrow;
    void *platform = (void *)(uintptr_t)8;
    CL_CALL();
    switch (what) {
    case 0x1000: wide = is_cpu() ? 2 : 4; return answer(&wide, sizeof wide, size, value, needed);
    case 0x1004: wide = 1024; return answer(&wide, sizeof wide, size, value, needed);
    case 0x101F:
    case 0x1010:
        wide = (uint64_t)number_of("NULL_MEMORY", 1L << 30);
        return answer(&wide, sizeof wide, size, value, needed);
    case 0x1023: wide = 49152; return answer(&wide, sizeof wide, size, value, needed);
    case 0x1002: narrow = 16; return answer(&narrow, sizeof narrow, size, value, needed);
    case 0x1035: narrow = is_cpu(); return answer(&narrow, sizeof narrow, size, value, needed);
    case 0x102B:
        return answer_text((uintptr_t)device == 16 ? "null device 0" : "null device 1", size, value,
                           needed);
    case 0x1031: return answer(&platform, sizeof platform, size, value, needed);
    case 0x1030:
    case 0x102C:
    case 0x102D:
    case 0x102F:
    case 0x103D: return answer_text("null", size, value, needed);
    }
    return -30;
}
EXPORT(int32_t, clGetPlatformInfo,
       (void *platform, uint32_t what, size_t size, void *value, size_t *needed))
{
    CL_CALL();
    (void)platform, (void)what;
    return answer_text("null", size, value, needed);
}
EXPORT(void *, clCreateContext,
       (const intptr_t *p, uint32_t n, void *const *devices,
        void (*f)(const char *, const void *, size_t, void *), void *data, int32_t *code))
{
    CL_NEW(code);
    (void)p, (void)n, (void)devices, (void)f, (void)data;
    int *references = object_new(sizeof *references);
    *references = 1;
    return references;
}
EXPORT(int32_t, clRetainContext, (void *context)) { CL_CALL(); ++*(int *)context; return 0; }
EXPORT(int32_t, clReleaseContext, (void *context))
{
    if (--*(int *)context == 0)
        object_free(context);
    CL_CALL();
    return 0;
}
EXPORT(void *, clCreateCommandQueue,
       (void *context, void *device, uint64_t properties, int32_t *code))
{
    CL_NEW(code);
    struct queue *q = object_new(sizeof *q);
    *q = (struct queue){
        .context = context, .device = device, .properties = properties, .references = 1};
    return q;
}
EXPORT(int32_t, clRetainCommandQueue, (void *queue))
{
    CL_CALL();
    ((struct queue *)queue)->references++;
    return 0;
}
EXPORT(int32_t, clReleaseCommandQueue, (void *queue))
{
    if (--((struct queue *)queue)->references == 0)
        queue_end(queue);
    CL_CALL();
    return 0;
}
EXPORT(int32_t, clGetCommandQueueInfo,
       (void *queue, uint32_t what, size_t size, void *value, size_t *needed))
{
    const struct queue *q = queue;
    CL_CALL();
    switch (what) {
    case 0x1090: return answer(&q->context, sizeof q->context, size, value, needed);
    case 0x1091: return answer(&q->device, sizeof q->device, size, value, needed);
    case 0x1093: return answer(&q->properties, sizeof q->properties, size, value, needed);
    }
    return -30;
}
EXPORT(void *, clCreateBuffer,
       (void *context, uint64_t flags, size_t bytes, void *host, int32_t *code))
{
    CL_NEW(code);
    (void)flags;
    struct memory *m = memory_new(host, bytes);
    *code = m ? 0 : -4;
    if (m)
        m->context = context;
    return m;
}
/* Parts begin at multiples of 128 bytes. */
EXPORT(void *, clCreateSubBuffer,
       (void *memory, uint64_t flags, uint32_t type, const void *info, int32_t *code))
{
    const size_t *region = info;
    struct memory *root = memory;
    CL_NEW(code);
    (void)flags;
    *code = root->root || type != 0x1220 || region[0] + region[1] > root->bytes ? -38
            : region[0] % 128                                                   ? -13
                                                                                : 0;
    if (*code)
        return NULL;
    struct memory *part = object_new(sizeof *part);
    *part = (struct memory){.bytes = region[1],
                            .offset = region[0],
                            .at = root->at + region[0],
                            .references = 1,
                            .context = root->context,
                            .root = root};
    root->references++;
    return part;
}
EXPORT(int32_t, clRetainMemObject, (void *memory))
{
    CL_CALL();
    ((struct memory *)memory)->references++;
    return 0;
}
EXPORT(int32_t, clGetMemObjectInfo,
       (void *memory, uint32_t what, size_t size, void *value, size_t *needed))
{
    const struct memory *m = memory;
    CL_CALL();
    switch (what) {
    case 0x1102: return answer(&m->bytes, sizeof m->bytes, size, value, needed);
    case 0x1106: return answer(&m->context, sizeof m->context, size, value, needed);
    case 0x1107: return answer(&m->root, sizeof m->root, size, value, needed);
    case 0x1108: return answer(&m->offset, sizeof m->offset, size, value, needed);
    }
    return -30;
}
EXPORT(int32_t, clReleaseMemObject, (void *memory)) { memory_end(memory); CL_CALL(); return 0; }
EXPORT(int32_t, clEnqueueWriteBuffer,
       (void *queue, void *memory, uint32_t blocking, size_t offset, size_t bytes, const void *from,
        uint32_t n, void *const *waits, void **event))
{
    CL_CALL();
    (void)blocking, (void)n, (void)waits, (void)event;
    queue_copy(queue, ((struct memory *)memory)->at + offset, from, bytes);
    return 0;
}
EXPORT(int32_t, clEnqueueReadBuffer,
       (void *queue, void *memory, uint32_t blocking, size_t offset, size_t bytes, void *to,
        uint32_t n, void *const *waits, void **event))
{
    CL_CALL();
    (void)blocking, (void)n, (void)waits, (void)event;
    queue_copy(queue, to, ((struct memory *)memory)->at + offset, bytes);
    return 0;
}
EXPORT(void *, clEnqueueMapBuffer,
       (void *queue, void *memory, uint32_t blocking, uint64_t flags, size_t offset, size_t bytes,
        uint32_t n, void *const *waits, void **event, int32_t *code))
{
    CL_NEW(code);
    (void)queue, (void)blocking, (void)flags, (void)bytes, (void)n, (void)waits, (void)event;
    return ((struct memory *)memory)->at + offset;
}
EXPORT(int32_t, clEnqueueUnmapMemObject,
       (void *queue, void *memory, void *at, uint32_t n, void *const *waits, void **event))
{
    CL_CALL();
    (void)queue, (void)memory, (void)at, (void)n, (void)waits, (void)event;
    return 0;
}

struct program {
    char *text;
};
EXPORT(void *, clCreateProgramWithSource,
       (void *context, uint32_t n, const char **texts, const size_t *lengths, int32_t *code))
{
    CL_NEW(code);
    (void)context, (void)n, (void)lengths;
    struct program *p = object_new(sizeof *p);
    p->text = strdup(texts[0]);
    return p;
}
EXPORT(void *, clCreateProgramWithBinary,
       (void *context, uint32_t n, void *const *devices, const size_t *sizes,
        const unsigned char **binaries, int32_t *state, int32_t *code))
{
    CL_NEW(code);
    (void)context, (void)n, (void)devices;
    struct program *p = object_new(sizeof *p);
    p->text = calloc(sizes[0] + 1, 1);
    memcpy(p->text, binaries[0], sizes[0]);
    if (state)
        *state = 0;
    return p;
}
EXPORT(int32_t, clGetProgramInfo,
       (void *program, uint32_t what, size_t size, void *value, size_t *needed))
{
    struct program *p = program;
    uint32_t one = 1;
    size_t length = strlen(p->text) + 1;
    CL_CALL();
    if (what == 0x1162)
        return answer(&one, sizeof one, size, value, needed);
    if (what == 0x1165)
        return answer(&length, sizeof length, size, value, needed);
    if (what == 0x1166)
        memcpy(*(unsigned char **)value, p->text, length);
    return 0;
}
EXPORT(int32_t, clBuildProgram,
       (void *program, uint32_t n, void *const *devices, const char *options,
        void (*f)(void *, void *), void *data))
{
    CL_CALL();
    (void)program, (void)n, (void)devices, (void)options, (void)f, (void)data;
    return 0;
}
EXPORT(int32_t, clGetProgramBuildInfo,
       (void *program, void *device, uint32_t what, size_t size, void *value, size_t *needed))
{
    CL_CALL();
    (void)program, (void)device, (void)what;
    return answer_text("the log", size, value, needed);
}
EXPORT(int32_t, clReleaseProgram, (void *program))
{
    free(((struct program *)program)->text);
    object_free(program);
    CL_CALL();
    return 0;
}

/* The parameters of `name` in the text, by their commas. */
static int parameters_of(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        const char *open = at + length;
        open += strspn(open, " ");
        if (*open != '(')
            continue;
        int n = 1, deep = 1;
        for (const char *c = open + 1; *c && deep; c++) {
            deep += (*c == '(') - (*c == ')');
            n += *c == ',' && deep == 1;
        }
        return n;
    }
    return 0;
}

EXPORT(void *, clCreateKernel, (void *program, const char *name, int32_t *code))
{
    CL_NEW(code);
    struct function *f = object_new(sizeof *f);
    function_name(f, name);
    f->n = parameters_of(((struct program *)program)->text, name);
    return f;
}
EXPORT(int32_t, clReleaseKernel, (void *kernel)) { object_free(kernel); CL_CALL(); return 0; }
EXPORT(int32_t, clGetKernelInfo,
       (void *kernel, uint32_t what, size_t size, void *value, size_t *needed))
{
    uint32_t n = (uint32_t)((struct function *)kernel)->n;
    CL_CALL();
    (void)what;
    return answer(&n, sizeof n, size, value, needed);
}
EXPORT(int32_t, clGetKernelWorkGroupInfo,
       (void *kernel, void *device, uint32_t what, size_t size, void *value, size_t *needed))
{
    size_t threads = 1024, required[3] = {0};
    uint64_t local = 0;
    CL_CALL();
    (void)kernel, (void)device;
    if (what == 0x11B0)
        return answer(&threads, sizeof threads, size, value, needed);
    if (what == 0x11B1)
        return answer(required, sizeof required, size, value, needed);
    return answer(&local, sizeof local, size, value, needed);
}
EXPORT(int32_t, clSetKernelArg, (void *kernel, uint32_t i, size_t size, const void *value))
{
    struct function *f = kernel;
    CL_CALL();
    if (i < ARGUMENTS && value)
        memcpy(f->value[i], value, size > 8 ? 8 : size);
    return 0;
}
EXPORT(int32_t, clEnqueueNDRangeKernel,
       (void *queue, void *kernel, uint32_t dimensions, const size_t *offset, const size_t *total,
        const size_t *threads, uint32_t n, void *const *waits, void **event))
{
    struct function *f = kernel;
    CL_CALL();
    (void)dimensions, (void)offset, (void)total, (void)threads, (void)n, (void)waits, (void)event;
    if (f->adds) {
        struct memory *m;
        int count;
        memcpy(&m, f->value[0], sizeof m);
        memcpy(&count, f->value[1], sizeof count);
        queue_add(queue, (int *)(void *)m->at, count);
    }
    return 0;
}
EXPORT(int32_t, clFlush, (void *queue)) { CL_CALL(); (void)queue; return 0; }
EXPORT(int32_t, clFinish, (void *queue)) { return queue_wait(queue, CL_FAILS()); }
