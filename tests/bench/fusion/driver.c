/* The main function of make bench-fusion: PROGRAM SEQUENCE N CALLS SECONDS calls a sequence of
   tests/sequences/Inputs/loops.c on a square matrix of side N, or on vectors of N numbers where it
   has no matrix, at least CALLS times and for SECONDS. Prints the time of each call in nanoseconds,
   then `check` and a number by which programs are compared, then `words` that the best cover of the
   sequence moves (docs/results/fusion.md). */
#include "sequences.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MATRICES = 4, VECTORS = 8 };

static int n;
static float *matrices[MATRICES], *vectors[VECTORS];
static float result;                  /* of a sequence that returns a number */

static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static float *memory(size_t count, unsigned seed)
{
    float *place = aligned_alloc(4096, (count * sizeof *place / 4096 + 1) * 4096);
    if (!place)
        exit(3);
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        place[i] = (float)(seed >> 8) / 8388608.0f - 1;
    }
    return place;
}

#define MATRIX(k) ((float(*)[n])matrices[k])
#define V(k) (vectors[k])

static void axpydot_call(void)
{
    result = axpydot(n, 0.5f, V(0), V(1), V(2), V(3));
}

static void atax_call(void)
{
    atax(n, n, MATRIX(0), V(0), V(1), V(3));
}

static void bicgk_call(void)
{
    bicgk(n, n, MATRIX(0), V(0), V(1), V(2), V(3));
}

static void sgemv_call(void)
{
    sgemv(n, n, 0.5f, 2, MATRIX(0), V(0), V(1), V(2), V(3));
}

static void sgemvt_call(void)
{
    sgemvt(n, n, 0.5f, 0.01f, MATRIX(0), V(0), V(1), V(2), V(3));
}

static void sscal_call(void)
{
    sscal(n, 1.0000001f, V(3));
}

static void gemver_call(void)
{
    gemver(n, n, 0.5f, 0.01f, MATRIX(0), V(0), V(1), V(2), V(4), V(5), V(6), MATRIX(1), MATRIX(2),
           V(7), V(3));
}

static void gesummv_call(void)
{
    gesummv(n, n, 0.5f, 2, MATRIX(0), MATRIX(1), V(0), V(3));
}

static void madd_call(void)
{
    madd(n, n, MATRIX(0), MATRIX(1), MATRIX(2));
    V(3)[0] = MATRIX(2)[n / 2][n / 3];
}

static void vadd_call(void)
{
    vadd(n, V(0), V(1), V(2), V(4), V(3));
}

static void waxpby_call(void)
{
    waxpby(n, 0.5f, 2, V(0), V(1), V(4), V(3));
}

/* What a sequence has, and the words of its best cover: per element of a matrix, per element of a
   vector. */
static const struct sequence {
    const char *name;
    void (*call)(void);
    int matrices, words_square, words_line;
} sequences[] = {
    {"axpydot", axpydot_call, 0, 0, 4}, {"atax", atax_call, 1, 2, 4},
    {"bicgk", bicgk_call, 1, 1, 4},     {"sgemv", sgemv_call, 1, 1, 3},
    {"sgemvt", sgemvt_call, 1, 2, 5},   {"sscal", sscal_call, 0, 0, 2},
    {"gemver", gemver_call, 3, 3, 9},   {"gesummv", gesummv_call, 2, 2, 2},
    {"madd", madd_call, 3, 3, 0},       {"vadd", vadd_call, 0, 0, 4},
    {"waxpby", waxpby_call, 0, 0, 3},
};

static const struct sequence *sequence_named(const char *name)
{
    size_t count = sizeof sequences / sizeof *sequences, i = 0;
    while (i < count && strcmp(sequences[i].name, name) != 0)
        i++;
    if (i == count)
        exit(2);
    return &sequences[i];
}

static double check(void)
{
    double sum = result;
    for (int i = 0; i < n; i += n / 10 + 1)
        sum += V(3)[i];
    return sum;
}

int main(int count, char **words)
{
    const struct sequence *sequence = sequence_named(count > 1 ? words[1] : "axpydot");
    n = count > 2 ? atoi(words[2]) : 1000;
    int calls = count > 3 ? atoi(words[3]) : 5;
    double seconds = count > 4 ? atof(words[4]) : 0.1, begin = clock_now();
    for (int i = 0; i < sequence->matrices; i++)
        matrices[i] = memory((size_t)n * (size_t)n, (unsigned)i + 77);
    for (int i = 0; i < VECTORS; i++)
        vectors[i] = memory((size_t)n, (unsigned)i + 7);
    for (int i = 0; i < calls || clock_now() - begin < 1e9 * seconds; i++) {
        double start = clock_now();
        sequence->call();
        printf("%.0f\n", clock_now() - start);
    }
    printf("check %.9g\n", check());
    printf("words %.0f\n",
           (double)sequence->words_square * n * n + (double)sequence->words_line * n);
    return 0;
}
