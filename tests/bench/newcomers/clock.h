/* Times of a program's computation: begin() and end() around each call; report() prints those of
   the first call and of the others. */
#ifndef CLOCK_H
#define CLOCK_H
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { CALLS = 64 };
static double clock_wall[CALLS], clock_cpu[CALLS], clock_from, clock_cpu_from;
static int clock_count;

static double clock_now(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

static void begin(void)
{
    clock_cpu_from = clock_now(CLOCK_PROCESS_CPUTIME_ID);
    clock_from = clock_now(CLOCK_MONOTONIC);
}

static void end(void)
{
    if (clock_count == CALLS)
        return;
    clock_wall[clock_count] = clock_now(CLOCK_MONOTONIC) - clock_from;
    clock_cpu[clock_count++] = clock_now(CLOCK_PROCESS_CPUTIME_ID) - clock_cpu_from;
}

static int clock_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Milliseconds: the first call, the median of the others, their median of processor time. */
static void report(void)
{
    double first = clock_wall[0];
    int n = clock_count - 1;
    qsort(clock_wall + 1, n, sizeof(double), clock_order);
    qsort(clock_cpu + 1, n, sizeof(double), clock_order);
    fprintf(stderr, "%.3f %.3f %.3f\n", first, clock_wall[1 + n / 2], clock_cpu[1 + n / 2]);
}

static unsigned long long checksum(const void *p, size_t n)
{
    const unsigned char *bytes = p;
    unsigned long long hash = 1469598103934665603ull;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ bytes[i]) * 1099511628211ull;
    return hash;
}
#endif
