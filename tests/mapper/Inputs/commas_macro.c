/* Commas that set a scalar for a macro's argument, as f2c writes them. */
#define abs(x) ((x) >= 0 ? (x) : -(x))
#define max(a, b) ((a) >= (b) ? (a) : (b))

/* The place of the greatest value, by a jump. */
void place(long n, long m, double *a, double *b, int *c)
{
    double d__1, most;
    long i, k = 0;
    if (n < 1)
        return;
    most = (d__1 = a[0], abs(d__1));
    for (i = 1; i < n; ++i) {
        if ((d__1 = a[i], abs(d__1)) <= most)
            goto L5;
        k = i;
        most = (d__1 = a[i], abs(d__1));
    L5:;
    }
    b[0] = most;
    c[0] = k;
}

/* One comma in another, and a value of another type. */
void nested(long n, long m, double *restrict a, double *restrict b, int *c)
{
    double d__1, d__2, d__3;
    int i__1;
    long i;
    for (i = 0; i < n; ++i) {
        a[i] = (d__1 = (d__2 = b[i] - m, abs(d__2)) + 1, max(d__1, 2)) + (d__3 = a[i], abs(d__3));
        c[i] = (i__1 = b[i] * 2.7, abs(i__1) / 2.0);
    }
}

/* Read behind, or set by what changes more: these keep their commas. */
void kept(long n, long m, double *restrict a, double *restrict b, int *c)
{
    double t = 0, u;
    long i, k = 0;
    for (i = 0; i < n; ++i) {
        a[i] = (t = b[i], abs(t));
        b[i] = (u = a[k++], u + u);
    }
    if (n > 0)
        b[0] = t;
}

#define SQR(x) ((sqr = (x)) == 0.0 ? 0.0 : sqr * sqr)
#define CUBE(x) ((cube = (x)) ? cube * cube * cube : 1)

/* Choices that set what they choose between, and a value of another type. */
void chosen(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double sqr;
    float narrow;
    int cube;
    long i;
    for (i = 0; i < n; ++i) {
        a[i] = SQR(b[i] - m) - CUBE(c[i]);
        b[i] = (narrow = b[i] / 3) < 0.5f ? narrow * 0.1 : narrow * 0.3;
    }
}

/* A choice that names the variable before it is set, and one whose condition changes more. */
void kept_chosen(long n, long m, double *restrict a, double *restrict b, int *c)
{
    double t = 0, u;
    long i, k = 0;
    for (i = 0; i < n; ++i) {
        a[i] = t < (t = b[i]) ? t : 2;
        b[i] = (u = a[k++]) > 0 ? u : m;
    }
}
