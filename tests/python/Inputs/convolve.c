/* y = x * w where the filter lies inside: n - k + 1 values. */
void convolve(int n, int k, const double *x, const double *w, double *y)
{
    for (int i = 0; i <= n - k; i++) {
        double s = 0;
        for (int j = 0; j < k; j++)
            s += x[i + j] * w[k - 1 - j];
        y[i] = s;
    }
}
