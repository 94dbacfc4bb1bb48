/* Subscripts that are affine in pieces: borders that are clamped, rings, planes that take turns. No pointer is `restrict`. */
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static long clamp(long x, long low, long high)
{
    return x < low ? low : x > high ? high : x;
}

void borders(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        b[i] = a[i > 0 ? i - 1 : 0] + a[i < n - 1 ? i + 1 : n - 1] * 2;
#pragma endscop
}

/* Each element of the rows that are read lies within those declared; so does what macros and helpers clamp. */
void rows(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
            b[i * m + j] = a[MAX(i - 1, 0) * m + j] + a[MIN(i + 1, n - 1) * m + j] + a[i * m + clamp(j - 2, 0, m - 1)] +
                           a[clamp(i + 1, 0, n - 1) * m + MAX(0, MIN(j + 1, m - 1))];
#pragma endscop
}

void ring(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        b[i] = a[(i + 1) % n] - a[(i + n - 1) % n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[i * m + j] = (int)a[i * m + (j + 1) % m] + (int)b[(i + 2) % (n + 1)];
#pragma endscop
}

/* What both sides of the middle write is apart: two axes of one region in place. */
void folded(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
            a[(i < 3 ? i : i + 2) * m + j] *= b[j];
#pragma endscop
}

/* The second half reads what the first one wrote. */
void chained(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long j = 0; j < m; j++)
        for (long i = 0; i < n; i++)
            a[(i < 3 ? i : 5) * m + j] += a[(i > 1 ? i - 1 : 0) * m + j] + b[j];
#pragma endscop
}

void planes(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (int t = 0; t < 5; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[((t + 1) % 2 * n + i) * m + j] =
                    (a[(t % 2 * n + i - 1) * m + j] + a[(t % 2 * n + i + 1) * m + j] + a[(t % 2 * n + i) * m + j - 1]) * 0.25;
#pragma endscop
}

void turns(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long t = 0; t < m; t++) {
        long from = t & 1, to = 1 - from;
        for (long i = 1; i < n - 1; i++)
            a[to * n + i] = (a[from * n + i - 1] + a[from * n + i + 1]) * 0.5 + b[i];
    }
#pragma endscop
}

/* Three planes, of which the oldest is overwritten; the loop around them stays on the host. */
void wave(long n, long m, double *a, double *b, int *c)
{
    double u[3][20];
    for (int i = 0; i < 60; i++)
        u[i / 20][i % 20] = b[i];
#pragma scop
    for (long t = 0; t < m; t++)
        for (long i = 1; i < n - 1; i++)
            u[(t + 2) % 3][i] = 2 * u[(t + 1) % 3][i] - u[t % 3][i] + 0.25 * u[(t + 1) % 3][i - 1] + a[i];
    for (long i = 0; i < n; i++)
        b[i] = u[2][i];
#pragma endscop
}

/* Below 0 the remainder is, too: there the loops meet other planes. */
void negative(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long t = -3; t < m; t++)
        for (long i = 0; i < n; i++)
            a[((t + 1) % 2 + 1) * n + i] = a[(t % 2 + 1) * n + i] * 0.5 + b[i];
#pragma endscop
}

/* In its third lap the ring is not known: the loop stays. */
void late(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        a[i] = a[(i + 2 * n + 1) % n] + 1;
#pragma endscop
}

/* Where t is odd and below 0 the plane that is written is the one that is read. */
void below(long n, long m, double *a, double *b, int *c)
{
    long t = -m;
#pragma scop
    for (long i = 1; i < n; i++)
        a[(t % 2 + 1) * n + i] = a[i - 1] + 1;
#pragma endscop
}
