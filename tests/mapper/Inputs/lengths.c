/* Elements at numbers that bound loops, as small arrays of sizes do; shifts in bounds and subscripts. */
static int sizes[2][2];

void locals(long n, long m, double *a, double *b, int *c)
{
    const long shape[2] = {n, m};
    for (long i = 0; i < shape[0]; i++)
        for (long j = 0; j < shape[1]; j++)
            a[i * shape[1] + j] = b[i] * j + c[j] + shape[0];
}

void tables(long n, long m, double *a, double *b, int *c)
{
    sizes[0][0] = n;
    sizes[1][1] = m;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] = b[j] + c[i];
}

/* Somebody sets them before. */
void used(long n, long m, double *a, double *b, int *c)
{
    int i, j;
    for (i = 0; i < sizes[0][0]; i++)
        for (j = sizes[1][1] - 1; j >= 0; j--)
            b[i * sizes[1][1] + j] = a[i * sizes[1][1] + j] + 1;
}

/* An element of another array might be the length, and a length may change. */
void changed(long n, long m, double *a, double *b, int *c)
{
    int last[1] = {4};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < last[0]; i++)
            b[i] = a[i] + k;
        last[0]--;
    }
    for (int i = 0; i < 4 && i < n; i++)
        c[i + 1] = c[0];
}

/* Two elements whose names would be one. */
void alike(long n, long m, double *a, double *b, int *c)
{
    const int a_1[2][1] = {{n}, {n - 1}}, a_1_1[1] = {m - 1};
    for (int i = 0; i < a_1[1][0]; i++)
        for (int j = 0; j < a_1_1[0]; j++)
            a[i * m + j] += b[i] * j;
}

#define BITS 1
#define TWICE(x) ((x) << BITS)
/* Shifts by numbers are products. */
void shifts(long n, long m, double *a, double *b, int *c)
{
    for (int i = 0; i < TWICE(n); i++)
        a[i << 1] = b[i] + (1 << BITS);
    for (int i = 0; i < 1 << 4 && i < n; i++)
        b[i] = c[i];
}
