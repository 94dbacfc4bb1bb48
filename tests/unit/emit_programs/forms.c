/* Forms of C around regions: a region as the branch of an if, behind a label, in a switch, in a
   recursive and in a static inline function, 64-bit unsigned sizes, file-scope scalars, pragmas,
   literals with braces, attributes, prototypes. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include "metafork.h"

#define N 200
#define value 3
#define ROWS(x) ((x) + \
                 0)

typedef unsigned long count_t;
void twice(count_t n, int B, int *restrict v), add(int depth, int n, int B, int v[n]);
static int offset = 5;

__attribute__((noinline)) void twice(count_t n /* } not the end */, int B, int *restrict v)
{
    count_t dim = (n + (count_t)B - 1) / (count_t)B;
    const char *text = "} /* \" // { ";
    if (text[0] == '}' && text[1] != '"')
        meta_schedule {
            meta_for (count_t i = 0; i < dim; i++)
                meta_for (int j = 0; j < B; j++) {
                    count_t p = i * (count_t)B + (count_t)j;
                    if (p < n)
                        v[p] = 2 * v[p] + offset;
                }
        }
    else
        puts("never");
}

void add(int depth, int n, int B, int v[n])
{
    int dim = n / B;
    if (depth == 0) return;
    switch (depth % 2) {
    case 0:
        v[0] += depth;
        break;
    default:
        meta_schedule {
            meta_for (int i = 0; i < dim; i++)
                meta_for (int j = 0; j < B; j++)
                    v[i * B + j] += ROWS(value) * depth;
        }
    }
    add(depth - 1, n, B, v);
again:
#pragma GCC unroll 2
    for (int k = 0; k < 4; k++)
        v[k] -= k;
    if (v[0] < 0)
        goto again;
}

static inline int total(int n, int B, const int *restrict v, int *restrict w)
{
    int dim = (n + B - 1) / B, sum = 0;
    for (int round = 0; round < 2; round++)
        if (round)
            for (int k = 0; k < n; k++)
                sum += w[k];
        else
            meta_schedule {
                meta_for (int i = 0; i < dim; i++)
                    meta_for (int j = 0; j < B; j++)
                        if (i * B + j < n)
                            w[i * B + j] = v[i * B + j] * 3;
            }
    return sum;
}

int main(void)
{
    int *v = malloc(N * sizeof *v), *w = calloc(N, sizeof *w);
    for (int i = 0; i < N; i++)
        v[i] = i % 17;
    twice(N, 32, v);
    add(5, N, 25, v);
    twice(N - 7, 64, v);
    printf("%d\n", total(N, 16, v, w));
    for (int i = 0; i < N; i += 20)
        printf("%d %d\n", v[i], w[i]);
    free(v);
    free(w);
    return 0;
}
