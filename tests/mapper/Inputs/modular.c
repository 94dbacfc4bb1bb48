/* Unsigned sums whose parts may wrap, as long as the whole does not. */
#include <stddef.h>

static unsigned same(unsigned k) { return k; }

void parts(unsigned n, double *restrict a)
{
#pragma scop
    for (unsigned i = 1; i < n; i++)
        a[i - 2u + 1u] = i;
#pragma endscop
}

/* An argument, and a part of another width, are wholes. */
void called(unsigned n, double *restrict a)
{
#pragma scop
    for (unsigned i = 1; i < n; i++)
        a[same(i - 2u) + 1u] = i;
#pragma endscop
}

void widened(unsigned n, double *restrict a)
{
#pragma scop
    for (unsigned i = 1; i < n; i++)
        a[(size_t)(i - 2u) + (size_t)1] = i;
#pragma endscop
}

void condition(unsigned n, double *restrict a)
{
#pragma scop
    for (unsigned i = 1; i < n; i++)
        if (i - 2u + 1u < 7u)
            a[i] = i;
#pragma endscop
}

void chosen(unsigned n, double *restrict a)
{
#pragma scop
    for (unsigned i = 1; i < n; i++)
        a[(i - 2u < 5u ? i - 1u : i) + 0u] = i;
#pragma endscop
}
