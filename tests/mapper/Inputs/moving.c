/* Pointers that loops move. */
void copy(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        *b++ = *a++ * 2;
#pragma endscop
}

/* Row after row; where rows have no elements nothing is moved. */
void plane(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double *p = a, *q = b;
#pragma scop
    for (long y = 0; y < n; y++)
        for (long x = 0; x < m; x++)
            *q++ += *p++ + x;
#pragma endscop
}

/* Rows with a gap, and what is left of one. */
void gaps(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    const double *p = a;
    double *q = &b[3];
    for (int y = 1; n >= y; y++) {
        for (long x = 0; x < m; x++)
            *q++ = p[x] + p[0];
        p += 20;
        q += 20 - m;
    }
#pragma endscop
}

/* Three steps of a statement's own, and an element before. */
void triples(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        double r = *a++;
        double g = a[0];
        a++;
        double s = *a++;
        for (int k = 0; k < 3; k++)
            *b++ = r * g - s + k;
        c[i] = (int)b[-1];
    }
#pragma endscop
}

/* Set in the outer loop, read in the inner one; down. */
void dots(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double *last = b + n;
#pragma scop
    for (long i = 0; i < n; i++) {
        const double *p = a + i * 20;
        double s = 0;
        for (long j = 0; j < m; j++)
            s += *p++;
        *--last = s;
    }
#pragma endscop
}

/* One after the other, and again in a later loop. */
void again(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double *p;
#pragma scop
    p = a;
    for (long i = 0; i < n; i++)
        *p++ += 1;
    p = b;
    for (long i = 0; i < n; i++)
        *p++ -= 1;
#pragma endscop
}

/* Elements that are read ahead come from a copy, those that are written stay: two uses of one pointer. */
void ahead(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    double *p = &a[2];
    for (long i = 0; i < n; i++) {
        *p++ += b[0] + i;
        if (p[1] > 0)
            p[0] += 5;
    }
#pragma endscop
}

/* Neighbours by two pointers to one array: a chain. */
void chain(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double *p = a, *q = a + 1;
#pragma scop
    for (long i = 0; i < n; i++)
        *q++ += *p++;
#pragma endscop
}

/* Followed, although used behind. Not followed: under a condition, behind rows that may have no elements, by rounds that
   change, where the inner loop ends early, where a part of the loop stays as it is. */
void behind(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double *p = a;
#pragma scop
    for (long i = 0; i < n; i++)
        *p++ = b[i];
#pragma endscop
    *p = 7;
}

void chosen(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double *p = a;
#pragma scop
    for (long i = 0; i < n; i++)
        if (b[i] > 0)
            *p++ = b[i];
#pragma endscop
}

void empty(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double *p = a;
#pragma scop
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < m; j++)
            *p++ += 1;
        *p = 5;
    }
#pragma endscop
}

void triangle(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double *p = a;
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; j <= i; j++)
            *p++ += j;
#pragma endscop
}

void early(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double *p = a;
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) {
            if (b[j] > 1)
                break;
            *p++ += j;
        }
#pragma endscop
}

void part(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double *p = a;
#pragma scop
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < m; j++)
            *p++ = i + j;
        b[c[i] & 7] += 1;
    }
#pragma endscop
}
