/* Integers that loops move, whose last values are read. */

/* What was written, and on from there. */
void packed(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        a[k++] = b[i];
        a[k++] = b[i] * 2;
    }
    c[0] = k;
    for (int i = 0; i < m; i++)
        a[k++] = 3 - b[i];
    c[1] = k;
    if (k > 5)
        c[2] = 1;
}

/* In one fragment: the loop is mapped alone, as the statement behind reads the value. */
void marked(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int k = 1, size = (int)m;
#pragma scop
    for (int i = 0; i < size; i++)
        a[k++] = b[i];
    size = 3;
    for (int i = 0; i < n; i++)
        b[i] = k + a[i];
#pragma endscop
    c[4] = k + size;
}

/* An inner loop that may have no round, a branch: the numbers stay what they are. */
void kept(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int k = 0, l = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[k++] = b[j];
    c[5] = k;
    for (int i = 0; i < n; i++)
        if (c[i] > 0)
            b[l++] = a[i];
    c[6] = l;
}

/* In a thread the number stays, too. */
void counted(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (int i = 0; i < n; i++) {
        int count = 0;
        for (int j = 0; j < m; j++) {
            a[i] += b[i] * count;
            count++;
        }
        c[i] = count;
    }
}

/* A declaration of a function in the function, whose body stands behind it. */
void declared(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    extern double next(int step);
    long i, j, k;
    for (j = 0; j < 3; j++) {
        for (i = 0; i < m; i++)
            a[i] = -1;
        b[j] = next(j);
        for (k = i; k < 2 * m; k++)
            a[k] = j;
    }
}

double next(int step)
{
    return step;
}
