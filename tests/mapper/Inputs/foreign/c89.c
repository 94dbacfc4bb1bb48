#ifdef WORDS
static int restrict(int a)
{
    return a + 1;
}
#else
#define restrict(a) ((a) + 1)
#endif
void reduce(int n, double a[12][12], double *g)
{
    int i, j, k;
    double dot;
    for (i = 1; i < n; i++) {
        dot = 0.0;
        for (k = 0; k < i; k++)
            dot += a[i][k] * a[k][i];
        a[i][i] = a[i][i] - dot;
        for (j = i + 1; j < n; j++) {
            dot = 0.0;
            for (k = 0; k < i; k++)
                dot += a[i][k] * a[k][j];
            a[i][j] = a[i][j] - dot;
            dot = 0.0;
            for (k = 0; k < i; k++)
                dot += a[j][k] * a[k][i];
            a[j][i] = (a[j][i] - dot) / a[i][i];
        }
    }
    for (i = 0; i < restrict(n); i++)
        g[i] = 1.0;
}
