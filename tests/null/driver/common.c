/* What both interfaces stand on: counted calls, objects, memory of the device, queues. */
#include "driver.h"

static _Atomic long calls, live;
static _Atomic size_t allocated;

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

void null_fail(long call, long code)
{
    code_wanted = code;
    atomic_store(&failing, call);
}

long number_of(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text && *text ? atol(text) : otherwise;
}

long code_or(long usual)
{
    return code_wanted ? code_wanted : number_of("NULL_CODE", usual);
}

/* From 1 to 0 the calls are those of the program itself, which neither count nor fail. */
static atomic_int is_own;
void null_own(int own)
{
    atomic_store(&is_own, own);
}

bool fails(const char *function)
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

void live_add(long n)
{
    atomic_fetch_add_explicit(&live, n, memory_order_relaxed);
}

void *object_new(size_t size)
{
    struct object *o = calloc(1, sizeof *o + size);
    o->place = atomic_fetch_add_explicit(&last_object, 1, memory_order_relaxed) % OBJECTS;
    atomic_store_explicit(&objects[o->place], o, memory_order_relaxed);
    atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
    return o->content;
}

void object_free(void *object)
{
    struct object *o = (struct object *)(void *)((char *)object - offsetof(struct object, content));
    atomic_store_explicit(&objects[o->place], NULL, memory_order_relaxed);
    atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
    free(o);
}

/* What was not given back goes with its context. */
void null_forget(void)
{
    atomic_store(&live, 0);
}

bool memory_take(size_t bytes)
{
    size_t most = (size_t)number_of("NULL_MEMORY", 1L << 30);
    if (atomic_fetch_add_explicit(&allocated, bytes, memory_order_relaxed) + bytes <= most)
        return true;
    atomic_fetch_sub_explicit(&allocated, bytes, memory_order_relaxed);
    return false;
}

void memory_give(size_t bytes)
{
    atomic_fetch_sub_explicit(&allocated, bytes, memory_order_relaxed);
}

size_t memory_taken(void)
{
    return atomic_load_explicit(&allocated, memory_order_relaxed);
}

static void add_one(int *array, int count)
{
    for (int i = 0; i < count; i++)
        array[i]++;
}

/* Those with late launches; programs with one thread have them. */
enum { LATE_QUEUES = LATE };
static struct queue *late_queues[LATE_QUEUES];
static unsigned last_late;
static atomic_bool is_late;
void null_late(int late)
{
    atomic_store(&is_late, late != 0);
}

/* Launches and copies that this queue was given. */
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

void queue_add(struct queue *q, int *array, int count)
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
void queues_forget(const char *at, size_t bytes)
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
int32_t queue_wait(struct queue *q, int32_t failed)
{
    if (failed && q->n)
        q->n = 0;
    queue_run(q);
    return failed;
}

void queue_end(struct queue *q)
{
    for (int k = 0; k < LATE_QUEUES; k++)
        if (late_queues[k] == q)
            late_queues[k] = NULL;
    object_free(q);
}

void queue_copy(struct queue *q, void *to, const void *from, size_t bytes)
{
    q->operations++;
    queue_run(q);
    memcpy(to, from, bytes);
}

void function_name(struct function *f, const char *name)
{
    f->adds = strncmp(name, "add_one", 7) == 0;
    f->place = f->adds ? 0 : -1;
    if (strncmp(name, "add_blocks", 10) == 0)
        f->place = 2;
}
