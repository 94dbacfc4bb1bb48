/* RUN: %S/Inputs/same %treefork %root %s %t | FileCheck %s
   CHECK: types: {{[0-9]+}} runs, all the same
   Enumerations, typedefs, unsigned long and long sizes, parameters changed between regions, recursion, three threads. */
#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>
#include <metafork.h>
typedef unsigned long size;
typedef enum { LOW = 3, HIGH = 7 } level;
enum mode { ADD, SUB };
typedef float vec[64];
void enums(size n, unsigned B, level l, enum mode m, vec x, const float *restrict y)
{
    size dim = (n + B - 1) / B;
    meta_schedule {
        meta_for (size i = 0; i < dim; i++)
            meta_for (unsigned j = 0; j < B; j++) {
                size p = i * B + j;
                if (p < n) x[p] = m == ADD ? x[p] + y[p] * l : x[p] - y[p] * HIGH;
            }
    }
}
long longs(long n, long B, long *a)
{
    long dim = (n + B - 1) / B;
    n = n - 1;
    meta_schedule {
        meta_for (long i = 0; i < dim; i++)
            meta_for (long j = 0; j < B; j++) {
                long p = i * B + j;
                if (p < n) a[p] = a[p] * 3 + n;
            }
    }
    B = B * 2;
    dim = (n + B - 1) / B;
    meta_schedule {
        meta_for (long i = 0; i < dim; i++)
            meta_for (long j = 0; j < B; j++) {
                long p = i * B + j;
                if (p < n) a[p] = a[p] * 3 + n;
            }
    }
    n--;
    return a[n];
}
void rec(int depth, int n, int B, int *a)
{
    int dim = (n + B - 1) / B;
    if (depth == 0) return;
    a[0] += depth;
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) a[p] = a[p] + depth;
            }
    }
    rec(depth - 1, n, B, a);
    a[1] *= 2;
    if (n > 4) rec(depth - 1, n / 2, B, a + n / 2);
}
struct job { int *a; int n; };
static void *work(void *p)
{
    struct job *j = p;
    for (int r = 0; r < 20; r++) rec(3, j->n, 8, j->a);
    return NULL;
}
int main(void)
{
    float x[64], y[64];
    for (int i = 0; i < 64; i++) x[i] = i, y[i] = -i;
    enums(60, 16, LOW, ADD, x, y);
    enums(50, 16, HIGH, SUB, x, y);
    for (int i = 0; i < 64; i++) printf("%g ", x[i]);
    long l[33];
    for (int i = 0; i < 33; i++) l[i] = i;
    printf("%ld\n", longs(33, 4, l));
    for (int i = 0; i < 33; i++) printf("%ld ", l[i]);
    int a[3][70];
    for (int i = 0; i < 3; i++) for (int k = 0; k < 70; k++) a[i][k] = i * k;
    pthread_t t[3];
    struct job j[3];
    for (int i = 0; i < 3; i++) { j[i] = (struct job){a[i], 70}; pthread_create(&t[i], NULL, work, &j[i]); }
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    for (int i = 0; i < 3; i++) for (int k = 0; k < 70; k++) printf("%d ", a[i][k]);
}
