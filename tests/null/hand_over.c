/* A region that runs as serial code in place behind launches, on a device that shares the host's
   memory: every call of the driver from the region on fails once. The region's results are right,
   or the program stops with the array as the launches left it, never half-way. Each failure is a
   process of its own. Usage: hand_over CODE... */
#define _XOPEN_SOURCE 700
#include "scale.tf.h"
#include "tests/null/work.h"
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 200, BLOCK = 64, ADDED = 2 };
enum outcome { RIGHT, WRONG, STOPPED, TOUCHED, OUTCOMES };

static _Alignas(64) int array[N];

static void *library;

static void fail_at(long call, long code)
{
    void (*null_fail)(long, long) = (void (*)(long, long))dlsym(library, "null_fail");
    null_fail(call, code);
}

static long calls_now(void)
{
    return ((long (*)(void))dlsym(library, "null_calls"))();
}

/* The program stops: the serial code has not begun. */
static void stopped(int signal)
{
    (void)signal;
    for (int i = 0; i < N; i++)
        if (array[i] != i + ADDED)
            _exit(TOUCHED);
    _exit(STOPPED);
}

static void launches_make(void)
{
    for (int i = 0; i < N; i++)
        array[i] = i;
    for (int i = 0; i < ADDED; i++)
        if (work_add(treefork_default(), array, N))
            exit(WRONG);
    if (treefork_wait(treefork_default()))
        exit(WRONG);
}

static enum outcome region_run(void)
{
    scale(N, BLOCK, array);
    for (int i = 0; i < N; i++)
        if (array[i] != 2 * (i + ADDED) + 1)
            return WRONG;
    return RIGHT;
}

static enum outcome child_run(long call, long code)
{
    int status = 0;
    if (fork() == 0) {
        signal(SIGABRT, stopped);
        launches_make();
        fail_at(calls_now() + call, code);
        _exit(region_run());
    }
    wait(&status);
    return WIFEXITED(status) && WEXITSTATUS(status) < OUTCOMES ? (enum outcome)WEXITSTATUS(status)
                                                               : WRONG;
}

/* How many calls the region makes where nothing fails; it is no launch. */
static long calls_counted(void)
{
    int ends[2];
    long calls = -1;
    if (pipe(ends))
        return -1;
    if (fork() == 0) {
        launches_make();
        long before = calls_now(), made;
        made = region_run() == RIGHT ? calls_now() - before : -1;
        if (treefork_statistics(treefork_default()).launches != ADDED)
            made = -1;
        _exit(write(ends[1], &made, sizeof made) != sizeof made);
    }
    close(ends[1]);
    if (read(ends[0], &calls, sizeof calls) != sizeof calls)
        calls = -1;
    wait(NULL);
    return calls;
}

int main(int argc, char **argv)
{
    int counts[OUTCOMES] = {0};
    library = dlopen(getenv("TREEFORK_OPENCL_DRIVER"), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return puts(dlerror()), 1;
    fail_at(0, 0);
    long calls = calls_counted();
    for (int code = 1; code < argc; code++)
        for (long call = 1; call <= calls; call++)
            counts[child_run(call, atol(argv[code]))]++;
    printf("%ld calls, %d right, %d stopped, %d stopped after serial code began, %d wrong\n", calls,
           counts[RIGHT], counts[STOPPED], counts[TOUCHED], counts[WRONG]);
    return counts[WRONG] + counts[TOUCHED] != 0;
}
