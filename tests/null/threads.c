/* Eight threads launch on shared and on separate devices. Arrays of a thread's own, an array that
   all add to under a lock of the program's, functions of generated programs, devices that come
   and go. Usage: threads [rounds] */
#include "add_blocks.tf.h"
#include "jacobi1d.tf.h"
#include "tests/null/work.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 8, SIZE = 64, COMMON = 100 };

static struct treefork_device *devices[2];
static int common[COMMON], rounds = 40;
static pthread_mutex_t common_mutex = PTHREAD_MUTEX_INITIALIZER;
static int failures[THREADS];

static void expect(int me, int holds, const char *what)
{
    if (holds)
        return;
    failures[me]++;
    fprintf(stderr, "thread %d: %s: %s\n", me, what, treefork_message());
}

/* The host reads and writes in between; some rounds drop the copy. */
static void own_array(int me, struct treefork_device *device, int *array, int round)
{
    int before = array[0];
    for (int i = 0; i < 3; i++)
        expect(me, work_add(device, array, SIZE) == TREEFORK_OK, "launch");
    sched_yield();          /* so that other threads come between two calls */
    if (round % 5 == 0)
        expect(me, treefork_wait(device) == TREEFORK_OK, "wait");
    if (round % 7 == 0)
        expect(me, treefork_release(device, array) == TREEFORK_OK, "release");
    else
        expect(me, treefork_host(device, array, TREEFORK_READ | TREEFORK_WRITE) == TREEFORK_OK,
               "host");
    expect(me, array[0] == before + 3 && array[SIZE - 1] == before + 3, "own array");
    for (int i = 0; i < SIZE; i++)
        array[i]--;
}

/* An array that lives on the device; its neighbours attach theirs meanwhile. */
static void array_on_the_device(int me, struct treefork_device *device)
{
    int host[SIZE] = {0};
    void *array = me % 3 ? NULL : host, *memory = NULL;
    expect(me, treefork_attach(device, &array, sizeof host, NULL) == TREEFORK_OK, "attach");
    if (me % 3)
        expect(me, treefork_host(device, array, TREEFORK_WRITE) == TREEFORK_OK, "host");
    int before = *(int *)array;
    for (int i = 0; i < 2; i++)
        expect(me, work_add(device, array, SIZE) == TREEFORK_OK, "launch");
    expect(me,
           treefork_device_memory(device, array, sizeof host, TREEFORK_READ, &memory) ==
                   TREEFORK_OK &&
               memory,
           "memory");
    expect(me, treefork_sync(device) == TREEFORK_OK, "sync");
    expect(me,
           treefork_host(device, array, TREEFORK_READ) == TREEFORK_OK &&
               *(int *)array == before + 2,
           "array on the device");
    expect(me, treefork_detach(device, array) == TREEFORK_OK, "detach");
}

static void common_array(int me)
{
    pthread_mutex_lock(&common_mutex);
    expect(me, work_add(devices[0], common, COMMON) == TREEFORK_OK, "launch of the common array");
    if (me % 2)
        expect(me, treefork_host(devices[0], common, TREEFORK_READ | TREEFORK_WRITE) == TREEFORK_OK,
               "common array");
    pthread_mutex_unlock(&common_mutex);
}

/* In parts where TREEFORK_DEVICES names several devices: results are those of the serial loops. */
static void region_of_its_own(int me, int *array, int n, int round)
{
    int before = array[n - 1], first = array[0];
    add_blocks(3, n, 8, array);
    expect(me, array[0] == first + 3 && array[n - 1] == before + 2, "region");
    array[round % n]++;
}

static void device_of_its_own(int me, int *array)
{
    struct treefork_device *device = NULL;
    int before = array[0];
    expect(me, treefork_open(me % 2 ? "cuda:1" : "opencl:1", &device) == TREEFORK_OK, "open");
    expect(me, work_add(device, array, SIZE) == TREEFORK_OK, "launch on a device of its own");
    expect(me, treefork_release(device, NULL) == TREEFORK_OK, "release");
    treefork_close(device);
    expect(me, array[0] == before + 1, "device of its own");
}

static void *run(void *argument)
{
    int me = *(int *)argument;
    int array[SIZE] = {0}, cells[2 * 130] = {0}, blocks[100] = {0};
    for (int round = 0; round < rounds; round++) {
        own_array(me, devices[me % 2], array, round);
        common_array(me);
        if (round % 4 == 0)
            array_on_the_device(me, devices[(me + round) % 2]);
        if (round % 10 == 0)
            device_of_its_own(me, array);
        sched_yield();
        jacobi1d(2, 130, 1 + round % 3, 16, cells);
        jacobi1d_auto(1, 130, cells);
        if (getenv("TREEFORK_DEVICES"))
            region_of_its_own(me, blocks, 100 - me, round);
        if (round == me)
            treefork_explain(NULL, TREEFORK_JSON, fopen("/dev/null", "w"));
        expect(me, treefork_statistics(devices[0]).launches > 0, "statistics");
    }
    return NULL;
}

/* Drops all copies of the regions' device, over and over: never between a region's copies and its
   launch. */
static void *sweep(void *argument)
{
    atomic_int *is_done = argument;
    while (!atomic_load(is_done)) {
        treefork_release(treefork_default(), NULL);
        sched_yield();
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS], sweeper;
    atomic_int is_done = 0;
    int numbers[THREADS], failed = 0;
    if (argc > 1)
        rounds = atoi(argv[1]);
    if (treefork_open("cuda:0", &devices[0]) || treefork_open("opencl:0", &devices[1]))
        return puts(treefork_message()), 1;
    pthread_create(&sweeper, NULL, sweep, &is_done);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, run, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        failed += failures[i];
    }
    atomic_store(&is_done, 1);
    pthread_join(sweeper, NULL);
    failed += treefork_host(devices[0], common, TREEFORK_READ) != TREEFORK_OK;
    printf("%d failures, common %d\n", failed, common[COMMON - 1]);
    treefork_close(devices[0]);
    treefork_close(devices[1]);
    return failed != 0;
}
