/* A program of regions and host code whose order is drawn: `state` decides each step. Regions: a
   stencil, one in place, every other element, a matrix transposed, reads that no row bounds, a shift,
   a sum with partial results (of integers in double, so that no order matters). Host code: single
   elements read and written, whole arrays, memcpy, pointers swapped. Sizes differ from step to step,
   so that blocks change between members. No array is read to know what comes next. */
#include <metafork.h>
#include <string.h>

unsigned long drive(unsigned long state, int steps, int w, int B, int *restrict a, int *restrict b, int *restrict c,
                    double *restrict sum)
{
    unsigned long seen = 0;
    for (int s = 0; s < steps; s++) {
        state = state * 6364136223846793005ul + 1442695040888963407ul;
        int what = (int)((state >> 40) % 14);
        int n = w * w - (int)((state >> 20) % (unsigned long)(w * w / 3));
        int at = (int)((state >> 24) % (unsigned long)n);
        if (what == 0) {
            meta_schedule {
                meta_for (int i = 0; i < (n + B - 1) / B; i++)
                    meta_for (int j = 0; j < B; j++)
                        if (i * B + j > 0 && i * B + j < n - 1)
                            b[i * B + j] = a[i * B + j - 1] + 2 * a[i * B + j] - a[i * B + j + 1];
            }
        } else if (what == 1) {
            meta_schedule {
                meta_for (int i = 0; i < (n + B - 1) / B; i++)
                    meta_for (int j = 0; j < B; j++)
                        if (i * B + j < n)
                            a[i * B + j] = 3 * a[i * B + j] + b[i * B + j] + s;
            }
        } else if (what == 2) {
            meta_schedule {
                meta_for (int i = 0; i < (n + B - 1) / B; i++)
                    meta_for (int j = 0; j < B; j++)
                        if (i * B + j < n && (i * B + j + s) % 2 == 0)
                            c[i * B + j] += b[i * B + j] & 1023;
            }
        } else if (what == 3) {
            meta_schedule {
                meta_for (int i = 0; i < (w + B - 1) / B; i++)
                    meta_for (int j = 0; j < B; j++)
                        if (i * B + j < w)
                            for (int k = 0; k < w; k++)
                                c[(i * B + j) * w + k] = a[k * w + i * B + j];
            }
        } else if (what == 4) {
            meta_schedule {
                meta_for (int i = 0; i < (n + B - 1) / B; i++)
                    meta_for (int j = 0; j < B; j++)
                        if (i * B + j < n)
                            b[i * B + j] = a[(i * B + j) * 7 % n] - c[i * B + j];
            }
        } else if (what == 5) {
            meta_schedule {
                meta_for (int i = 0; i < (n + B - 1) / B; i++)
                    meta_for (int j = 0; j < B; j++)
                        if (i * B + j < n - w)
                            c[i * B + j] = a[i * B + j + w];
            }
        } else if (what == 6) {
            meta_schedule meta_reduce(+, sum) {
                meta_for (int i = 0; i < (n + B - 1) / B; i++)
                    meta_for (int j = 0; j < B; j++)
                        if (i * B + j < n)
                            sum[0] += a[i * B + j] & 255;
            }
        } else if (what == 7) {
            a[at] += 5;
        } else if (what == 8) {
            seen = seen * 31 + (unsigned)c[at];
        } else if (what == 9) {
            memcpy(b, c, (size_t)n * sizeof *b);
        } else if (what == 10) {
            for (int i = 0; i < n; i++)
                a[i] = a[i] % 997;
        } else if (what == 11) {
            int *other = a;
            a = b;
            b = other;
        } else if (what == 12) {
            b[at] = c[n - 1 - at];
        } else {
            seen = seen * 31 + (unsigned long)sum[0];
        }
    }
    return seen;
}
