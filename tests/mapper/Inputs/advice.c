/* What messages say to write instead of what they refuse: each function does what its twin in
   advice_main.c does, which is refused. */
enum { PARTS = 5 };

/* A histogram: rows of parts. */
void counts(int n, int m, const int at[restrict PARTS * n], int h[restrict m], int part[restrict PARTS][m])
{
#pragma scop
    for (int p = 0; p < PARTS; p++) {
        for (int k = 0; k < m; k++)
            part[p][k] = 0;
        for (int i = p * n; i < (p + 1) * n; i++)
            part[p][at[i]]++;
    }
    for (int k = 0; k < m; k++)
        for (int p = 0; p < PARTS; p++)
            h[k] += part[p][k];
#pragma endscop
}

/* `break`: the bound says which iteration is the last. */
void until(int n, const double *restrict c, double *restrict a)
{
    int end = 0;
    while (end < n && c[end] <= 0.5)
        end++;
#pragma scop
    for (int i = 0; i <= end; i++)
        if (i < n)
            a[i] += 1;
#pragma endscop
}

/* A place read from memory: reads there, writes in order. */
void gather(int n, const int from[restrict n], const double c[restrict n], double *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = c[from[i]];
#pragma endscop
}

/* Quotient and remainder: two loops. */
void blocks(int down, int across, int *restrict a)
{
#pragma scop
    for (int y = 0; y < down; y++)
        for (int x = 0; x < across; x++)
            a[y * across + x] = x + 7 * y;
#pragma endscop
}

/* An iterator that is used behind its loop, and a value of several. */
int last(int n, int *restrict a)
{
    int i;
#pragma scop
    for (int k = 0; k < n; k++) {
        int next = k + 1;
        a[next] = k;
    }
    i = n;
    a[0] = i;
#pragma endscop
    return i;
}

/* A `const` object, which no pointer may write. */
const float ambient = 80.0f;
void warm(int n, float *r, const float *restrict t)
{
#pragma scop
    for (int i = 0; i < n; i++)
        r[i] = t[i] + (ambient - t[i]) * 0.5f;
#pragma endscop
}

/* Variables that C89 declares without a value at the head of a block, and a directive around
   comments alone. */
void layers(int nx, int ny, int nz, const float in[restrict nx * ny * nz],
            float out[restrict nx * ny * nz])
{
    int z;
#pragma scop
    for (z = 0; z < nz; z++) {
        int y;
        for (y = 0; y < ny; y++) {
            int x;
            for (x = 0; x < nx; x++) {
                int c, w, e;
                c = x + y * nx + z * nx * ny;
                w = (x == 0) ? c : c - 1;
                e = (x == nx - 1) ? c : c + 1;
#ifdef TRACE
                /* what is printed here prints nothing */
#endif
                out[c] = in[c] + 0.5f * in[w] + 0.25f * in[e];
            }
        }
    }
#pragma endscop
}
