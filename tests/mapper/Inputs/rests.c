/* Pointers that go on in a second loop, as where a person unrolled the first one. */
void offset(long n, long m, double *a, double *b, int *c)
{
    unsigned count = n < 0 ? 0 : n;
    unsigned left = count >> 2;
    double *to = a, *from = b;
    while (left > 0) {
        *to++ = *from++ + 0.5;
        *to++ = *from++ + 0.5;
        *to++ = *from++ + 0.5;
        *to++ = *from++ + 0.5;
        left--;
    }
    left = count % 4;
    while (left > 0) {
        *to++ = *from++ - 1;
        left--;
    }
}

void pairs(long n, long m, double *a, double *b, int *c)
{
    for (int i = 0; i < n / 2; i++) {
        a[0] = b[0] * 2;
        a[1] = b[1] * 3;
        a += 2;
        b += 2;
    }
    for (int i = 0; i < n % 2; i++)
        *a++ = *b++ + m;
    *a = 5;
}

/* Each row has its rest: the pointer goes on in the loop. */
void rows(long n, long m, double *a, double *b, int *c)
{
    for (int y = 0; y < m; y++) {
        double *to = a + y * n;
        for (int i = 0; i < n / 2; i++) {
            *to++ = b[y];
            *to++ = 2 * b[y];
        }
        for (int i = 0; i < n % 2; i++)
            *to++ = 3;
    }
}

/* Somebody reads the pointer. */
void behind(long n, long m, double *a, double *b, int *c)
{
    double *to = a;
    for (int i = 0; i < n; i++)
        *to++ = b[i];
    c[0] = to - a;
    for (int j = 0; j < m; j++)
        *to++ = j;
    c[1] = to - a;
}
