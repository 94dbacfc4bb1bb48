/* Variables that name a value. */
enum { SIDE = 20 };
static double half(double x) { return x * 0.5; }

/* A subscript; its row. */
void subscripts(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        const long row = i * m;
        for (long j = 0; j < m; j++) {
            long at = row + j, next = at + 1;
            double v = b[at] + b[next];
            a[at] = v;
        }
    }
#pragma endscop
}

/* What the inner loop needs of the outer one. */
void outer(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict grid)[SIDE] = (double (*restrict)[SIDE])a;
#pragma scop
    for (long i = 0; i < n; i++) {
        const double x = b[i], y = x * x;
        const int k = c[i];
        for (long j = 0; j < m; j++)
            if (c[j] > 2)
                grid[i][j] = half(y) + k;
            else if (k != 3)
                grid[i][j] += x;
    }
#pragma endscop
}

/* The fragment changes the array: what was read must stay. */
void changed(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict grid)[SIDE] = (double (*restrict)[SIDE])a;
#pragma scop
    for (long i = 0; i < n; i++) {
        const double first = b[i];
        b[i] = b[i + 1] + 1;
        for (long j = 0; j < m; j++)
            grid[i][j] = first - j;
    }
#pragma endscop
}

static void raise(double *v, long at) { v[at] += 3; }
/* A function changes it. */
void given(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        double before = b[i];
        raise(b, i);
        a[i] = before - b[i];
    }
#pragma endscop
}

/* The variable changes. */
void counted(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        int at = 1;
        for (long j = 0; j < m; j++)
            at += c[j] & 1;
        a[i] = b[at];
    }
#pragma endscop
}

/* Two regions use one name, and statements on both sides of an `if`. */
void parted(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict grid)[SIDE] = (double (*restrict)[SIDE])a;
#pragma scop
    for (long i = 1; i < n; i++) {
        const long left = i - 1;
        if (i < m)
            grid[0][i] = c[i];
        const int twice = 2 * c[left];
        if (i < m)
            grid[0][i] += twice;
        b[i] = b[left] + twice;
        grid[1][i] = twice;
    }
#pragma endscop
}

/* The memory that a name reads may be what the loop writes. */
void aliased(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        const double x = b[i + 1];
        a[i] = x + 1;
    }
#pragma endscop
}

/* What functions do to memory that they are not given. */
static double kept[64];
static void keep(long i, double v) { kept[i] = v; }
static double look(long i) { return kept[i]; }
void global(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict grid)[SIDE] = (double (*restrict)[SIDE])a;
#pragma scop
    for (long i = 0; i < n; i++) {
        const double x = kept[i];
        keep(i, b[i]);
        for (long j = 0; j < m; j++)
            grid[i][j] = x + j;
    }
#pragma endscop
}

void called(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict grid)[SIDE] = (double (*restrict)[SIDE])a;
#pragma scop
    for (long i = 0; i < n; i++) {
        for (long p = 0; p < m; p++)
            kept[p] = b[i + p];
        for (long p = 0; p < m; p++)
            grid[i][p] = look(p) + kept[m - 1 - p];
    }
#pragma endscop
}

/* What a round sets behind `continue` may be left as the row before set it. */
void stepped(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int by = 1;
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) {
            int k = 0;
            for (k = 0; k < 8; k += by) {
                if (b[i + k] > 0)
                    continue;
                by = 2;
            }
            a[i] = k;
        }
    for (long i = 0; i < n; i++)
        b[i] = a[i];
#pragma endscop
}

/* The operand of `sizeof` is a use. */
void sized(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict grid)[SIDE] = (double (*restrict)[SIDE])a;
#pragma scop
    for (long i = 0; i < n; i++) {
        const double x = b[i];
        double sum = 0;
        for (long j = 0; j < m; j++)
            sum += b[j];
        for (long j = 0; j < m; j++)
            grid[i][j] = sizeof x + sizeof sum + sum;
    }
#pragma endscop
}
