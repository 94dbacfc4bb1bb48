/* Headers with several assignments, and variables that never change. */
static const int FIRST = 1;
enum { SHIFT = 4 };

/* A sum that begins in the header of its loop. */
void sums(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int i, j;
    double s;
#pragma scop
    for (i = 0; i < n; i++) {
        for (s = 0.5, j = 0; j < m; j++)
            s += a[i * m + j] * b[j];
        b[m + i] = s;
    }
#pragma endscop
}

/* Bounds that are named in the header, in an inner loop by an iterator. */
void ends(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (int i = 0, end = (int)n; i < end; i++)
        for (long j = 0, last = i + m; j < last - 1; j++)
            a[i * (n + m) + j] = b[j] + 2 * last;
#pragma endscop
}

/* What is set beside the iterator stays set, whether the loop runs or not. */
void beside(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int i, k;
#pragma scop
    for (k = 7, i = 0; i < n; i++)
        a[i] = b[i] + k;
    for (i = 0, c[1] = 3; i < m; ++i)
        b[i] = a[i] - c[1];
#pragma endscop
    c[0] = k + i;
}

/* A constant shift is as good as a number: no iteration waits for another one. */
void shifted(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int far = 300, half = far / 2, most = 100;
    const long more = m * 2 + FIRST;
#pragma scop
    for (int i = FIRST; i < most; i++)
        a[i + far] = a[i] + b[i + half + SHIFT];
    for (long i = 0; i < more - 1; i++)
        b[i] = a[i] * more;
#pragma endscop
}

/* The names are those of other variables where they are used, or change: nothing is put in. */
void hidden(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int size = (int)n, end = size - 1;
    size = 2;
#pragma scop
    for (int i = 0; i < end; i++)
        a[i] = b[i] + size;
    for (int n = 0; n < end; n++)
        b[n] = a[n] * 2;
#pragma endscop
}

/* A product and a difference of such variables, in C's order and in its types. */
void products(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    const int width = (int)m, pitch = width + 2, less = pitch - 1;
    const long wide = (int)n;
#pragma scop
    for (int i = 0; i < wide; i++)
        for (int j = 0; j < pitch - less + width; j++)
            a[i * pitch + j] = b[(wide - i) * pitch - less * 2 + j] + (long)pitch * wide;
#pragma endscop
}

/* The declaration in the marked part is needed behind it. */
void behind(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    int count = 5;
    for (int i = 0; i < count; i++)
        a[i] = b[i] * 2;
#pragma endscop
    for (int i = 0; i < count; i++)
        b[i] += a[i];
}
