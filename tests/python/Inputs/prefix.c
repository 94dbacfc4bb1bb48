/* Running sums. */
void prefix(long n, const double *x, double *y)
{
    double s = 0.0;
    for (long i = 0; i < n; i++) {
        s += x[i];
        y[i] = s;
    }
}
