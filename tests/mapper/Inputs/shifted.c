/* Parameters that a function moves down before its loops, as f2c has it for arrays that begin at 1. */

void sum(long n, long m, double *a, double *b, int *c)
{
    long i__1, i;

    --c;
    --b;
    --a;
    i__1 = n;
    for (i = 1; i <= i__1; ++i)
        a[i] += m * b[i] + c[i];
}

/* Columns: a(i, j) is a[i + j * a_dim1]. */
void product(long n, long m, double *a, double *b, int *c)
{
    long a_dim1, a_offset, b_dim1, b_offset, i__1, i__2, i, j;

    a_dim1 = n;
    a_offset = 1 + a_dim1;
    a -= a_offset;
    b_dim1 = m;
    b_offset = 1 + b_dim1 * 1;
    b -= b_offset;
    i__1 = m;
    for (j = 1; j <= i__1; ++j) {
        i__2 = n;
        for (i = 1; i <= i__2; ++i)
            a[i + j * a_dim1] = 2 * b[j + i * b_dim1];
    }
}

/* Upward; elements outside of loops, before and behind the place where the array began. */
void upward(long n, long m, double *a, double *b, int *c)
{
    long i;
    if (n < 1)
        return;
    a++;
    b -= 2;
    b[2] = a[0];
    for (i = 0; i < n; i++)
        a[i] = b[i + 2] + 1;
    b[1] = a[n - 1];
    for (i = 0; i < n; i++)
        b[i + 2] = a[i] * 3 + b[1];
}

/* Moved twice, and by a variable that is set twice: the first one keeps its words. */
void twice(long n, long m, double *a, double *b, int *c)
{
    long i, k = 1;
    if (m > 3)
        k = 2;
    --a;
    b -= k;
    for (i = 1; i <= n; i++)
        a[i] = b[i] + 1;
    ++a;
    for (i = 0; i < n; i++)
        b[i + k] = a[i] * k;
}

/* A bound that a block of a loop names, and sizes that pointers lead to, as all of Fortran's are. */
static void columns_(long *n, long *m, double *a, double *b, long *lda)
{
    long a_dim1, a_offset, i__1, i__2, i, j;
    double t;

    a_dim1 = *lda;
    a_offset = 1 + a_dim1;
    a -= a_offset;
    --b;
    i__1 = *m;
    for (j = 1; j <= i__1; ++j) {
        t = b[j] / 2;
        i__2 = *n;
        for (i = 1; i <= i__2; ++i)
            a[i + j * a_dim1] = t + i;
    }
    for (j = 1; j <= *m; ++j) {
        i__1 = j * *lda;
        a[j + *lda] += i__1;
    }
}

void columns(long n, long m, double *a, double *b, int *c)
{
    long least = n < m ? n : m, size = n > 0 ? n : 1;
    columns_(&least, &least, a, b, &size);
}
