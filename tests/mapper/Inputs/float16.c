/* Half precision in plain C. */
static _Float16 third(_Float16 x)
{
    _Float16 y = x / 3;
    return y * y;
}
struct pixel {
    _Float16 r, g, b;
};

void product(int n, int m, int p, const _Float16 a[n][p], const _Float16 b[p][m], _Float16 c[n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int k = 0; k < p; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

void chain(int n, const _Float16 *restrict a, _Float16 *restrict x, _Float16 *restrict y, float *restrict z)
{
    for (int i = 0; i < n; i++) {
        _Float16 t = a[i];
        y[i] = x[i] = a[i] * third(a[i] * a[i]);
        t += a[i] * a[i];
        z[i] = t * x[i];
        t++;
        y[i] *= t;
    }
}

void gray(int n, const struct pixel *p, _Float16 *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = 0.3f * p[i].r + 0.6f * p[i].g + 0.1f * p[i].b;
}

float total(int n, const _Float16 *a)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

_Float16 rounded(int n, const _Float16 *a)
{
    _Float16 sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}
