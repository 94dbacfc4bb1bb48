/* Integers whose value several statements make. */
void steps(long n, long m, double *a, double *b, int *c)
{
    for (long i = 0; i < n; i++) {
        long x = i;
        x += 2;
        x *= 1 + 1;
        a[x] = b[i] + x;
    }
}

void ahead(long n, long m, double *a, double *b, int *c)
{
    long x, y;
    for (long i = 0; i < n; i++) {
        x = n - i;
        x--;
        y = x * 1;
        y = y + 1;
        a[y] = x;
        b[x] = y;
    }
}

/* A type that wraps, and a value that is used between. */
void kept(long n, long m, double *a, double *b, int *c)
{
    for (long i = 0; i < n; i++) {
        unsigned char k = i * 100;
        int s = (int)i, t = 0;
        k += 100;
        t += s;
        s += t;
        t = s;
        t -= 1;
        c[i] = k + s + t;
    }
}

/* Parts of them that are marked. */
void parts(long n, long m, double *a, double *b, int *c)
{
    for (long j = 0; j < 3; j++) {
        long x = j;
#pragma scop
        x += 1;
        for (long i = 0; i < n; i++)
            a[i] += x;
#pragma endscop
        b[j] = x;
    }
    for (long j = 0; j < 3; j++) {
        long x = c[j & 1];
        x += 4;
        c[c[0] & 1] = 1;
        for (long i = 0; i < n; i++)
            b[i + 4] += x * a[i + 1];
    }
}
