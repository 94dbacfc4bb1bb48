/* Arrays that are overwritten in place. */
#ifdef SOURCE
#define blur blur_source
#define shift shift_source
#define diagonal diagonal_source
#define before before_source
#define mixed mixed_source
#define indexed indexed_source
#define updated updated_source
#define windows windows_source
#define end end_source
#endif

void blur(int n, int m, double a[restrict n][m])
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            a[i][j] = a[i][j + 1] + a[i + 1][j] + a[i + 1][j - 1];
#pragma endscop
}

void shift(int n, double *restrict b)
{
#pragma scop
    for (int i = 0; i < n - 1; i++)
        b[i] = b[i + 1] * 2 + b[n - 1];
#pragma endscop
}

void diagonal(int n, double a[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n - 1; i++)
        a[i][i] = a[i + 1][i + 1] * 3;
#pragma endscop
}

/* Negative subscripts are within the memory of a caller. */
void before(int n, double *restrict b)
{
#pragma scop
    for (int i = n - 1; i > -1; i--)
        b[i] = b[i - 1] * 2;
#pragma endscop
}

/* Rows above are updated, those below are as they were. */
void mixed(int n, int m, double a[restrict n][n], double b[restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < n; k++)
                b[i][j] += a[k][i] * b[k][j];
#pragma endscop
}

void indexed(int n, double *restrict b, const int *restrict at)
{
#pragma scop
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            b[i] = b[i] + b[at[i]];
#pragma endscop
}

void updated(int n, int m, double a[restrict n][m])
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            a[i][j] += a[i - 1][j] + a[i][j - 1];
#pragma endscop
}

/* Rows of a copy would be as long as a variable says that changes. */
void windows(int n, double a[restrict n][n])
{
    for (int i = n - 2; i > 0; i--) {
#pragma scop
        for (int j = 0; j < i; j++)
            for (int k = 0; k < i; k++)
                a[j][k] = a[j][k + 1] + a[j + 1][k + 1];
#pragma endscop
    }
}

void end(void)
{
}
