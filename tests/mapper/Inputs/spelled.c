/* Arrays and scalars that macros name: memory of their own for each iteration, copies, and values that are carried. */
#define ROW(j) row[j]
#define SQUARE(x) ((x) * (x))
#define STORE(place, value) place = (value)
#define LINE(j) STORE(line[j], SQUARE(b[i * m + (j)]) + (j))
#define NEXT(x) (x)[i + 1]
#define LAST last
#define KEEP(x, value) x = value
#define TWICE(x) x + x

/* The memory is read twice by one call, and written by a macro that is a statement. */
void rows(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double row[40];
    if (m > 40)
        return;
#pragma scop
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < m; j++)
            STORE(ROW(j), b[i * m + j] * 2);
        for (long j = 0; j < m; j++)
            a[i * m + j] = SQUARE(ROW(j)) - 2 * (TWICE(ROW(m - 1 - j)));
    }
#pragma endscop
}

/* The last row is put back; the name stands in the macro alone. */
void lines(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double *restrict line = a;
#pragma scop
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < m; j++)
            LINE(j);
        for (long j = 0; j < m; j++)
            b[i * m + j] = 3 - line[m - 1 - j];
    }
#pragma endscop
}

/* What a later iteration writes is read from a copy. */
void next(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        a[i] = SQUARE(NEXT(a)) + b[i];
#pragma endscop
}

/* The value of the round before. */
void last(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int last = 3;
#pragma scop
    for (long i = 0; i < n; i++) {
        c[i] = TWICE(LAST) + 1;
        KEEP(LAST, c[n + i]);
        b[i] = 2;
    }
#pragma endscop
    c[n + n] = LAST;
}
