/* Scalars declared ahead that rounds of loops set anew. */
void flat(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int i, j, k;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) {
            k = i * (int)m + j;
            a[k] = 2 * b[k];
        }
#pragma endscop
}

/* Twice in a block, in a loop of a host loop, with a sum over the index. */
void twice(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int at;
#pragma scop
    for (int i = 0; i < n; i++) {
        at = 2 * i;
        a[at] = b[at] * 2;
        at = 1 + 2 * i;
        a[at] = b[at + 1] + at;
        for (int j = 0; j < m; j++)
            a[at] += c[j];
    }
#pragma endscop
}

/* The last value is read behind: the scalar stays. */
void last(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int k = -1;
#pragma scop
    for (int i = 0; i < n; i++) {
        k = i + 2;
        a[k] = b[k];
    }
#pragma endscop
    c[0] = k;
}

/* So does one whose value the next round reads, and one that a branch may leave as it was. */
void carried(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int k = 3, q = 1;
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = b[i + k];
        k = i;
        if (c[i] > 0)
            q = i;
        b[300 + i] = q;
    }
#pragma endscop
}

/* A range of its own in a branch, an iterator of another loop, and a value that is changed. */
void mixed(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int k;
    for (k = 0; k < n; k++)
        a[k] += 1;
#pragma scop
    for (int i = 0; i < n; i++) {
        if (i < m) {
            k = 2 * i;
            a[k] = b[k + 1];
        } else {
            k = 3 * i;
            if (c[i] > 0)
                k = k + 1;
            b[i] = k;
        }
    }
#pragma endscop
}

/* The declaration is cut off from what uses it. */
void cut(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int k, stop = 0;
#pragma scop
    for (int i = 0; i < n && !stop; i++) {
        k = i * 2;
        for (int j = 0; j < m; j++)
            a[20 * k + j] += b[j];
        stop = c[i] > 9;
    }
#pragma endscop
}
