/* Directives in groups that the reading leaves out, and the host's compiler may take. */
void twice(float *restrict a, int n)
{
    int i;
#ifdef _OPENMP
#pragma omp parallel for \
    private(i)
#endif
    for (i = 0; i < n; i++)
        a[i] *= 2;
}
