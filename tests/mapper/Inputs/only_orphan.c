void raise_all(int n, double *u, const double *r)
{
    int i;
#pragma omp for
    for (i = 0; i < n; i++)
        u[i] += r[i];
}
