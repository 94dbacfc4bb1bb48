/* What is read before it is written lies beside what a moving pointer leads to. */
void copied(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    double *to = a;
    for (long i = 0; i < n; i++) {
        *to++ += b[0] + i;
        if (to[1] > 0) to[0] -= 5;
    }
#pragma endscop
}
