/* Functions that return early where there is nothing to do. */
static void axpy(int n, float a, const float *x, float *y)
{
    if (n <= 0)
        return;
    for (int i = 0; i < n; i++)
        y[i] += a * x[i];
}

static void scaled(int n, float a, float *x)
{
    if (n < 1 || a == 1) {
        return;
    }
    for (int i = 0; i < n; i++)
        x[i] *= a;
}

static double halves(int n, const float *x, const float *y)
{
    if (n <= 1)
        return -0.5;
    double s = 0;
    int half = n / 2;
    for (int i = 0; i < half; i++)
        s += x[i] * y[i];
    return s;
}

static float dot(int n, const float *x, const float *y)
{
    float s = 0;
    if (n <= 0)
        return s;
    for (int i = 0; i < n; i++)
        s += x[i] * y[i];
    return s;
}

static int doubled(int n, float *x)
{
    int i;
    if (n < 1)
        return 0;
    for (i = 0; i < n; i++)
        x[i] *= 2;
    return 0;
}

static int told(int n, float *x)
{
    if (n < 1)
        return 1;
    for (int i = 0; i < n; i++)
        x[i] *= 2;
    return 0;
}

static void unsigned_rounds(int n, float *x)
{
    if (n <= 0)
        return;
    for (unsigned i = 0; i < n; i++)
        x[i] += 3;
}

double guarded(int n, float a, float *restrict x, float *restrict y)
{
    float s, t;
    double w;
    int d, u;
#pragma scop
    axpy(n, a, x, y);
    s = dot(n, x, y);
    axpy(n, a, y, y);
    d = doubled(n, y);
    scaled(n, a, x);
    w = halves(n, x, y);
    told(n, x);
    u = told(n, y);
    unsigned_rounds(n, x);
    t = dot(n, x, y);
#pragma endscop
    return w + s + t + d + u;
}
