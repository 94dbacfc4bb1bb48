/* Sums of floating numbers, which round otherwise in another order. */
double total(int n, const double *restrict a)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

/* The clause frees what it names, by its operator. */
double named(int n, int m, const double *restrict a)
{
    double s = 0, t = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        s += a[i];
        t += a[i] * a[i];
    }
    return s + t;
}

/* Over two axes the text keeps the source's order: only the last one has threads. */
double plane(int n, int m, const double a[n][m])
{
    double s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += a[i][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s -= a[i][j] * a[i][j];
#pragma endscop
    return s;
}

/* One thread for each row, and for each element of a product: as ever. */
void rows(int n, int m, double y[restrict n], double c[restrict n][n], const double a[restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[i] += a[i][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++)
                c[i][j] += a[i][k] * a[j][k];
#pragma endscop
}

/* A clause in a scop is the word for its loop. */
double steps(int n, int m, double *restrict a)
{
    double s = 0, t = 0;
#pragma scop
    for (int k = 0; k < m; k++) {
#pragma omp parallel for reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += a[i];
        for (int i = 0; i < n; i++)
            a[i] += 1;
    }
    for (int i = 0; i < n; i++)
        t += a[i];
#pragma endscop
    return s + t;
}

/* Host loops around sums: the host computes the scalars between the regions. */
void descent(int n, int m, double x[restrict n], double g[restrict n], const double c[restrict n])
{
    double size, step;
#pragma scop
    for (int k = 0; k < m; k++) {
        for (int i = 0; i < n; i++)
            g[i] = x[i] - c[i];
        size = 0;
        for (int i = 0; i < n; i++)
            size += g[i] * g[i];
        step = 1 / (1 + size);
        for (int i = 0; i < n; i++)
            x[i] -= step * g[i];
    }
#pragma endscop
}
