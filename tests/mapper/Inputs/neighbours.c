/* Loops one behind the other that nothing marks. */

/* One launch; the second loop's own `m` is not the parameter that the first one reads. */
void shadowed(int n, double m, double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] += b[i] * m;
    for (int i = 0; i < n; i++) {
        double m;
        m = b[i];
        a[i] = a[i] + m;
    }
}

/* Two launches: together they would ask whether `a` and `c` lie apart, which neither asks. */
void unknown(int n, double *a, const double *b, double *c, const double *d)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i] + 1;
    for (int i = 0; i < n; i++)
        c[i] = d[i] + 1;
}

/* Two launches: the second loop reads what its neighbours write. */
void halo(int n, const double *restrict a, double *restrict b, double *restrict c)
{
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i + 1];
    for (int i = 2; i < n - 2; i++)
        c[i] = b[i - 1] + b[i + 1];
}

/* A value between the loops, and a call that ends the sequence. */
static void say(int n)
{
    (void)n;
}

void between(int n, double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] = i * 0.5;
    double half = n * 0.25;
    for (int i = 0; i < n; i++)
        b[i] = a[i] + half;
    say(n);
    for (int i = 0; i < n; i++)
        b[i] = a[i] - b[i];
}

/* A recurrence between two maps: neither is given up for it. */
void kept(int n, const float *restrict x, float *restrict y, float *s)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
        sum += y[i] * sum;
    for (int i = 0; i < n; i++)
        y[i] *= sum;
    *s = sum;
}
