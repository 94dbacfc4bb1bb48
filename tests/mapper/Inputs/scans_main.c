/* The functions of scans.c, as the source has them (NAME_source) and mapped, at sizes below and above the least number of chunks. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

#define BOTH(result, name, arguments) result name arguments; result name##_source arguments;
BOTH(void, offsets, (int n, const int *count, int *at))
BOTH(void, inplace, (long n, long *v))
BOTH(unsigned, local, (int n, const unsigned *x, unsigned *y))
BOTH(void, peaks, (int n, const float *x, float *top))
BOTH(void, rows, (int n, int m, int a[n][m], int *total))
BOTH(unsigned, hash, (int n, const unsigned *x, unsigned *y))
BOTH(int, feedback, (int n, int *x))
BOTH(void, xors, (size_t n, const uint8_t *x, uint32_t *y))
BOTH(void, products, (int n, const int *x, int *y))
BOTH(void, starts, (int rows, const int *count, int *start))
BOTH(void, starts_inplace, (int rows, int *start))
BOTH(void, down, (int n, const unsigned *a, unsigned *b))
BOTH(void, real, (int n, double *x, const double *d))
BOTH(void, fib, (int n, int *x))
BOTH(void, grow, (int n, int *x))
BOTH(double, balance, (int n, const double *x, double *y))

static int n_wrong;

static void compare(const char *name, int n, const void *a, const void *b, size_t bytes)
{
    if (memcmp(a, b, bytes) != 0 && ++n_wrong)
        printf("%s differs at n = %d\n", name, n);
}

static void *filled(int n, int seed, int width)
{
    char *at = malloc((size_t)(n + 2) * 8);
    for (int i = 0; i < n + 2; i++) {
        long value = (i * 7919L + seed) % 1009 - 480;
        if (width == 1)
            ((uint8_t *)at)[i] = (uint8_t)value;
        else if (width == 4)
            ((int *)at)[i] = (int)value;
        else
            ((long *)at)[i] = value;
    }
    return at;
}

static void try_size(int n)
{
    size_t words = (size_t)n * 4;
    int *x = filled(n, 5, 4), *a = filled(n, 1, 4), *b = filled(n, 1, 4);
    offsets(n, x, a), offsets_source(n, x, b), compare("offsets", n, a, b, words + 4);
    long *v = filled(n, 3, 8), *w = filled(n, 3, 8);
    inplace(n, v), inplace_source(n, v == w ? v : w), compare("inplace", n, v, w, words * 2);
    unsigned ends[2] = {local(n, (unsigned *)x, (unsigned *)a), local_source(n, (unsigned *)x, (unsigned *)b)};
    compare("local", n, a, b, words), compare("local's result", n, &ends[0], &ends[1], 4);
    float *f = malloc(words + 4), *g = malloc(words + 4), *h = malloc(words + 4);
    for (int i = 0; i <= n; i++)
        f[i] = i % 100 == 7 ? NAN : (float)(x[i % (n + 1)]);
    f[0] = -1000;
    peaks(n, f, g), peaks_source(n, f, h), compare("peaks", n, g, h, words);
    ends[0] = hash(n, (unsigned *)x, (unsigned *)a), ends[1] = hash_source(n, (unsigned *)x, (unsigned *)b);
    compare("hash", n, a, b, words), compare("hash's result", n, &ends[0], &ends[1], 4);
    for (int i = 0; i < n; i++)
        a[i] = b[i] = i % 2 ? 0 : 1 - i % 3;
    if (n < 30)
        ends[0] = (unsigned)feedback(n, a), ends[1] = (unsigned)feedback_source(n, b);
    compare("feedback", n, a, b, words), compare("feedback's result", n, &ends[0], &ends[1], 4);
    uint8_t *bytes = filled(n, 9, 1);
    xors((size_t)n, bytes, (uint32_t *)a), xors_source((size_t)n, bytes, (uint32_t *)b), compare("xors", n, a, b, words);
    for (int i = 0; i < n; i++)
        x[i] = i % 5000 == 4 ? -3 : 0;
    products(n, x, a), products_source(n, x, b), compare("products", n, a, b, words);
    double *d = malloc(words * 2 + 8), *y = malloc(words * 2 + 8), *z = malloc(words * 2 + 8);
    for (int i = 0; i < n; i++)
        d[i] = (i * 31 % 64) / 8.0 - 3;
    double sums[2] = {balance(n, d, y), balance_source(n, d, z)};
    compare("balance", n, y, z, words * 2), compare("balance's result", n, &sums[0], &sums[1], 8);
    y[0] = z[0] = 2.5;
    real(n, y, d), real_source(n, z, d), compare("real", n, y, z, words * 2);
    free(a), free(b);
    a = filled(n, 1, 4), b = filled(n, 1, 4);
    starts(n, x, a), starts_source(n, x, b), compare("starts", n, a, b, words + 4);
    for (int i = 0; i <= n; i++)
        a[i] = b[i] = i % 9 - 4;
    starts_inplace(n, a), starts_inplace_source(n, b), compare("starts_inplace", n, a, b, words + 4);
    down(n, (unsigned *)x, (unsigned *)a), down_source(n, (unsigned *)x, (unsigned *)b), compare("down", n, a, b, words);
    for (int i = 0; i < n; i++)
        a[i] = b[i] = i == 0;
    if (n < 30)
        fib(n, a), fib_source(n, b), grow(n, a), grow_source(n, b);
    compare("fib and grow", n, a, b, words);
    int (*p)[17] = filled(n * 17 / 16 + 40, 2, 4), (*q)[17] = filled(n * 17 / 16 + 40, 2, 4);
    rows(n / 16, 17, p, a), rows_source(n / 16, 17, q, b);
    compare("rows", n, p, q, (size_t)(n / 16) * 17 * 4), compare("totals", n, a, b, words / 16 / 4 * 4);
    free(x), free(a), free(b), free(v), free(w), free(f), free(g), free(h), free(bytes), free(d), free(y), free(z), free(p), free(q);
}

int main(void)
{
    static const int sizes[] = {0, 1, 2, 255, 256, 257, 16384, 16385, 16640, 16641, 20000, 65537, 100000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        try_size(sizes[i]);
    printf("%zu sizes, %d wrong\n", sizeof sizes / sizeof *sizes, n_wrong);
    return n_wrong > 0;
}
