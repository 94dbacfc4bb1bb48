/* The null driver as an OpenCL library: the functions of runtime/opencl.def. */
#include "driver.h"

#define CL_FAILS() (fails(__func__) ? (int32_t)code_or(-5) : 0)
#define CL_CALL() do { int32_t failed = CL_FAILS(); if (failed) return failed; } while (0)
#define CL_NEW(code) do { *(code) = CL_FAILS(); if (*(code)) return NULL; } while (0)

struct memory {
    size_t bytes, offset;
    char *at;
    bool is_own;
    int references;
    void *context;
    struct memory *root;        /* of a part; NULL: it is none */
    long number;                /* no other has had it */
};

static _Atomic long memories;

static struct memory *memory_new(void *host, size_t bytes)
{
    if (!memory_take(bytes))
        return NULL;
    struct memory *m = object_new(sizeof *m);
    m->bytes = bytes;
    m->is_own = !host;
    m->at = host ? host : malloc(bytes);
    m->references = 1;
    m->number = ++memories;
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
/* An event stands for all that its queue was given; whoever waits for it has it done. */
struct event {
    struct queue *queue;
};
static void event_give(void *queue, void **event)
{
    if (!event)
        return;
    struct event *e = object_new(sizeof *e);
    e->queue = queue;
    *event = e;
}
EXPORT(int32_t, clEnqueueMarkerWithWaitList,
       (void *queue, uint32_t n, void *const *waits, void **event))
{
    CL_CALL();
    (void)n, (void)waits;
    event_give(queue, event);
    return 0;
}
EXPORT(int32_t, clEnqueueBarrierWithWaitList,
       (void *queue, uint32_t n, void *const *waits, void **event))
{
    CL_CALL();
    (void)queue, (void)event;
    for (uint32_t i = 0; i < n; i++)
        queue_wait(((struct event *)waits[i])->queue, 0);
    return 0;
}
EXPORT(int32_t, clReleaseEvent, (void *event)) { object_free(event); CL_CALL(); return 0; }
EXPORT(int32_t, clEnqueueCopyBuffer,
       (void *queue, void *source, void *target, size_t from, size_t to, size_t bytes, uint32_t n,
        void *const *waits, void **event))
{
    CL_CALL();
    (void)n, (void)waits;
    event_give(queue, event);
    queue_copy(queue, ((struct memory *)target)->at + to, ((struct memory *)source)->at + from,
               bytes);
    return 0;
}
/* Lines of bytes; where each side begins, and how far its lines lie apart. */
struct lines {
    char *to;
    const char *from;
    size_t to_pitch, from_pitch;
};
static int32_t rect_copy(void *queue, struct lines lines, const size_t *region)
{
    for (size_t i = 0; i < region[1]; i++)
        queue_copy(queue, lines.to + i * lines.to_pitch, lines.from + i * lines.from_pitch,
                   region[0]);
    return 0;
}
static char *rect_at(void *memory, const size_t *origin, size_t pitch)
{
    return ((struct memory *)memory)->at + origin[1] * pitch + origin[0];
}
EXPORT(int32_t, clEnqueueWriteBufferRect,
       (void *queue, void *memory, uint32_t blocking, const size_t *origin, const size_t *host,
        const size_t *region, size_t pitch, size_t slice, size_t host_pitch, size_t host_slice,
        const void *from, uint32_t n, void *const *waits, void **event))
{
    CL_CALL();
    (void)blocking, (void)host, (void)slice, (void)host_slice, (void)n, (void)waits, (void)event;
    return rect_copy(queue, (struct lines){rect_at(memory, origin, pitch), from, pitch, host_pitch},
                     region);
}
EXPORT(int32_t, clEnqueueReadBufferRect,
       (void *queue, void *memory, uint32_t blocking, const size_t *origin, const size_t *host,
        const size_t *region, size_t pitch, size_t slice, size_t host_pitch, size_t host_slice,
        void *to, uint32_t n, void *const *waits, void **event))
{
    CL_CALL();
    (void)blocking, (void)host, (void)slice, (void)host_slice, (void)n, (void)waits, (void)event;
    return rect_copy(queue, (struct lines){to, rect_at(memory, origin, pitch), host_pitch, pitch},
                     region);
}
EXPORT(int32_t, clEnqueueCopyBufferRect,
       (void *queue, void *source, void *target, const size_t *from, const size_t *to,
        const size_t *region, size_t from_pitch, size_t from_slice, size_t to_pitch,
        size_t to_slice, uint32_t n, void *const *waits, void **event))
{
    CL_CALL();
    (void)from_slice, (void)to_slice, (void)n, (void)waits;
    event_give(queue, event);
    return rect_copy(queue, (struct lines){rect_at(target, to, to_pitch),
                                           rect_at(source, from, from_pitch), to_pitch, from_pitch},
                     region);
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
    bool is_part;               /* kernels have the two arguments of parts */
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
    (void)n, (void)devices, (void)f, (void)data;
    ((struct program *)program)->is_part = options && strstr(options, "-DTREEFORK_PART");
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

/* The parameters of `name` in the text, by their commas; of a part also its two numbers and, for
   each array, where its window begins. */
static int parameters_of(const char *text, const char *name, bool is_part)
{
    static const char window[] = "TREEFORK_FROM(";
    size_t length = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        const char *open = at + length;
        open += strspn(open, " ");
        if (*open != '(')
            continue;
        int n = is_part ? 3 : 1, deep = 1;
        for (const char *c = open + 1; *c && deep; c++) {
            bool begins = is_part && !strncmp(c, window, sizeof window - 1);
            deep += (*c == '(') - (*c == ')');
            n += begins || (*c == ',' && deep == 1);
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
    f->is_part = ((struct program *)program)->is_part;
    f->n = parameters_of(((struct program *)program)->text, name, f->is_part);
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
    if ((int)i == f->place)
        f->memory = (*(struct memory *const *)value)->number;
    return 0;
}
/* The memory of an argument; NULL if it was given back meanwhile. */
static struct memory *argument_memory(const struct function *f, int argument)
{
    struct memory *m;
    memcpy(&m, f->value[argument], sizeof m);
    return m->number == f->memory ? m : NULL;
}

static int argument_int(const struct function *f, int argument)
{
    int value;
    memcpy(&value, f->value[argument], sizeof value);
    return value;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* The memory of a part is a window, which begins where its last argument says. */
static void blocks_add(struct queue *queue, const struct function *f, struct memory *m, int blocks)
{
    int block = argument_int(f, 0), all = argument_int(f, 1);
    int first = f->is_part ? block * argument_int(f, 3) : 0;
    int64_t window = 0;
    if (f->is_part)
        memcpy(&window, f->value[5], sizeof window);
    queue_add(queue, (int *)(void *)(m->at - window) + first,
              least(all, first + block * blocks) - first);
}

EXPORT(int32_t, clEnqueueNDRangeKernel,
       (void *queue, void *kernel, uint32_t dimensions, const size_t *offset, const size_t *total,
        const size_t *threads, uint32_t n, void *const *waits, void **event))
{
    struct function *f = kernel;
    CL_CALL();
    (void)dimensions, (void)offset, (void)n, (void)waits, (void)event;
    if (f->place < 0)
        return 0;
    struct memory *m = argument_memory(f, f->place);
    if (!m)
        return -52;
    if (f->adds)
        queue_add(queue, (int *)(void *)m->at, argument_int(f, 1));
    else
        blocks_add(queue, f, m, (int)(total[0] / threads[0]));
    return 0;
}
EXPORT(int32_t, clFlush, (void *queue)) { CL_CALL(); (void)queue; return 0; }
EXPORT(int32_t, clFinish, (void *queue)) { return queue_wait(queue, CL_FAILS()); }
