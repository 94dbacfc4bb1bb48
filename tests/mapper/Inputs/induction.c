/* Integers that loops move by constants: each value is a sum of iterators. */
#define WIDTH 6

/* Two steps in a round. */
void twice(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int i, j = -1;
#pragma scop
    for (i = 0; i < n; i++) {
        j++;
        a[j] = b[i] + c[i];
        j++;
        a[j] = b[i] * 2 + j;
    }
#pragma endscop
}

/* Down beside up, in the element's own statement; the value is a `long`. */
void down(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    long k;
#pragma scop
    k = n - 1;
    for (int i = 0; i < n; i++)
        a[i] = b[k--];
#pragma endscop
}

/* One counter of a nest, and a step of a parameter. */
void nest(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    long k = 0, far = 3;
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            a[k++] = b[i] * 2 + far;
        far += m;
    }
#pragma endscop
}

/* Steps at the ends of both loops, with a trip count of its own each; set anew for a second nest. */
void fixed(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int k;
#pragma scop
    k = 1;
    for (int i = 0; i < n; i++) {
        for (int j = 1; j < WIDTH; j++) {
            a[j * n + i] = a[(j - 1) * n + i] + b[k - 1];
            ++k;
        }
        ++k;
    }
    k = 5;
    for (int i = 2; i < n; i++) {
        c[i] = k;
        k = 3 + k;
    }
#pragma endscop
}

/* Two that follow each other. */
void coupled(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int j, k;
    j = -1;
#pragma scop
    for (int i = 0; i < n / 2; i++) {
        k = j + 1;
        a[i] = b[k] - c[i];
        j = k + 1;
        b[k] = a[i] + c[k];
    }
#pragma endscop
}

/* A value by itself stays an `int`: in unsigned and in whole division. */
void typed(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int k = i * 3 - 4;
        for (int j = 0; j < 3; j++) {
            a[i * 3 + j] = b[k + 4] * (k - 2u) + k / 2;
            c[i * 3 + j] = k < 3 ? -k : k % 5;
            k += 1;
        }
    }
#pragma endscop
}

/* From 0 by one: the iterator itself; a variable and a pointer are set and never used. */
void plain(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double *p;
    int k, l;
    p = a;
    k = (int)m;
#pragma scop
    l = 0;
    for (int i = 0; i < n; i++) {
        a[l] = b[l + 1] + l;
        l++;
    }
#pragma endscop
}

/* Beside the iterator in headers, one of them declared there; the second loop has a pointer. */
void headers(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int i;
    long k;
    double *p;
#pragma scop
    for (i = 0, k = (n - 1) * 2; i < n; i++, k -= 2)
        a[i] = b[k] + k;
    for (int x = 1, y = 2, z = 0; x < n; x++, ++y, z += 3)
        b[x] = a[y - 2] + z;
    for (p = a + n, i = 0; i < n; i++, p++)
        *p = c[i];
#pragma endscop
}

/* Those that wrap, that are moved under a condition or by what changes, that are read behind, and
   that an unsigned iterator counts keep their loops. */
void others(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    unsigned u = 0;
    short s = 0;
    int k = 0, by = 1, last = 0, from = 2;
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = u + s + k + last + by;
        u--;
        s += 7;
        if (i > 2)
            k++;
        last += by;
        by += 1;
    }
    for (unsigned i = 1; i < 4; i++)
        b[from++] = 2;
#pragma endscop
    c[0] = last + from;
}
