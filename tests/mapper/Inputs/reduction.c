/* The only loop of a file is a reduction by an operator that no region has. */
int all(int n, const double *restrict a)
{
    int good = 1;
#pragma omp parallel for reduction(&& : good)
    for (int i = 0; i < n; i++)
        good = good && a[i] > 0;
    return good;
}
