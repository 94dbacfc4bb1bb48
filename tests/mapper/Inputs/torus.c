/* Subscripts with remainders, by pointers that may lead to the same memory: what they touch is
   known where each remainder is at least 0. */
void life(int h, int w, const unsigned char *a, unsigned char *b)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int n = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (dx || dy)
                        n += a[((y + dy + h) % h) * w + (x + dx + w) % w];
            b[y * w + x] = n == 3 || (n == 2 && a[y * w + x]);
        }
}

void ring(int n, const double *a, double *b)
{
    for (int i = 0; i < n; i++)
        b[i] = 0.5 * a[i] + 0.25 * (a[(i + 1) % n] + a[(i + n - 1) % n]);
}

/* A remainder may be below 0, by a number or by a parameter. */
void below(int n, const double *a, double *b)
{
    for (int i = 0; i < n; i++)
        b[i] = a[(i - 1) % n + 1];
}

void shifted(int n, int by, const double *a, double *b)
{
    for (int i = 0; i < n; i++)
        b[i] = a[(i + by) % n];
}

/* The second remainder is by another length than that of a row. */
void wider(int h, int w, int v, const int *a, int *b)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            b[y * w + x] = a[y * w + x] + a[((y + 1) % h) * w + (x + 1) % v];
}
