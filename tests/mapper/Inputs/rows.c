/* Rows that arrays of pointers lead to: allocated apart, as one block, from the last one down, in no order, and shared. */
enum { ROWS = 24 };

static void rows_make(double **rows, long n, double *first, long far)
{
    for (long i = 0; i < n; i++)
        rows[i] = first + i * far;
}

static void multiply(int n, int m, double *const *x, double **y, double **z, double *norm)
{
    for (int i = 0; i < n; i++) {
        norm[i] = 0;
        for (int j = 0; j < n; j++) {
            z[i][j] = 0;
            for (int k = 0; k < m; k++)
                z[i][j] += x[i][k] * y[j][k];
            norm[i] += z[i][j];
        }
    }
}

void product(long n, long m, double *a, double *b, int *c)
{
    double *x[ROWS], *y[ROWS], *z[ROWS];
    rows_make(x, n, a, m + 2);
    rows_make(y, n, a + 500, m);
    rows_make(z, n, b, n + 1);
    multiply(n, m, x, y, z, b + 500);
    c[0] = n;
}

void backward(long n, long m, double *a, double *b, int *c)
{
    double *x[ROWS], *y[ROWS], *z[ROWS];
    rows_make(x, n, a, m);
    rows_make(y, n, a + 3 * m, m);
    rows_make(z, n, b + 500, -n);
    multiply(n, m, x, y, z, b + 600);
    c[0] = m;
}

void shared(long n, long m, double *a, double *b, int *c)
{
    double *x[ROWS], *y[ROWS], *z[ROWS];
    rows_make(x, n, b, 3);
    rows_make(y, n, a, 0);
    rows_make(z, n, b, n / 2);
    multiply(n, m, x, y, z, b + 3);
    c[1] = n;
}

static void relax(long n, long m, double **u, double **v, int steps)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[i][j] = v[i][j];
    }
}

/* The first and the last row are one element shorter than the others. */
void heat(long n, long m, double *a, double *b, int *c)
{
    double *u[ROWS], *v[ROWS];
    rows_make(u, n, a, m);
    rows_make(v, n, b, m);
    if (n > 1)
        u[0] = a + 600;
    relax(n, m, u, v, 5);
    c[0] = m;
}

static void bytes(long n, long m, unsigned char **in, unsigned char **out, unsigned char *at)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) {
            int sum = 0;
            for (long k = 0; k < m; k++)
                sum += in[i][k] * (k - j + 3);
            out[i][j] = sum;
            at[j] = i;
        }
}

/* What is written may be the pointers themselves. */
void image(long n, long m, double *a, double *b, int *c)
{
    unsigned char *in[ROWS], *out[ROWS];
    for (long i = 0; i < n; i++) {
        in[i] = (unsigned char *)(a + i * m);
        out[i] = (unsigned char *)b + i * m;
    }
    bytes(n, m, in, out, (unsigned char *)(b + 400));
    c[0] = 1;
}

double total;
/* A row may be the variable. */
void variable(long n, long m, double *a, double *b, int *c)
{
    double *x[ROWS];
    rows_make(x, n, a, m);
    if (n > 2 && m == 1)
        x[1] = &total;
    total = 3;
    for (long t = 0; t < 3; t++)
        for (long i = 0; i < n; i++)
            for (long j = 0; j < m; j++)
                x[i][j] = x[i][j] * total + 1;
    b[0] = total;
    c[0] = 2;
}
