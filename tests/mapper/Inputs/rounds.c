/* Loops that end by an integer which counts down, or by a pointer: as C was written before iterators were declared in loops. */
#define AT(array, i) array[i]

typedef struct {
    double re, im;
} number;

/* Each way to count down ahead of the body. */
void ahead(long n, long m, double *a, double *b, int *c)
{
    int k = n > 0 ? (int)n : 0;
    unsigned u = m > 0 ? (unsigned)m : 0;
    while (k-- > 0) {
        *a++ += 2 * *b++;
    }
    while (u--)
        c[u] = (int)u * 3;
}

/* At the end of the body, where the value is used, and in a header. */
void behind(long n, long m, double *a, double *b, int *c)
{
    int k = n > 0 ? (int)n : 0;
    long l = m;
    while (k) {
        a[k] = b[k - 1] + k;
        --k;
    }
    for (; 0 < l; l--)
        c[l + 1] = (int)l - 5;
}

void before(long n, long m, double *a, double *b, int *c)
{
    while (--n >= 0)
        b[n] = a[n] * 2 + m;
}

/* A pointer to the end that has a name, and one that has none. */
void ends(long n, long m, double *a, double *b, int *c)
{
    double *p, *end = a + (n > 0 ? n : 0);
    int *q = c, *const last = q + m - 1;
    for (p = a; p != end; ++p)
        *p = *p * 3 + 1;
    while (q <= last)
        *q++ += 4;
    for (double *r = b + 1; b + n + 1 > r; r++)
        r[0] -= r[n + 1];
}

/* Rows, each from its beginning to the next one's. */
void rows(long n, long m, double *a, double *b, int *c)
{
    double *row, *end;
    int r, width = (int)m;
    for (r = 0; r < n; r++) {
        row = a + r * width;
        end = row + width;
        while (row < end) {
            *row = *row * 2 + r;
            row++;
        }
    }
}

/* Members of structures. */
static void turn(number *x, const number *y, int k)
{
    while (k--) {
        double re = x->re * y->re - x->im * y->im;
        x->im = x->re * y->im + x->im * y->re;
        x->re = re;
        x++;
        y++;
    }
}

void parts(long n, long m, double *a, double *b, int *c)
{
    number *x = (number *)a;
    const number *y = (const number *)b;
    int k = n > 0 ? (int)n : 0;
    turn(x, y, k);
}

/* Counters that are set before the loop, or in its header, and count down while pointers move. */
void samples(long n, long m, double *a, double *b, int *c)
{
    const double *p = b;
    double *q = a;
    unsigned left, size = n > 0 ? (unsigned)n : 0;
    left = size;
    while (left > 0U) {
        *q++ = *p++ * 2 + left;
        left--;
    }
    double *r = b;
    for (int i = (int)n; i > 0; i--)
        for (long k = m; k >= 1; --k)
            *r++ += k + i;
}

/* Not so: the value is read behind, the pointer is moved twice, under a condition, or by the data, a macro names the integer. */
void others(long n, long m, double *a, double *b, int *c)
{
    long k = n > 0 ? n : 0;
    int u = (int)k;
    double *end = a + k, *p = a;
    while (u--)
        AT(c, u) = 3;
    while (k-- > 0)
        b[k] = 1;
    c[0] = (int)k;
    while (p < end) {
        *p++ = 2;
        if (p < end)
            p++;
    }
    for (p = a; p < end; p++) {
        if (*p > 0)
            c[1] = (int)(p - a);
        if (*p > 1e9)
            p = end;
    }
}
