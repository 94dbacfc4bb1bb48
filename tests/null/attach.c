/* Device memory of a program's own, handed in and out, and its queues, on a driver whose launches
   run as late as they may. Usage: attach DEVICE [CODE...]: with codes each call of the driver fails
   once with each of them, and what must hold then does. */
#include "tests/null/stand_in.h"
#include "tests/null/work.h"
#include <pthread.h>

enum { N = 256, BYTES = N * (int)sizeof(int), PIECE = 64 };

static int failures, is_sweep;

static int expect(int holds, const char *what)
{
    if (!holds && !is_sweep) {
        failures++;
        printf("%s: %s\n", what, treefork_message());
    }
    return holds;
}

/* A refusal with these words. */
static void refuses(int status, int wanted, const char *words)
{
    char text[200];
    snprintf(text, sizeof text, "refused with %d and \"%s\", but it was %d", wanted, words, status);
    expect(status == wanted && strstr(treefork_message(), words), text);
}

static int all_are(const int *array, int count, int value)
{
    for (int i = 0; i < count; i++)
        if (array[i] != value)
            return 0;
    return 1;
}

static uint64_t copies(const struct treefork_device *device)
{
    struct treefork_statistics s = treefork_statistics(device);
    return s.copies_to_device + s.copies_to_host;
}

/* What an attached array has in its memory when the queue has come to it. */
static void memory_is(const struct own *own, void *memory, int count, int value, const char *what)
{
    int seen[N];
    own_read(own, own->queue, memory, seen, BYTES);
    expect(all_are(seen, count, value), what);
}

/* Addresses alone: nothing is copied until the host asks, and pieces are part of the whole. */
static void reserved(const struct own *own, struct treefork_device *device, void *memory)
{
    void *at = NULL;
    int zeros[N] = {0}, *array;
    own_write(own, own->queue, memory, zeros, BYTES);
    uint64_t before = copies(device);
    if (!expect(!treefork_attach(device, &at, BYTES, memory), "attach"))
        return;
    array = at;
    expect(!work_add(device, array, N) && !work_add(device, array, N), "launches");
    expect(!work_add(device, array + PIECE, N - PIECE), "a piece");
    memory_is(own, memory, PIECE, 2, "two rounds in the memory");
    expect(copies(device) == before, "nothing was copied");
    refuses(work_add(device, array + PIECE, N), TREEFORK_BOUNDS,
            "is attached with 768 bytes from there on, and 1024 are needed");
    if (expect(!treefork_host(device, array, TREEFORK_READ), "host"))
        expect(array[0] == 2 && array[N - 1] == 3, "the host has it");
    expect(copies(device) == before + 1, "one copy");
    if (expect(!treefork_host(device, array, TREEFORK_READ | TREEFORK_WRITE), "host writes"))
        memset(array, 0, BYTES);
    expect(!treefork_sync(device), "home");
    memory_is(own, memory, N, 0, "the host's contents came home");
    expect(!work_add(device, array, N), "a launch behind it");
    expect(!treefork_release(device, NULL) && !treefork_release(device, array),
           "release leaves it");
    expect(!treefork_detach(device, array), "detach");
    memory_is(own, memory, N, 1, "the memory has the contents");
    refuses(treefork_detach(device, array), TREEFORK_ARGUMENT, "no array is attached");
}

/* A range of the host's own, which has newer copies before. */
static void mirrored(const struct own *own, struct treefork_device *device, void *memory)
{
    int host[N], sevens[N], other[N] = {0}, *array = host;
    void *at = host, *second = other;
    for (int i = 0; i < N; i++)
        host[i] = 40, sevens[i] = 7;
    expect(!work_add(device, host, N), "a copy before");
    own_write(own, own->queue, memory, sevens, BYTES);
    if (!expect(!treefork_attach(device, &at, BYTES, memory) && at == host, "attach")) {
        treefork_discard(device, host, sizeof host);
        return;
    }
    expect(all_are(host, N, 41), "what the copy had came back");
    refuses(treefork_attach(device, &at, BYTES, NULL), TREEFORK_ARGUMENT, "the range of the array");
    refuses(treefork_attach(device, &second, BYTES, memory), TREEFORK_ARGUMENT,
            "the memory of the array");
    expect(!work_add(device, array, N), "launch");
    expect(all_are(host, N, 41), "the host's range is as it was");
    expect(!treefork_host(device, NULL, TREEFORK_READ) && all_are(host, N, 8), "asked for");
    expect(!work_add(device, array, N), "launch");
    treefork_discard(device, host, sizeof host);
    memory_is(own, memory, N, 9, "the memory is the program's");
    expect(!work_add(device, host, N) && !treefork_host(device, host, TREEFORK_READ) &&
               all_are(host, N, 9),
           "the range is an array as any other");
    treefork_discard(device, host, sizeof host);
}

/* Memory of the library's: the contents are the array's, and come back to it. */
static void librarys(struct treefork_device *device)
{
    int host[N] = {0};
    void *at = host, *none = NULL;
    expect(!treefork_attach(device, &at, BYTES, NULL), "attach");
    for (int i = 0; i < 5; i++)
        expect(!work_add(device, host, N), "launch");
    int status = treefork_detach(device, host);
    expect(!status && all_are(host, N, 5), "contents come back");
    treefork_discard(device, host, sizeof host);
    expect(!treefork_attach(device, &none, BYTES, NULL), "attach");
    expect(!treefork_detach(device, none), "detach");
}

/* Ours handed out: the program's own work on it is seen. */
static void lent(const struct own *own, struct treefork_device *device)
{
    int host[2 * N] = {0}, nines[N];
    void *memory = NULL, *again = NULL;
    for (int i = 0; i < N; i++)
        nines[i] = 9;
    expect(!work_add(device, host, N) && !treefork_host(device, host, TREEFORK_READ),
           "launch, and both have it");
    if (!expect(
            !treefork_device_memory(device, host, BYTES, TREEFORK_READ | TREEFORK_WRITE, &memory),
            "memory")) {
        treefork_discard(device, host, sizeof host);
        return;
    }
    memory_is(own, memory, N, 1, "the newest contents");
    own_write(own, own->queue, memory, nines, BYTES);
    int status = treefork_host(device, host, TREEFORK_READ);
    expect(!status && all_are(host, N, 9), "the program's work");
    expect(!work_add(device, host, N), "launch");
    status = treefork_host(device, host, TREEFORK_READ | TREEFORK_WRITE);
    expect(!status && all_are(host, N, 10), "the program's work and ours");
    expect(!treefork_device_memory(device, host, BYTES, TREEFORK_READ, &again) && again == memory,
           "where it was");
    refuses(work_add(device, host, 2 * N), TREEFORK_ARGUMENT,
            "cannot grow from 1024 to 2048 bytes");
    expect(!treefork_release(device, host), "release");
    status = work_add(device, host, 2 * N);
    expect(!status && !treefork_host(device, host, TREEFORK_READ | TREEFORK_WRITE),
           "it grows again");
    refuses(treefork_device_memory(device, NULL, 4, TREEFORK_READ, &again), TREEFORK_ARGUMENT,
            "wrong argument");
    treefork_discard(device, host, sizeof host);
}

/* Launches and copies go where they are told. */
static void queues(const struct own *own, struct treefork_device *device)
{
    long (*operations)(const void *) = STAND_IN(long, null_operations, (const void *));
    int host[N] = {0};
    long first = operations(own->queue), second = operations(own->second);
    expect(!work_add(device, host, N), "launch");
    expect(operations(own->queue) > first && operations(own->second) == second,
           "the queue of opening");
    expect(!treefork_set_queue(device, own->second), "set");
    first = operations(own->queue);
    expect(!work_add(device, host, N) &&
               !treefork_host(device, host, TREEFORK_READ | TREEFORK_WRITE),
           "launch");
    expect(operations(own->queue) == first && operations(own->second) > second, "the second queue");
    expect(all_are(host, N, 2), "in order");
    refuses(treefork_set_queue(device, own->foreign), TREEFORK_ARGUMENT, "of another context");
    if (own->is_cuda)
        refuses(treefork_set_queue(device, (void *)(uintptr_t)2), TREEFORK_ARGUMENT,
                "CU_STREAM_PER_THREAD");
    expect(!treefork_set_queue(device, NULL), "back");
    treefork_discard(device, host, sizeof host);
}

static void refused(const struct own *own, const char *kind)
{
    struct treefork_device *device = NULL;
    void *queue = own->is_cuda ? (void *)(uintptr_t)2 : own_queue(own, own->context, 0, 1);
    refuses(treefork_open_queue(kind, queue, &device), TREEFORK_ARGUMENT,
            own->is_cuda ? "per thread" : "out of order");
    refuses(treefork_open_queue(kind, NULL, &device), TREEFORK_ARGUMENT,
            own->is_cuda ? "no CUDA context" : "is NULL");
    refuses(treefork_open_queue("cuda:1", own->queue, &device), TREEFORK_ARGUMENT,
            "\"cuda\" or \"opencl\"");
    refuses(treefork_attach(NULL, NULL, 0, NULL), TREEFORK_ARGUMENT, "treefork_attach");
    if (!own->is_cuda)
        STAND_IN(int32_t, clReleaseCommandQueue, (void *))(queue);
}

/* On CUDA an address names itself; without a driver that reaches it no serial code can. */
static void named_by_itself(const struct own *own, struct treefork_device *device, void *memory)
{
    void *at = memory;
    int zeros[N] = {0};
    own_write(own, own->queue, memory, zeros, BYTES);
    int status = treefork_attach(device, &at, BYTES, memory);
    if (!own->is_cuda) {
        refuses(status, TREEFORK_ARGUMENT, "is no address");
        return;
    }
    expect(!status && at == memory, "attach");
    uint64_t before = copies(device);
    expect(!work_add(device, at, N) && !treefork_host(device, at, TREEFORK_READ | TREEFORK_WRITE),
           "launch");
    expect(!work_add(device, at, N) && !treefork_sync(device), "launch");
    expect(copies(device) == before, "never copied");
    memory_is(own, memory, N, 2, "worked in place");
    expect(!treefork_detach(device, at), "detach");
}

static void scenario(const char *kind)
{
    struct own own = own_begin(kind);
    struct treefork_device *device = NULL;
    void *memory = own_memory(&own, BYTES);
    if (!expect(!treefork_open_queue(kind, own.queue, &device), "open")) {
        if (is_sweep && !*treefork_message())
            failures++, puts("no message");
    } else {
        reserved(&own, device, memory);
        mirrored(&own, device, memory);
        librarys(device);
        lent(&own, device);
        queues(&own, device);
        named_by_itself(&own, device, memory);
    }
    treefork_close(device);
    if (!is_sweep)
        refused(&own, kind);
    own_memory_end(&own, memory);
    own_end(&own);
}

/* Whatever fails: the driver has everything back. */
static void sweep(const char *kind, int n_codes, char **codes)
{
    long (*calls)(void) = STAND_IN(long, null_calls, (void)),
         (*live)(void) = STAND_IN(long, null_live, (void));
    void (*reset)(void) = STAND_IN(void, null_reset, (void)),
         (*forget)(void) = STAND_IN(void, null_forget, (void));
    void (*fail)(long, long) = STAND_IN(void, null_fail, (long, long));
    const char *(*failed)(void) = STAND_IN(const char *, null_failed, (void));
    long n = calls(), runs = 0;
    is_sweep = 1;
    for (int code = 0; code < n_codes; code++)
        for (long call = 1; call <= n; call++, runs++) {
            reset();
            fail(call, atol(codes[code]));
            scenario(kind);
            /* Where the context cannot be entered for a moment, one object goes with the
               context. */
            int kept = strcmp(failed(), "cuCtxPushCurrent_v2") == 0;
            if (live() > kept) {
                failures++;
                printf("call %ld, %s: %ld not given back\n", call, failed(), live());
            }
            forget();
        }
    printf("%ld runs with a call that fails\n", runs);
}

int main(int argc, char **argv)
{
    stand_in_open();
    STAND_IN(void, null_late, (int))(1);
    scenario(argv[1]);
    if (STAND_IN(long, null_live, (void))() != 0)
        failures++, puts("something is not given back");
    if (argc > 2)
        sweep(argv[1], argc - 2, argv + 2);
    printf("%d failures\n", failures);
    return failures != 0;
}
