/* RUN: %S/Inputs/same %treefork %root %s %t | FileCheck %s
   CHECK: copies: {{[0-9]+}} runs, all the same
   An outer loop around regions copies in once and out once, whatever host code stands in it that touches no array; what
   only reads copies out each round; only what may write copies both ways. What a region overwrites is copied in only where
   a loop does not run or blocks do not reach to the end. The counts are those of checked runs; others share the memory of a
   CPU device and copy nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <metafork.h>
#ifdef TREEFORK_ABI
static struct treefork_statistics before;
static void check(const char *what, int in, int out)
{
    struct treefork_statistics s = treefork_statistics(treefork_default());
    int i = (int)(s.copies_to_device - before.copies_to_device), o = (int)(s.copies_to_host - before.copies_to_host);
    const char *checked = getenv("TREEFORK_CHECKED");
    bool may_share = strcmp(treefork_device_kind(treefork_default()), "opencl") == 0 && (!checked || *checked != '1');
    if ((i != in || o != out) && (!may_share || i || o)) {
        fprintf(stderr, "%s: %d launches, %d copies to the device and %d back instead of %d and %d\n", what,
                (int)(s.launches - before.launches), i, o, in, out);
        exit(9);
    }
    before = s;
}
#else
#define check(w, i, o) (void)0
#endif
#define T 6
void plain(int n, int B, float *a)
{
    int dim = (n + B - 1) / B;
    for (int t = 0; t < T; t++)
        meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] = a[p] + 1; } }
}
void swap(int n, int B, float *a, float *b)
{
    int dim = (n + B - 1) / B;
    for (int t = 0; t < T; t++) {
        meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) b[p] = a[p] + 1; } }
        float *c = a;
        a = b;
        b = c;
    }
}
void two(int n, int B, float *a, float *b)
{
    int dim = (n + B - 1) / B;
    int t = 0;
    while (t < T) {
        meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) b[p] = a[p] + 1; } }
        meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] = b[p] * 0.5f; } }
        t++;
        if (t % 2) printf("round %d of %d\n", t, T);
    }
}
void timed(int n, int B, float *a)
{
    int dim = (n + B - 1) / B;
    struct timespec ts;
    double total = 0;
    int count[3] = {0};
    for (int t = 0; t < T; t++) {
        clock_t c0 = clock();
        clock_gettime(CLOCK_MONOTONIC, &ts);
        if (t & 1)
            meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] = a[p] + 1; } }
        else
            meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] = a[p] * 2; } }
        total += (double)(clock() - c0) / CLOCKS_PER_SEC + ts.tv_nsec * 1e-9 + fabs(total);
        count[t % 3]++;
        if (count[0] > 100) break;
    }
    fflush(stdout);
}
void read_each(int n, int B, float *a)
{
    int dim = (n + B - 1) / B;
    float last = 0;
    for (int t = 0; t < T; t++) {
        meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] = a[p] + 1; } }
        last += a[0];
        printf("%g\n", a[1] + last);
    }
}
void until(int n, int B, float *a)
{
    int dim = (n + B - 1) / B;
    do {
        meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] = a[p] + 100; } }
    } while (a[0] < 1000);
}
void write_each(int n, int B, float *a, float *b)
{
    int dim = (n + B - 1) / B;
    for (int t = 0; t < T; t++) {
        b[0] = t;
        meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] = a[p] + b[0]; } }
    }
}
void temporary(int n, int B, float *a)
{
    int dim = (n + B - 1) / B;
    for (int t = 0; t < T; t++) {
        float tmp[500];
        meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) tmp[p] = a[p] + 1; } }
        meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] = tmp[p] * 2; } }
    }
}
static float state[2][500];
void file_scope(int n, int B)
{
    int dim = (n + B - 1) / B;
    for (int t = 0; t < T; t++) {
        meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) state[(t + 1) % 2][p] = state[t % 2][p] + 1; } }
    }
}
void conv(int n, int B, float *a, float *b)
{
    int dim = (n + B - 1) / B;
    float err = 10;
    for (int t = 0; err > 1e-3 && t < T; t++) {
        meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) b[p] = a[p] * 0.5f; } }
        err = 0;
        for (int i = 0; i < n; i++) err = fmaxf(err, fabsf(a[i] - b[i]));
        float *tmp = a; a = b; b = tmp;
    }
}
void blocks(int n, int B, const float a[n], float b[n])
{
    meta_schedule { meta_for (int i = 0; i < n / B; i++) meta_for (int j = 0; j < B; j++) b[i * B + j] = a[i * B + j] + 1; }
}
void rounds(int n, int m, int h, int B, const float a[n], float b[n])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            for (int p = 0; p < (m + h - 1) / h; p++)
                meta_for (int j = 0; j < B; j++) {
                    int q = i * B + j;
                    if (q < n) {
                        if (p == 0)
                            b[q] = 0;
                        for (int z = 0; z < h; z++)
                            if (p * h + z < m)
                                b[q] += a[p * h + z];
                    }
                }
    }
}
void square(int n, int B, const float a[n], float c[n][n])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int q = i * B + j;
                if (q < n) {
                    c[q][q] = 1;
                    for (int k = q + 1; k < n; k++) {
                        c[q][k] = a[q] * a[k];
                        c[k][q] = c[q][k];
                    }
                }
            }
    }
}
int main(void)
{
    float a[500], b[500];
    for (int i = 0; i < 500; i++) a[i] = i, b[i] = 0;
    plain(500, 16, a); check("plain", 1, 1);
    swap(500, 16, a, b); check("swap", 1, 2);
    two(500, 16, a, b); check("two", 1, 2);
    timed(500, 16, a); check("timed", 1, 1);
    read_each(500, 16, a); check("read_each", 1, T);
    until(500, 16, a); check("until", 1, 10);
    write_each(500, 16, a, b); check("write_each", 2 * T, T);
    temporary(500, 16, a); check("temporary", 1, 1);
    file_scope(500, 16); check("file_scope", 1, 1);
    conv(500, 16, a, b); check("conv", 1, T);
    blocks(500, 10, a, b); check("blocks that reach to the end", 1, 1);
    blocks(500, 16, a, b); check("blocks that do not", 2, 1);
    rounds(500, 40, 16, 10, a, b); check("rounds", 1, 1);
    rounds(500, 0, 16, 10, a, b); check("no rounds", 2, 1);
    static float c[20][20];
    square(20, 8, a, c); check("square", 1, 1);
    for (int i = 0; i < 500; i++) printf("%g %g %g %g\n", a[i], b[i], state[0][i], c[i / 20 % 20][i % 20]);
}
