/* Places in arrays as arguments of functions. */
enum { SIDE = 20 };

static double dot(long n, const double *x, const double *y)
{
    double s = 0;
    for (long i = 0; i < n; i++)
        s += x[i] * *(y + i);
    return s;
}

static void extremes(const double *x, long n, double *lo, double *hi)
{
    *lo = *x;
    *hi = *x;
    for (long i = 1; i < n; i++) {
        if (x[i] < *lo)
            *lo = x[i];
        if (*(x + i) > *hi)
            *hi = *(x + i);
    }
}

static void turn(double *p, double *q)
{
    double t = *p;
    *p = 0.5 * t - 2 * *q;
    *q = 2 * t + 0.5 * *q;
}

static void add(double *y, const double *x, double k) { y[0] += k * x[0]; y[1] += k * x[1]; }
static void twice(double *y, const double *x) { add(y, x + 1, 2.0); add(&y[2], &x[-1], 0.5); }
static double corner(double (*u)[SIDE]) { return u[0][0] + *u[1] + *(u[2] + 2); }

/* A row of a flat array. */
void products(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        b[i] = dot(m, &a[i * m], a + i);
#pragma endscop
}

/* Rows of a matrix; the pointer to one is folded away. */
void rows(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict u)[SIDE] = (double (*restrict)[SIDE])a, (*restrict v)[SIDE] = (double (*restrict)[SIDE])b;
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            const double *row = u[j] + 1;
            v[i][j] += dot(m - 1, u[i], row) + corner(u + i);
        }
#pragma endscop
}

/* Results by pointers; neighbours that share none. */
void ranges(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        extremes(a + i * m, m, b + 2 * i, &b[2 * i + 1]);
    for (long i = 0; i < n; i++)
        turn(&a[2 * i], &a[2 * i + 1]);
#pragma endscop
}

/* Through two functions, which may get one array for both of their own. */
void nested(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        twice(b + 4 * i, &a[3 * i + 1]);
    for (long i = 0; i < n; i++)
        twice(a + 6 * i, a + 6 * i + 1);
#pragma endscop
}

/* Neighbours that do. */
void along(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n - 1; i++)
        turn(a + i, &a[i + 1]);
#pragma endscop
}
