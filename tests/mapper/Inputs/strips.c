// A block owns rows where a sum along a row is used at once by a sum along columns, and A is read once.

void atax(int m, int n, const double A[restrict m][n], const double x[restrict n], double t[restrict m], double y[restrict n])
{
#pragma scop
    for (int i = 0; i < m; i++) {
        t[i] = 0;
        for (int j = 0; j < n; j++)
            t[i] += A[i][j] * x[j];
    }
    for (int j = 0; j < n; j++) {
        y[j] = 0;
        for (int i = 0; i < m; i++)
            y[j] += A[i][j] * t[i];
    }
#pragma endscop
}

// Where nobody else reads t it needs no memory.
void local(int m, int n, const float A[restrict m][n], const float x[restrict n], float y[restrict n])
{
    float t[m];
#pragma scop
    for (int i = 0; i < m; i++) {
        t[i] = 0;
        for (int j = 0; j < n; j++)
            t[i] += A[i][j] * x[j];
    }
    for (int j = 0; j < n; j++) {
        y[j] = 0;
        for (int i = 0; i < m; i++)
            y[j] += A[i][j] * t[i];
    }
#pragma endscop
}

// Loops under other names, from 1 on, and a second matrix.
void named(int m, int n, const float A[restrict m][n], const float B[restrict m][n], float t[restrict m], float y[restrict n])
{
#pragma scop
    for (int r = 1; r < m; r++)
        for (int c = 1; c < n - 1; c++)
            t[r] += A[r][c] + B[r][c];
    for (int k = 1; k < m; k++)
        for (int l = 1; l < n; l++)
            y[l] -= A[k][l] * t[k];
#pragma endscop
}

// Columns first: a block owns eight of them.
void columns(int m, int n, const float A[restrict m][n], const float y[restrict m], float x[restrict n], float w[restrict m])
{
#pragma scop
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            x[j] += A[i][j] * y[i];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            w[i] += A[i][j] * x[j];
#pragma endscop
}

// Likewise with starts, under other names, and not from the first column on.
void downwards(int m, int n, const float A[restrict m][n], const float y[restrict m], const float z[restrict n], float x[restrict n],
               float w[restrict m])
{
#pragma scop
    for (int c = 1; c < n; c++) {
        x[c] = z[c];
        for (int r = 0; r < m; r++)
            x[c] += A[r][c] * y[r];
    }
    for (int i = 0; i < m; i++) {
        w[i] = 0;
        for (int k = 1; k < n; k++)
            w[i] += 2 * A[i][k] * x[k];
    }
#pragma endscop
}

// The sum of another row is used.
void other_row(int m, int n, const float A[restrict m][n], const float x[restrict n], float t[restrict m], float y[restrict n])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            t[i] += A[i][j] * x[j];
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            y[j] += A[i][j] * t[m - 1 - i];
#pragma endscop
}

void starts(int m, int n, const double A[restrict m][n], const double x[restrict n], const double z[restrict n],
            double t[restrict m], double y[restrict n])
{
#pragma scop
    for (int i = 0; i < m; i++) {
        t[i] = 0;
        for (int j = 0; j < n; j++)
            t[i] += A[i][j] * x[j];
    }
    for (int j = 0; j < n; j++)
        y[j] = 2 * z[j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            y[j] += A[i][j] * t[i];
#pragma endscop
}

void starts_rows(int m, int n, const float A[restrict m][n], const float y[restrict m], float x[restrict n],
                 float w[restrict m])
{
#pragma scop
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            x[j] += A[i][j] * y[i];
    for (int i = 0; i < m; i++)
        w[i] = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            w[i] += A[i][j] * x[j];
#pragma endscop
}

void starts_from_one(int m, int n, const float A[restrict m][n], float t[restrict m], float y[restrict n])
{
#pragma scop
    for (int j = 1; j < n; j++)
        y[j] = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            t[i] += A[i][j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            y[j] += A[i][j] * t[i];
#pragma endscop
}

void starts_read(int m, int n, const float A[restrict m][n], float t[restrict m], float x[restrict n], float y[restrict n])
{
#pragma scop
    for (int j = 0; j < n; j++)
        y[j] = x[j];
    for (int j = 0; j < n; j++)
        x[j] = 1;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            t[i] += A[i][j] * x[j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            y[j] += A[i][j] * t[i];
#pragma endscop
}
