/* A loop that the host takes back, then an array of an unknown length, then nothing to say. */
void change(long n, double *restrict a, double *restrict b)
{
#pragma scop
    for (long i = 0; i < n; i++)
        a[i] = a[i] * 0.5 + b[i];
    for (long i = 1; i < n; i++)
        b[i] += b[i - 1];
    for (long i = 0; i < n; i++)
        a[i] += b[i];
#pragma endscop
}

void gather(int n, const int *restrict node, const double *restrict points, double *restrict to)
{
#pragma scop
    for (int i = 0; i < n; i++)
        to[i] = points[node[i] * 2];
#pragma endscop
}

void scale(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 3.0 * a[i];
#pragma endscop
}
