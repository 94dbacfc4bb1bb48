/* How much of an array is touched where a floating parameter decides what is done. */
void blend(int n, double b, const double *restrict x, double *restrict y)
{
    int k;
    for (k = 0; k < n; k++) {
        double t = x[k];
        if (b != 0.0)
            t = t + b * y[k];
        y[k] = t;
    }
}

void cases(int n, double b, const double *restrict x, double *restrict y)
{
    int k;
    for (k = 0; k < n; k++) {
        if (b == 0.0)
            y[k] = x[k];
        else if (b == 1.0)
            y[k] += x[k];
        else
            y[k] = b * y[k] + x[k];
    }
}

/* The host cannot tell whether y is there at all. */
void one_side(int n, double b, const double *restrict x, double *restrict y, double *restrict z)
{
    int k;
    for (k = 0; k < n; k++) {
        z[k] = z[k] + x[k];
        if (b == 0.0)
            y[k] = x[k];
    }
}
