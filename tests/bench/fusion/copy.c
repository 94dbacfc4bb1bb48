/* A copy that moves as many words as asked: PROGRAM WORDS CALLS SECONDS. Half of them are read, the
   others written, by the threads that OpenMP has. Prints the time of each call in nanoseconds. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void copy(size_t count, const float *restrict from, float *restrict to)
{
#pragma omp parallel for
    for (size_t i = 0; i < count; i++)
        to[i] = from[i];
}

int main(int n_words, char **words)
{
    size_t count = n_words > 1 ? (size_t)atof(words[1]) / 2 : 1000;
    int calls = n_words > 2 ? atoi(words[2]) : 5;
    double seconds = n_words > 3 ? atof(words[3]) : 0.1, begin = clock_now();
    float *from = calloc(count + 1, sizeof *from), *to = calloc(count + 1, sizeof *to);
    if (!from || !to)
        return 3;
    copy(count, to, from);
    for (int i = 0; i < calls || clock_now() - begin < 1e9 * seconds; i++) {
        double start = clock_now();
        copy(count, from, to);
        printf("%.0f\n", clock_now() - start);
    }
    free(from);
    free(to);
    return 0;
}
