/* Scalars that hand a value to the next round. No array is `restrict`: what the text reads in their place may overlap. */
#define BEFORE(k) b[k] * 0.5

/* Neighbours on a ring, by index: the one before, and the one before that. */
void ring(long n, long m, double *a, double *b, int *c)
{
    int im1 = (int)n - 1, im2 = (int)n - 2;
    for (int i = 0; i < n; i++) {
        a[i] = (b[i] + b[im1] + BEFORE(im2)) * 0.333;
        im2 = im1;
        im1 = i;
    }
}

/* By value, through a name of the round, and read again below. */
void values(long n, long m, double *a, double *b, int *c)
{
    double x = m, y = 3;
    for (int i = 0; i < n; i++) {
        double t = b[i] * 2;
        a[i] = (b[i] + x + y) * 0.333;
        y = x;
        x = t + i;
        a[i] += x;
    }
}

/* Narrower types, and one that wraps. */
void types(long n, long m, double *a, double *b, int *c)
{
    float x = 0.1f;
    short k = 9;
    unsigned u = 7;
    for (int i = 0; i < n; i++) {
        a[i] = b[i] * x + k / 2 + u / 3;
        x = b[i] / 3;
        k = 40000 * i + 11;
        u = i - 2;
    }
}

/* Downwards, with an iterator declared ahead; in steps, from what is no number. */
void down(long n, long m, double *a, double *b, int *c)
{
    long last = n, i;
    for (i = n - 1; i >= 0; i--) {
        a[i] = b[last] + last;
        last = i;
    }
    last = m;
    for (int k = (int)m; k < n; k += 3) {
        b[k] = 2 * c[last < 0 ? 0 : last];
        last = k + 1;
    }
}

/* In a nest each row begins anew; rows that wrap around, too. */
void nest(long n, long m, double *a, double *b, int *c)
{
    int before;
    for (int j = 0; j < m; j++) {
        before = (int)n - 1;
        for (int i = 0; i < n; i++) {
            a[j * n + i] = c[i] - c[before];
            before = i;
        }
    }
    before = (int)m - 1;
    for (int j = 0; j < m; j++) {
        for (int i = 0; i < n; i++)
            b[j * n + i] = c[before * n + i];
        before = j;
    }
}

/* These stay: the last value is read, a branch sets it, the loop writes what it takes, the header reads it. */
void kept(long n, long m, double *a, double *b, int *c)
{
    double x = 1, y = 2, z = 3;
    int end = (int)n;
    for (int i = 0; i < n; i++) {
        a[i] = b[i] + x;
        x = b[i];
    }
    c[0] = (int)x;
    for (int i = 0; i < n; i++) {
        a[i] = b[i] + y;
        if (c[i] > 0)
            y = b[i];
    }
    for (int i = 0; i < n; i++) {
        b[i] = b[i] + z;
        z = b[i];
    }
    for (int i = 0; i < end; i++) {
        a[i] += end;
        end = 2;
    }
}
