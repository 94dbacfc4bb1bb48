/* RUN: %S/Inputs/same %treefork %root %s %t | FileCheck %s
   CHECK: sums: {{[0-9]+}} runs, all the same
   Regions that sum: the host gives the start values, reads the sums, and goes on with them. */
#include <metafork.h>
#include <stdio.h>
enum { N = 2500 };
static long checks;
static int scalars(int n, const int *x, unsigned bits, double *mean)
{
    const int B = meta_tunable(64);
    static int calls;
    int most = -1;
    double sum = 0;
    meta_schedule meta_reduce(max, most) meta_reduce(+, calls, sum, checks) meta_reduce(^, bits) {
        meta_for (int b = 0; b < (n + B - 1) / B; b++)
            meta_for (int t = 0; t < B; t++) {
                int i = b * B + t;
                if (i < n) {
                    most = x[i] > most ? x[i] : most;
                    sum += x[i] * 0.1;
                    calls++;
                    checks -= x[i];
                    bits ^= (unsigned)x[i] << i % 32;
                }
            }
    }
    *mean = sum / n + bits;
    return most + calls;
}
static float total(int n, const int *x, int found[2])
{
    const int B = meta_tunable(64);
    int most[1] = {found[1]};
    float mean[1] = {0};
    meta_schedule meta_reduce(max, most) meta_reduce(+, found) {
        meta_for (int b = 0; b < (n + B - 1) / B; b++)
            meta_for (int t = 0; t < B; t++)
                if (b * B + t < n) {
                    found[0] += x[b * B + t];
                    if (x[b * B + t] > most[0])
                        most[0] = x[b * B + t];
                }
    }
    found[1] = most[0];
    meta_schedule meta_reduce(+, mean) {
        meta_for (int b = 0; b < (n + B - 1) / B; b++)
            meta_for (int t = 0; t < B; t++)
                if (b * B + t < n)
                    mean[0] += x[b * B + t] / 3.0f;
    }
    return mean[0];
}
int main(void)
{
    static int x[N];
    int found[2] = {0, -1};
    float mean = 0;
    for (int i = 0; i < N; i++)
        x[i] = i;
    for (int round = 0; round < 5; round++) {
        mean = total(N / 5 * (round + 1), x, found);
        found[0] -= round ? 1 : 0;
        double part;
        int both = scalars(N / 5 * round, x, 7u * (unsigned)round, &part);
        printf("%d %ld %.3f\n", both, checks, round ? part : 0);
    }
    printf("5 rounds: %d most %d\n%.0f\n", found[0], found[1], mean);
    return 0;
}
