/* Programs as they are: iterators declared ahead and shared, bounds and values behind macros, directives around pragmas,
   arrays that are declared flat. */
#include <math.h>
#define FIRST(x, y) x
#define ROWS FIRST(n, m)
#define COLUMNS FIRST(FIRST(m, n), 0)
#define VALUE(x) x
#define ROOT(x) sqrt(fabs(x))
#define ADD(to, what) to = to + (what)
#define WALK(i, n) for (i = 0; i < n; i++)
#define GREATER(a, b) ((a) > (b) ? (a) : (b))
#define OPEN 1

/* Two nests count with the same two variables, each the other way round. */
void shared(long n, long m, double *restrict a, double *restrict b, int *c)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        b[i] = 0;
    for (i = 0; i < m; i++) {
        a[i * n] = VALUE(0.5);
        for (j = 0; j < n; j++)
            b[j] = b[j] + a[i * n + j] * i;
    }
#pragma endscop
}

/* Axes are renamed inside calls of macros, whose other names stay. */
void renamed(long n, long m, double *restrict a, double *restrict b, int *c)
{
    long i, j;
#pragma scop
    WALK(i, ROWS)
        a[i] = ROOT(b[i]) * VALUE(3.0) + VALUE(i);
    for (j = 0; j < ROWS; j++)
        ADD(a[j], VALUE(b[j]) - 1);
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLUMNS; ++j)
            ADD(b[ROWS + i], VALUE(i - j));
#pragma endscop
}

/* The `#endif` belongs to what stands before the loop. */
void around(long n, long m, double *restrict a, double *restrict b, int *c)
{
    long i;
#ifdef OPEN
#pragma omp parallel for
#endif
    for (i = 0; i < n; i++)
        a[i] = 2 * b[i];
#ifdef OPEN
#pragma scop
#endif
    for (i = 0; i < n; i++)
        b[i] = a[i] + 1;
#ifdef OPEN
#pragma endscop
#endif
    a[0] = n;
}

/* The test that the arrays lie apart counts the elements of what is declared. */
static void flat(long h, long w, double a[h * w], double b[h * w])
{
#pragma scop
    for (long y = 0; y < h; y++)
        for (long x = 0; x < w; x++)
            b[y * w + x] = 2 * a[y * w + x];
#pragma endscop
}

void flat_rows(long n, long m, double *a, double *b, int *c)
{
    if (n > 0 && m > 0)
        flat(n, m, a, b);
}

/* A loop from the greater of two, twice in one function. */
void greater(long n, long m, double *restrict a, double *restrict b, int *c)
{
#pragma scop
    for (long i = GREATER(n, m); i < 2 * n; i++)
        a[i - (n > m ? n : m)] = b[i] + 1;
    for (long i = (n > m ? n : m); i < 2 * n; i++)
        b[i] = a[i] * 3;
#pragma endscop
}

/* Scalars of two loops get arrays of their own. */
void expanded(long n, long m, double *restrict a, double *restrict b, int *c)
{
#pragma scop
    for (long d = 0; d < n; d++) {
        for (long k = d; k < n; k++) {
            double total = a[d * n + k];
            for (long p = 0; p < d; p++)
                total -= a[d * n + p] * a[p * n + k];
            a[d * n + k] = total;
        }
        for (long r = d + 1; r < n; r++) {
            double total = a[r * n + d];
            for (long p = 0; p < d; p++)
                total -= a[r * n + p] * a[p * n + d];
            a[r * n + d] = total * b[d];
        }
    }
#pragma endscop
}

/* A constant keeps its name in axes; extents inside the macro of a declarator have none. */
#define WIDTH 12
#define TABLE(name, rows, columns) name[rows][columns]
static double TABLE(first, WIDTH, WIDTH), TABLE(second, WIDTH, WIDTH);
static void wide(double TABLE(x, WIDTH, WIDTH), double TABLE(y, WIDTH, WIDTH), const double *restrict a)
{
    int i, j;
#pragma scop
    for (i = 0; i < WIDTH; i++)
        for (j = 1; j <= WIDTH - 2; j++)
            x[i][j] = y[i][j] + a[j];
#pragma endscop
}

void constants(long n, long m, double *a, double *b, int *c)
{
    wide(first, second, a);
    wide(second, first, a);
    for (int i = 0; i < WIDTH; i++)
        b[i] = second[i][WIDTH / 2];
}
