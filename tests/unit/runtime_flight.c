/* Launches in flight on a real OpenCL device: what the host may touch and when, more launches than
   a driver is given at once, several threads. */
#include "tests/unit/runtime_opencl.h"
#include <pthread.h>

/* A launch that takes some milliseconds; the kernel has run before, so that nobody waits for it. */
static int late(struct treefork_device *device, const int *a, int *b, int n, int rounds)
{
    struct treefork_module module = module_of(text);
    struct treefork_argument arguments[] = {
        buffer(device, a, (size_t)n * sizeof *a, TREEFORK_READ),
        buffer(device, b, (size_t)n * sizeof *b, TREEFORK_WRITE), integer(n), integer(rounds)};
    struct treefork_launch launch = {.module = &module,
                                     .kernel = "late",
                                     .blocks = 1,
                                     .threads = 1,
                                     .n_arguments = 4,
                                     .arguments = arguments};
    return treefork_run(device, &launch);
}

/* The host may write, free or end an array that a launch in flight works in as soon as the runtime
   says so, and not before: by treefork_host, treefork_release, treefork_discard. Arrays begin at
   any address. */
static void in_flight(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    enum { N = 8, ROUNDS = 20000000 };
    _Alignas(16) int a[N + 1], b[N], c[N];
    for (int shift = 0; shift < 2; shift++) {
        int *from = a + shift;
        for (int i = 0; i <= N; i++)
            a[i] = i;
        CHECK(test, late(device, from, b, N, 1) == TREEFORK_OK &&
                        late(device, from, b, N, ROUNDS) == TREEFORK_OK);
        CHECK(test, treefork_host(device, from, TREEFORK_READ | TREEFORK_WRITE) == TREEFORK_OK);
        memset(a, 0, sizeof a);
        CHECK(test,
              treefork_host(device, b, TREEFORK_READ) == TREEFORK_OK && b[N - 1] == N + shift);
        CHECK(test, late(device, b, c, N, ROUNDS) == TREEFORK_OK &&
                        treefork_release(device, b) == TREEFORK_OK);
        memset(b, 0, sizeof b);
        CHECK(test, treefork_release(device, c) == TREEFORK_OK && c[N - 1] == N + 1 + shift);
        CHECK(test, late(device, c, b, N, ROUNDS) == TREEFORK_OK);
        treefork_discard(device, c, sizeof c);
        memset(c, 0, sizeof c);
        CHECK(test, treefork_wait(device) == TREEFORK_OK);
        CHECK(test, treefork_host(device, NULL, TREEFORK_READ | TREEFORK_WRITE) == TREEFORK_OK &&
                        b[N - 1] == N + 2 + shift);
        CHECK(test, late(device, b, c, N / 2, ROUNDS) == TREEFORK_OK);
        buffer(device, c, sizeof c,
               TREEFORK_READ); /* longer than the range that is being written */
        CHECK(test, treefork_host(device, c, TREEFORK_READ) == TREEFORK_OK &&
                        c[N / 2 - 1] == b[N / 2 - 1] + 1 && c[N - 1] == 0);
        CHECK(test, treefork_release(device, NULL) == TREEFORK_OK);
    }
}

/* More launches than a driver is given at once. */
static void many(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    int a[20] = {0}, b[20] = {0};
    for (int t = 0; t < 1500; t++)
        CHECK(test, step(device, t % 2 ? b : a, t % 2 ? a : b, 20) == TREEFORK_OK);
    CHECK(test, treefork_release(device, NULL) == TREEFORK_OK && a[19] == 1500 && b[0] == 1499);
}

struct worker {
    struct treefork_device *device;
    int wrong;
};

/* Each call is safe under the device's mutex; two threads with arrays of their own do not disturb
   each other. The message belongs to the thread. */
static void *work(void *state)
{
    struct worker *worker = state;
    int a[500] = {0}, b[500] = {0};
    for (int t = 0; t < 20; t++)
        worker->wrong += step(worker->device, t % 2 ? b : a, t % 2 ? a : b, 500) != TREEFORK_OK;
    worker->wrong +=
        treefork_host(worker->device, a, TREEFORK_READ | TREEFORK_WRITE) != TREEFORK_OK;
    worker->wrong +=
        treefork_host(worker->device, b, TREEFORK_READ | TREEFORK_WRITE) != TREEFORK_OK;
    worker->wrong += a[499] != 20 || b[0] != 19 || treefork_message()[0] != '\0';
    worker->wrong += treefork_release(worker->device, a) || treefork_release(worker->device, b);
    return NULL;
}

static void threads(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    struct worker workers[3];
    pthread_t ids[3];
    for (int i = 0; i < 3; i++) {
        workers[i] = (struct worker){.device = device};
        CHECK(test, pthread_create(&ids[i], NULL, work, &workers[i]) == 0);
    }
    for (int i = 0; i < 3; i++)
        CHECK(test, pthread_join(ids[i], NULL) == 0 && workers[i].wrong == 0);
}

static void cases(struct test *test, struct treefork_device *device)
{
    in_flight(test, device);
    many(test, device);
    threads(test, device);
}

int main(void)
{
    return opencl_main("runtime_flight", cases);
}
