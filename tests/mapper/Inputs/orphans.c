/* Loops of functions that a team of threads calls, and of one that begins a team of its own. */
void called(int n, double *restrict a, double *restrict own)
{
    int i;
#pragma omp for
    for (i = 0; i < n; i++)
        a[i] = a[i] + 1;
    for (i = 0; i < n; i++)
        own[i] = 2 * own[i];
#pragma omp parallel for
    for (i = 0; i < n; i++)
        own[i] = own[i] + 3;
}

void whole(int n, double *restrict a)
{
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            a[i] = a[i] + 1;
    }
}

/* What a team runs is a call; the loop behind it is nobody's but the caller's. */
void caller(int n, double *restrict a, double *restrict own)
{
#pragma omp parallel
    called(n, a, own);
    for (int i = 0; i < n; i++)
        a[i] = 4 * a[i];
}
