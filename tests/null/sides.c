/* Where regions run on a device that shares the host's memory, by what runs take: the clock is ours
   (runtime/clock.c is left out), so that serial code takes SERIAL and a launch LAUNCH microseconds.
   Kernels of the null driver compute nothing, so results are not looked at.
   Usage: sides SERIAL LAUNCH RUNS [THREADS | loop | shrinks | early [N]] */
#include "jacobi1d.tf.h"
#include "runtime/internal.h"
#include "scale.tf.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1 << 18, BLOCK = 64, STEPS = 1, CELLS = 100000, THREADS_MAX = 8 };

static double serial_time, launch_time, load = 1;
static atomic_int calls_of_serial, calls_of_wall, calls_of_process;
static int runs;

/* The difference of two calls is what the run between them takes. */
double treefork_clock(clockid_t which)
{
    if (which == CLOCK_THREAD_CPUTIME_ID)
        return atomic_fetch_add(&calls_of_serial, 1) * serial_time * 1e3;
    if (which == CLOCK_PROCESS_CPUTIME_ID)
        return atomic_fetch_add(&calls_of_process, 1) * launch_time * 1e3;
    return atomic_fetch_add(&calls_of_wall, 1) * launch_time * load * 1e3;
}

static void *thread_run(void *size)
{
    int n = size ? *(int *)size : N;
    int *array = aligned_alloc(64, (size_t)n * sizeof *array);
    memset(array, 0, (size_t)n * sizeof *array);
    for (int i = 0; i < runs; i++)
        scale(n, BLOCK, array);
    treefork_release(treefork_default_open(), array);
    free(array);
    return NULL;
}

/* Each run has a size of its own, all of one class. */
static void shrinking_run(void)
{
    int *array = aligned_alloc(64, (size_t)N * sizeof *array);
    memset(array, 0, (size_t)N * sizeof *array);
    for (int i = 0; i < runs; i++)
        scale(N - i, BLOCK, array);
    treefork_release(treefork_default_open(), array);
    free(array);
}

static void threads_run(int n)
{
    pthread_t threads[THREADS_MAX];
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, thread_run, NULL);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
}

static void loop_run(void)
{
    static _Alignas(64) int cells[2 * CELLS];
    jacobi1d(runs, CELLS, STEPS, BLOCK, cells);
}

int main(int argc, char **argv)
{
    const char *how = argc > 4 ? argv[4] : "1";
    int n = argc > 5 ? atoi(argv[5]) : N;
    serial_time = atof(argv[1]);
    launch_time = atof(argv[2]);
    runs = atoi(argv[3]);
    if (getenv("SIDES_LOAD"))
        load = atof(getenv("SIDES_LOAD"));
    if (strcmp(how, "early") != 0)
        treefork_default();
    if (strcmp(how, "early") == 0)
        thread_run(&n);
    else if (strcmp(how, "loop") == 0)
        loop_run();
    else if (strcmp(how, "shrinks") == 0)
        shrinking_run();
    else
        threads_run(atoi(how));
    unsigned long launches = 0;
    if (treefork_default_open())
        launches = (unsigned long)treefork_statistics(treefork_default()).launches;
    printf("%lu launches, timed: serial code %d, launches %d\n", launches,
           atomic_load(&calls_of_serial) / 2, atomic_load(&calls_of_wall) / 2);
    if (getenv("SIDES_EXPLAIN"))
        treefork_explain(NULL, TREEFORK_TEXT, stdout);
    return 0;
}
