/* RUN: %S/Inputs/same %treefork %root %s %t | FileCheck %s
   CHECK: pointers: {{[0-9]+}} runs, all the same
   Exchanged pointers, halves of one allocation, overlapping arrays, memory given back and taken again with other sizes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <metafork.h>
#ifdef TREEFORK_ABI
#define STATS(w) do { struct treefork_statistics s = treefork_statistics(treefork_default()); fprintf(stderr, "%s: launches %d in %d out %d\n", w, (int)s.launches, (int)s.copies_to_device, (int)s.copies_to_host); } while (0)
#else
#define STATS(w) (void)0
#endif
/* swap pointers */
void swap(int T, int n, int s, int B, float *a, float *b)
{
    int dim = (n - 2) / (s * B);
    for (int t = 0; t < T; t++) {
        meta_schedule {
            meta_for (int i = 0; i < dim; i++)
                meta_for (int j = 0; j < B; j++)
                    for (int k = 0; k < s; k++) {
                        int p = i * s * B + k * B + j;
                        b[p + 1] = (a[p] + a[p + 1] + a[p + 2]) / 3;
                    }
        }
        float *tmp = a;
        a = b;
        b = tmp;
    }
}
/* aliasing pointers: second half of one allocation */
void halves(int T, int n, int B, float *m)
{
    float *a = m, *b = m + n;
    int dim = (n + B - 1) / B;
    for (int t = 0; t < T; t++) {
        meta_schedule {
            meta_for (int i = 0; i < dim; i++)
                meta_for (int j = 0; j < B; j++) {
                    int p = i * B + j;
                    if (p < n) b[p] = a[p] + t;
                }
        }
        meta_schedule {
            meta_for (int i = 0; i < dim; i++)
                meta_for (int j = 0; j < B; j++) {
                    int p = i * B + j;
                    if (p < n) a[p] = b[p] * 0.5f;
                }
        }
    }
}
/* overlapping: b = a + 1 */
void overlap(int n, int B, float *m)
{
    float *a = m, *b = m + 1;
    int dim = (n + B - 1) / B;
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) b[p] = a[p] + 1;
            }
    }
}
int main(void)
{
    int n = 130;
    float *a = malloc(n * 4), *b = malloc(n * 4);
    for (int i = 0; i < n; i++) a[i] = i % 7, b[i] = i % 3;
    swap(5, n, 2, 8, a, b);
    STATS("swap");
    for (int i = 0; i < n; i++) printf("%g %g\n", a[i], b[i]);
    a = realloc(a, 2 * n * 4);
    memset(a, 0, 2 * n * 4);
    halves(4, n, 16, a);
    STATS("halves");
    for (int i = 0; i < 2 * n; i++) printf("%g\n", a[i]);
    overlap(n, 16, a);
    for (int i = 0; i < 2 * n; i++) printf("%g\n", a[i]);
    STATS("overlap");
    free(a); free(b);
    for (int r = 0; r < 4; r++) {
        int k = 50 * (r + 1);
        float *x = malloc(2 * k * sizeof *x);
        for (int i = 0; i < 2 * k; i++) x[i] = i + r;
        halves(1, k, 16, x);
        printf("%g %g %g\n", x[0], x[k - 1], x[2 * k - 1]);
        free(x);
    }
    for (int r = 4; r > 0; r--) {
        int k = 50 * r;
        float *x = malloc(2 * k * sizeof *x);
        for (int i = 0; i < 2 * k; i++) x[i] = i + r;
        halves(1, k, 16, x);
        printf("%g %g %g\n", x[0], x[k - 1], x[2 * k - 1]);
        free(x);
    }
}
