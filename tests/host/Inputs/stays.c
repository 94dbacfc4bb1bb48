#include <metafork.h>

/* Exact: three parts of a[i] by the first region, then b[i] from a neighbour's. */
void thirds(int n, int B, int a[n], int b[n])
{
    int blocks = (n + B - 1) / B;
    meta_schedule {
        meta_for (int i = 0; i < blocks; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n)
                    a[p] = a[p] * 3 + 1;
            }
    }
    meta_schedule {
        meta_for (int i = 0; i < blocks; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n - 1)
                    b[p] = a[p + 1] + b[p] / 2;
            }
    }
}

/* b[p] = a[p] + 1: with b = a + 1 what C makes of it. */
void follow(int n, int B, int a[n], int b[n])
{
    int blocks = (n + B - 1) / B;
    meta_schedule {
        meta_for (int i = 0; i < blocks; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n)
                    b[p] = a[p] + 1;
            }
    }
}

/* Its bits depend on the order. */
void total(int n, int B, float a[n], float s[1])
{
    int blocks = (n + B - 1) / B;
    meta_schedule meta_reduce(+, s) {
        meta_for (int i = 0; i < blocks; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n)
                    s[0] += a[p];
            }
    }
}

/* The same of scalars, which no pointer leads to. */
float product(int n, int B, const float a[n], const float b[n])
{
    float s = 0.1f;
    int blocks = (n + B - 1) / B;
    meta_schedule meta_reduce(+, s) {
        meta_for (int i = 0; i < blocks; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n)
                    s += a[p] * b[p];
            }
    }
    return s;
}

double moments(int m, int n, int B, const float *a, float *b)
{
    double s = 1.0 / 3, squares = 0;
    int blocks = (n + B - 1) / B;
    meta_schedule meta_reduce(+, s, squares) {
        meta_for (int i = 0; i < blocks; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j + m;
                if (p <= m + n - 1 && a[p] != 0.25f) {
                    float e = a[p] - 1.0f / (p + 1);
                    if (e > 0)
                        s += e;
                    squares += (double)e * e;
                    b[p] = e;
                }
            }
    }
    return s * 1000 + squares;
}

/* A pointer leads to this one, and may be among the elements. */
float pointed(int n, int B, const float *a, const float **place)
{
    float s = 0;
    int blocks = (n + B - 1) / B;
    *place = &s;
    meta_schedule meta_reduce(+, s) {
        meta_for (int i = 0; i < blocks; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n)
                    s += a[p];
            }
    }
    return s;
}
