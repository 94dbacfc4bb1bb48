/* Four programs as their users wrote them; mapping.mf.c has them as they may be mapped. */
void outer(int m, int n, const float a[restrict m], const float b[restrict n], float c[restrict m][n])
{
    int i, j;
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++)
            c[i][j] = a[i] * b[j];
}

void copy(int n, const int x[restrict n], int y[restrict n])
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] + 1;
}

void positive(int n, const int x[restrict n], int y[restrict n])
{
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            y[i] = x[i];
}

int turns(int n, int T, int x[restrict n], int y[restrict n])
{
    int sum = 0;
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < n; i++)
            y[i] = x[i] + t;
        sum += y[t % n];
        for (int i = 0; i < n; i++)
            x[i] = 2 * y[i] + 1;
    }
    return sum;
}
