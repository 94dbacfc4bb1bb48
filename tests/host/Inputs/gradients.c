/* Conjugate gradients of a fixed number of rounds on the three diagonals 4, -1: two scalars that regions sum in every round, and
   vectors that host code touches before and behind the rounds only. */
#include <metafork.h>
double gradients(int n, int rounds, double *x, double *r, double *p, double *q)
{
    const int B = meta_tunable(64);
    double rr = 0;
    meta_schedule meta_reduce(+, rr) {
        meta_for (int b = 0; b < (n + B - 1) / B; b++)
            meta_for (int t = 0; t < B; t++) {
                int i = b * B + t;
                if (i < n)
                    rr += r[i] * r[i];
            }
    }
    for (int round = 0; round < rounds; round++) {
        double pq = 0, old = rr;
        meta_schedule meta_reduce(+, pq) {
            meta_for (int b = 0; b < (n + B - 1) / B; b++)
                meta_for (int t = 0; t < B; t++) {
                    int i = b * B + t;
                    if (i < n) {
                        q[i] = 4 * p[i] - (i > 0 ? p[i - 1] : 0) - (i + 1 < n ? p[i + 1] : 0);
                        pq += p[i] * q[i];
                    }
                }
        }
        double alpha = rr / pq;
        rr = 0;
        meta_schedule meta_reduce(+, rr) {
            meta_for (int b = 0; b < (n + B - 1) / B; b++)
                meta_for (int t = 0; t < B; t++) {
                    int i = b * B + t;
                    if (i < n) {
                        x[i] += alpha * p[i];
                        r[i] -= alpha * q[i];
                        rr += r[i] * r[i];
                    }
                }
        }
        double beta = rr / old;
        meta_schedule {
            meta_for (int b = 0; b < (n + B - 1) / B; b++)
                meta_for (int t = 0; t < B; t++) {
                    int i = b * B + t;
                    if (i < n)
                        p[i] = r[i] + beta * p[i];
                }
        }
    }
    return rr;
}
