/* Unsigned iterators, sizes and subscripts. */
#include <stddef.h>

static size_t size(long n) { return n > 0 ? (size_t)n : 0; }

static void simple(size_t n, double *a, const double *b)
{
#pragma scop
    for (size_t i = 0; i < n; i++)
        a[i] = 2 * b[n - 1 - i];
#pragma endscop
}

static void matrix(unsigned rows, unsigned columns, double *a, double *b)
{
    unsigned i, j;
#pragma scop
    for (i = 0; i < rows; ++i)
        for (j = 0; j < columns; ++j)
            a[i * columns + j] = b[j * rows + i] - i * 0.5;
#pragma endscop
}

/* `offset` may be a negative number in disguise: then each iteration reads what the one before wrote. */
static void shifted(size_t n, size_t offset, double *a)
{
#pragma scop
    for (size_t i = 1; i < n; i++)
        a[i] = a[i + offset] + 1;
#pragma endscop
}

static void mixed(size_t width, int height, double *a, const double *b)
{
#pragma scop
    for (int y = 1; y < height; y++)
        for (size_t x = 0; x < width; x++)
            a[(size_t)y * width + x] = b[(y - 1) * width + x];
#pragma endscop
}

static void down(unsigned n, int *c)
{
#pragma scop
    for (unsigned i = n; i > 0; i--)
        c[i - 1] = (int)(i - 5) / 2;
#pragma endscop
}

/* The last element has no neighbour; without elements n - 1 would be large. */
static void inner(unsigned n, double *a, const double *b)
{
#pragma scop
    for (unsigned i = 1; i < n - 1; i++)
        a[i] = b[i - 1] + b[i + 1];
#pragma endscop
}

/* The sum may wrap; so may the one that tests it, where s is -1. */
static void ahead(unsigned n, unsigned s, double *restrict a, const double *restrict b)
{
#pragma scop
    for (unsigned i = 1; i < n; i++)
        a[i] = a[i + s] + b[i];
#pragma endscop
}

static double table[12];
static void fixed(double *a)
{
#pragma scop
    for (int i = 0; i < sizeof table / sizeof *table; i++)
        table[i] = a[i] / 2;
    for (int i = 0; i < sizeof table / sizeof *table; i++)
        a[i] = table[i];
#pragma endscop
}

void lines(long n, long m, double *a, double *b, int *c) { simple(size(n), a, b); }
void squares(long n, long m, double *a, double *b, int *c) { matrix((unsigned)size(n), (unsigned)size(m), a, b); }
void forward(long n, long m, double *a, double *b, int *c) { shifted(size(n), size(m), a); }
void backward(long n, long m, double *a, double *b, int *c) { shifted(size(n), (size_t)-1, a); }
void rows(long n, long m, double *a, double *b, int *c) { mixed(size(n), (int)m, a, b); }
void falling(long n, long m, double *a, double *b, int *c) { down((unsigned)size(n), c); }
void middle(long n, long m, double *a, double *b, int *c) { inner((unsigned)size(n) + 1, a, b); }
void over(long n, long m, double *a, double *b, int *c) { ahead((unsigned)size(n), (unsigned)-1, a, b); }
void constant(long n, long m, double *a, double *b, int *c) { fixed(a); }
