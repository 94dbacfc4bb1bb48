/* Flat matrices, as much C has them. */
void multiply(int n, int m, int k, const double *a, const double *b, double *c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            c[i * m + j] = 0;
            for (int l = 0; l < k; l++)
                c[i * m + j] += a[i * k + l] * b[l * m + j];
        }
#pragma endscop
}

void filter(int h, int w, const float *restrict in, float *restrict out)
{
#pragma scop
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++)
            out[y * w + x] = (in[(y - 1) * w + x - 1] + in[(y - 1) * w + x] + in[(y - 1) * w + x + 1] +
                              in[y * w + x - 1] + in[y * w + x] + in[y * w + x + 1] + in[(y + 1) * w + x - 1] +
                              in[w + y * w + x] + in[(y + 1) * w + x + 1]) / 9;
#pragma endscop
}

/* The upper triangle from the lower one, in place. */
void mirror(int n, int *a)
{
#pragma target
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            a[j * n + i] = a[i * n + j];
}

/* The rows of l have no element where n is negative: nothing runs there. */
void solve(int n, int m, const double *restrict l, double *restrict x)
{
#pragma target
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < i; k++)
                x[i * m + j] -= l[i * n + k] * x[k * m + j];
}
