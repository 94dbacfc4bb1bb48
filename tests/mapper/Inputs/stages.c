/* Stages, each of which counts in steps of its own: transforms, and what is like them. */
#define HALF(m) ((m) >> 1)

/* The step doubles. */
void doubling(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (int len = 2; len <= n; len <<= 1) {
        int half = len / 2;
        for (int i = 0; i < n; i += len)
            for (int j = 0; j < half; j++) {
                double x = a[i + j], y = a[i + j + half] * b[j];
                a[i + j] = x + y;
                a[i + j + half] = x - y;
            }
    }
}

/* The stage is counted, the step a shift; what is rotated runs in threads. */
void counted(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int s, k, j;
    for (s = 1; s <= 4; s++) {
        int step = 1 << s;
        for (k = 0; k < (int)n; k += step) {
            double w = 1;
            for (j = 0; j < step / 2; j++) {
                double t = w * a[k + j + step / 2];
                a[k + j + step / 2] = a[k + j] - t;
                a[k + j] += t;
                w *= 0.5;
            }
        }
    }
}

/* The step is written where it counts, and loops run over the points of a step. */
void points(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (long h = 1; h < n; h *= 2)
        for (long i = 0; i < n; i += h * 2)
            for (long j = i; j < i + h; j++) {
                double x = a[j], y = a[j + h];
                a[j] = x + y;
                a[j + h] = x - y;
            }
}

/* In steps of a shift; the points from one behind the beginning, and up to what is included. */
void shifted(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int s = 1;
    while (s < 4) {
        for (int i = 1; i <= (int)n; i += 1 << s)
            for (int j = i + 1; j <= s + i; ++j)
                b[j] += a[j] * (j - i) + i;
        s++;
    }
}

/* What a loop of the host sets, ahead of the loop. */
void ahead(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int len, half, i, j, k;
    for (len = (int)m; len > 1; len = HALF(len)) {
        half = HALF(len);
        for (i = 0; i < (int)n; i += len)
            for (j = 0; j < half; j++) {
                k = i + j;
                a[k] = a[k] * 2 + b[j];
            }
    }
}

/* All stages are marked: what sets the step, or declares what it is made of, stays before each. */
void marked(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int step;
#pragma scop
    for (int s = 0; s < 3; s++) {
        step = 1 << s;
        int wide = step + s;
        for (int i = 0; i < (int)n; i += 2 * step)
            for (int j = 0; j < step; j++)
                a[i + j] += b[j] * step;
        for (int i = 0; i < (int)n; i += wide)
            c[i] += s;
    }
#pragma endscop
}

/* Complex numbers as structures, and functions of them. */
struct number { double re, im; };
static struct number times(struct number a, struct number b)
{
    return (struct number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static struct number plus(struct number a, struct number b, double sign)
{
    return (struct number){a.re + sign * b.re, a.im + sign * b.im};
}
static void transform(struct number *restrict z, const struct number *restrict root, int n)
{
    for (int len = 2; len <= n; len *= 2)
        for (int i = 0; i < n; i += len)
            for (int j = 0; j < len / 2; j++) {
                struct number u = z[i + j], v = times(z[i + j + len / 2], root[j]);
                z[i + j] = plus(u, v, 1);
                z[i + j + len / 2] = plus(u, v, -1);
            }
}
void numbers(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    transform((struct number *)a, (const struct number *)b, (int)n);
}

/* Each round of the outer loop has its own element: an axis, whose threads count as the source. */
void rows(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (int r = 0; r < (int)n; r++) {
        int step = r % 3 + 1;
        double sum = 0;
        for (int i = 0; i < 20; i += step)
            sum += a[i];
        b[r] = sum;
    }
}

/* The same down, in steps that are read. */
void falls(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (int r = 0; r < (int)n; r++) {
        double sum = 0;
        for (int i = 19; i > 0; i -= (c[r] & 3) + 1)
            sum += a[r] * i;
        b[r] = sum;
    }
}

/* Tiles: their loops stay, and the points' are mapped as they stand. */
void tiles(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int size = (int)m, end = m > 0 ? (int)n : 0;
    for (int ii = 0; ii < end; ii += size)
        for (int jj = 0; jj < end; jj += size)
            for (int i = ii; i < ii + size && i < end; i++)
                for (int j = jj; j < jj + size && j < end; j++)
                    a[i * end + j] = b[j * end + i];
}

/* Something in the loop stays on the host: the loop counts as it did, and so does what is in it. */
void stays(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    const int step = m > 0 ? (int)m : 1, end = (int)n;
    for (int i = 0; i < end; i += step) {
        while (c[i] > 3)
            c[i] -= 2;
        for (int j = 0; j < 64 * m; j++)
            b[i + j] += a[j] * i;
    }
}

/* The step changes in the loop. */
void grows(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int step = 1;
    for (int i = 0; i < (int)n; i += step) {
        for (int j = 0; j < 64 * m; j++)
            a[j] += b[i] * j;
        step++;
    }
}
