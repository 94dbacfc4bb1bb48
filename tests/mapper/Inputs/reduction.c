/* The only loop of a file is a sum. */
double total(int n, const double *restrict a)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}
