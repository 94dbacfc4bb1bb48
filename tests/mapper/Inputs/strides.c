/* Loops in steps of a variable. Where the step is not positive no loop begins. */
#define AT(array, i) array[(i) + 1]

/* From 0, and a nest whose step is made of others. */
void zeros(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    const int step = (int)m, end = m > 0 ? (int)n : 0;
    for (int i = 0; i < end; i += step)
        a[i] = a[i] * 2 + b[i] + i;
    for (long i = 0; i <= end - 1; i += 2 * m)
        b[i] -= a[i];
}

/* From a variable, up to what is included: twice the same name in one fragment, in a macro. */
void later(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int from = (int)m - 1, end = m > 0 ? (int)n : -9, step = (int)m;
#pragma scop
    for (int i = from - 1; i <= end; i += step)
        AT(a, i) = AT(b, i) * i;
    for (int i = from; i < end; i += step)
        b[i] += 3 - i;
#pragma endscop
}

/* Loops in threads count as the source does. */
void inner(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    const int end = n > 0 ? (int)m : 0, step = (int)n;
    for (int j = 0; j < m; j++) {
        double sum = 0;
        for (int i = 0; i < end; i += step)
            sum += b[j] * (i + 1);
        a[j] = sum;
    }
}

/* Each step reads what the next one writes. */
void serial(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    const int step = (int)m, end = m > 0 ? (int)n : 0;
    for (int i = 0; i < end; i += step)
        a[i] = a[i + step] + b[i];
}

/* The sum is as unsigned as it was, but no `int` of a wide step. */
void types(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    const int step = (int)m, end = m > 0 ? (int)n : 0;
    for (int i = 0; i < end; i += step)
        a[i] = (i - 2u) / 3 + b[i];
    for (int i = 0; i < end; i += m)
        b[i] = (i - 2u) / 3;
}

/* Both loops count, the outer one its rounds. */
void outer(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    const int step = (int)m, end = m > 0 ? (int)n : 0;
    for (int j = 0; j < end; j += step) {
        c[j * j % 5] += 1;
        for (int i = 0; i < 64 * m; i++)
            a[i] += b[i] * j;
    }
}

/* The step changes behind the loop, or in it: there nothing is counted. */
void changes(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int step = (int)m, end = m > 0 ? (int)n : 0;
    for (int i = 0; i < end; i += step)
        a[i] += 1;
    step = 2;
    for (int i = 0; i < end; i += step) {
        b[i] += 1;
        step++;
    }
}
