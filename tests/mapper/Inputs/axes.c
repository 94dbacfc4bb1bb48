/* Flat arrays of two and three axes, as people write them. */
#define AT(i, j, k) (((i) * ny + (j)) * nz + (k))

static int cell(int i, int j, int k, int ny, int nz) { return (i * ny + j) * nz + k; }

void heat(long n, long m, double *a, double *b, int *c)
{
    int nx = n < 6 ? n : 6, ny = m < 7 ? m : 7, nz = 5;
#pragma scop
    for (int t = 0; t < 2; t++) {
        for (int i = 1; i < nx - 1; i++)
            for (int j = 1; j < ny - 1; j++)
                for (int k = 1; k < nz - 1; k++)
                    b[AT(i, j, k)] = a[AT(i, j, k)] + 0.25 * (a[AT(i - 1, j, k)] + a[AT(i, j + 1, k)] - a[AT(i, j, k - 1)]);
        for (int i = 1; i < nx - 1; i++)
            for (int j = 1; j < ny - 1; j++)
                for (int k = 1; k < nz - 1; k++)
                    a[cell(i, j, k, ny, nz)] = b[cell(i, j, k, ny, nz)];
    }
#pragma endscop
}

void cube(long n, long m, double *a, double *b, int *c)
{
    int side = n < 9 ? n : 9;
#pragma scop
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++)
            for (int k = 0; k < side; k++)
                a[i * side * side + j * side + k] = b[k * side * side + side * i + side - 1 - j] + c[j + side * (i + side * k)];
#pragma endscop
}

/* A window of an image with a pitch of its own. */
void window(long n, long m, double *a, double *b, int *c)
{
    int w = n < m ? n : m, h = 4, pitch = m;
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            a[y * pitch + x] = 2 * b[(y + 1) * pitch + x];
#pragma endscop
}

static void add(int w, int h, int pitch, double *a, double *b)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            a[y * pitch + x] += b[y] + x;
#pragma endscop
}

/* The window is broader than the rows are apart: the loops run as they stand. */
void overhang(long n, long m, double *a, double *b, int *c) { add(n + 3, 5, n, a, b); }

void colours(long n, long m, double *a, double *b, int *c)
{
    int w = m, h = n;
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int sum = c[3 * (y * w + x)] + c[3 * (y * w + x) + 1] + c[3 * (y * w + x) + 2];
            c[3 * (y * w + x) + 0] = sum / 3;
            c[3 * (y * w + x) + 1] = sum / 4;
            c[3 * (y * w + x) + 2] = sum % 7;
        }
#pragma endscop
}
