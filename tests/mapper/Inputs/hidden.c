/* Pragmas that this reading skips, and the program's compiler may see. */
double u[65536], rhs[65536];
void block(int n)
{
    int i;
#ifdef _OPENMP
#pragma omp parallel
#endif
    {
#ifdef _OPENMP
#pragma omp for
#endif
        for (i = 0; i < n; i++)
            u[i] = u[i] + rhs[i];
    }
}

void orphan(int n)
{
    int i;
#ifdef _OPENMP
#pragma omp for
#endif
    for (i = 0; i < n; i++)
        rhs[i] = u[i] + rhs[i];
}

void above(int n)
{
    int i;
#if defined(_OPENMP)
#pragma omp simd
#endif
    for (i = 0; i < n; i++)
        u[i] = u[i] + rhs[i];
#ifdef __clang__
#pragma clang loop vectorize(enable)
#else
#pragma GCC ivdep
#endif
    for (i = 0; i < n; i++)
        rhs[i] = u[i] * rhs[i];
#ifdef _OPENMP
#pragma omp parallel for \
    private(i)
#elif defined(_OPENACC)
#pragma acc parallel loop
#endif
    for (i = 0; i < n; i++)
        u[i] = u[i] * rhs[i];
}

int work(int i);
void around(int n)
{
#ifdef _OPENMP
#pragma omp parallel for
#endif
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            rhs[j] = u[i] * rhs[j];
        work(i);
    }
}
