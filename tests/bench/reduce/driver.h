#ifndef DRIVER_H
#define DRIVER_H
/* The main function of each program of make bench-reduce: PROGRAM N CALLS
   SECONDS makes data of N elements, calls `program_call` at least CALLS times
   and for SECONDS, and prints the time of each call in nanoseconds, then
   `check` and a number by which programs are compared. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int size, side;                /* elements; of a square matrix with about as many */
static float *first, *second, *third; /* `size` numbers each, between -1 and 1;
                                         the third is for results */
static int *indices, *counts;         /* `size` numbers from 0 to 65535; 65536 results */

/* In the program. Its result, for comparison. */
static double program_call(void);

static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void *memory(size_t bytes)
{
    void *place = aligned_alloc(4096, (bytes / 4096 + 1) * 4096);
    if (!place)
        exit(3);
    return place;
}

static void data_make(void)
{
    unsigned state = 12345;
    first = memory((size_t)size * sizeof *first);
    second = memory((size_t)size * sizeof *second);
    third = memory((size_t)size * sizeof *third);
    indices = memory((size_t)size * sizeof *indices);
    counts = memory(65536 * sizeof *counts);
    for (int i = 0; i < size; i++) {
        state = state * 1664525u + 1013904223u;
        first[i] = (float)(state >> 8) / 8388608.0f - 1;
        second[i] = (float)(state >> 4 & 0xfffff) / 524288.0f - 1;
        indices[i] = (int)(state >> 12 & 0xffff);
        third[i] = 0;
    }
    for (int i = 0; i < 65536; i++)
        counts[i] = 0;
}

int main(int count, char **words)
{
    size = count > 1 ? atoi(words[1]) : 10000;
    int calls = count > 2 ? atoi(words[2]) : 5;
    double seconds = count > 3 ? atof(words[3]) : 0.1, check = 0, begin = clock_now();
    side = (int)sqrt((double)size);
    data_make();
    for (int i = 0; i < calls || clock_now() - begin < 1e9 * seconds; i++) {
        double start = clock_now();
        check = program_call();
        printf("%.0f\n", clock_now() - start);
    }
    printf("check %.9g\n", check);
    return 0;
}
#endif
