/* Conditions on numbers that follow from the counter, declared in the loop or before it. */
void behind(int n, float *w)
{
    for (int j = 0; j < n; ++j) {
        int m = n - j;
        if (m >= 5)
            w[m] = j;
    }
}

void rows(int n, const double *restrict r, double *restrict w)
{
    int j, m, i;
    double s;
    for (j = 1; j <= n; ++j) {
        s = w[j];
        m = j - 1;
        if (m >= 1) {
            for (i = 1; i <= m; ++i)
                s = s * r[i] + 1;
        }
        w[j] = s;
    }
}

void sums(int n, const double *restrict r, double *restrict w)
{
    for (int j = 1; j <= n; ++j) {
        double s = 0;
        int m = n - j;
        if (m >= 1)
            for (int i = 0; i < m; ++i)
                s += r[i];
        w[j] = s;
    }
}

void above(int n, float *w)
{
    for (int j = 0; j < n; ++j) {
        int m = n - j;
        for (int k = 0; k < n; k++)
            if (k > m)
                w[j * n + k] = 0;
    }
}
