void f(int n, int m, double a[restrict n][m], double b[restrict m][n], double *restrict s)
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m - 1; j++)
            a[i][j] = a[i - 1][j + 1] + 1;
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = a[i - 1][j] + b[j][i];
    for (int i = 0; i < n; i++) {
        double t = 0;
        for (int j = 0; j < m; j++)
            t += a[i][j];
        s[i] = t;
    }
    for (int i = 1; i < n; i++) {
        s[i] = s[i] + 1;
        for (int j = 0; j < m; j++)
            a[i][j] = s[i - 1] * a[i][j];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            a[i][j] = 2;
    for (int i = 1; i < n - 1; i++) {
        s[i] = b[0][i];
        b[1][i] = s[i + 1];
    }
}
