/* Numbers without a sign: whether a loop runs is asked without one below 0. */
void signless(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    unsigned i, j = 9, k = n > 0 ? n : 0, l = m > 0 ? m : 0;
    unsigned long t = 4, from = k < l ? k : l;
    for (i = 0; i < k; i++) {
        c[i] = j;
        for (j = 0; j <= i; j++)
            a[i * l + j] += 5;
    }
    c[30] = j;
    for (j = l; j < k; j++)
        b[j] += 1;
    c[31] = j;
    for (t = k + 1; t <= 2 * from; t += 2)
        b[t] += 1;
    c[32] = t;
    for (t = k; t-- > 2;)
        b[t] += 3;
    c[33] = t;
}
