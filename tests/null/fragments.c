/* Fragments that stand twice in the host's code, by what their runs take: the clock is ours
   (runtime/clock.c is left out), so that loops take LOOPS and regions REGIONS microseconds. Prints
   call by call l where the loops ran, r where the regions did.
   Usage: fragments LOOPS REGIONS CALLS ROUNDS TIMES [early | inner | left] */
#include "runtime/internal.h"
#include "runtime/treefork-tables.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double loops_time, regions_time;
static long calls_of_thread, calls_of_others;

/* The difference of two calls is what the run between them takes. */
double treefork_clock(clockid_t which)
{
    return which == CLOCK_THREAD_CPUTIME_ID ? (double)calls_of_thread++ * loops_time * 1e3
                                            : (double)(calls_of_others++ / 2) * regions_time * 1e3;
}

static void inner(double rounds)
{
    putchar(meta_pays(rounds, 1) ? 'R' : 'L');
    meta_paid();
}

int main(int argc, char **argv)
{
    const char *how = argc > 6 ? argv[6] : "";
    int calls = atoi(argv[3]), times = atoi(argv[5]);
    double rounds = atof(argv[4]);
    loops_time = atof(argv[1]);
    regions_time = atof(argv[2]);
    if (strcmp(how, "early") != 0)
        treefork_default();
    for (int i = 0; i < calls; i++) {
        putchar(meta_pays(rounds, times) ? 'r' : 'l');
        if (strcmp(how, "inner") == 0)
            inner(rounds);
        if (strcmp(how, "left") != 0 || i % 2)
            meta_paid();
    }
    printf("%s\n", treefork_default_open() ? "" : " without a device");
    return 0;
}
