/* Arrays that live in an iteration. */
static double twice(const double *v, int k) { return 2 * v[k]; }

void window(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict grid)[20] = (double (*restrict)[20])a;
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) {
            double v[3][2], sum = 0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 2; l++)
                    v[k][l] = b[i + j + k] - b[l];
            for (int k = 0; k < 3; k++)
                sum += v[k][1] * v[k][0];
            grid[i][j] = sum;
        }
#pragma endscop
}

/* The array lives in an iteration of the outer loop, and the inner loop carries it. */
void filter(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict grid)[20] = (double (*restrict)[20])a;
#pragma scop
    for (long i = 0; i < n; i++) {
        double last[4] = {1, -1}, weight[] = {0.5, 0.25, 0.125, 2};
        for (long j = 0; j < m; j++) {
            last[j & 3] = b[i + j] + twice(last, (int)(j + 1) & 3);
            grid[i][j] = last[j & 3] * weight[j & 3];
            if (last[0] > 8)
                last[0] = -last[0];
        }
    }
#pragma endscop
}

/* One name, two arrays; an array in a branch. */
void blocks(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        {
            int t[2] = {c[i], c[i + 1]};
            a[i] = t[t[0] > t[1]];
        }
        {
            double t[5];
            for (int k = 0; k < 5; k++)
                t[k] = b[i + k];
            a[i] += t[(c[i] + 40) % 5];
        }
        if (c[i] > 2) {
            double u[2] = {a[i]};
            for (int k = 0; k < c[i]; k++)
                u[k & 1] += b[k];
            a[i] = u[0] - u[1];
        }
    }
#pragma endscop
}

/* Each round of the inner loop fills the array, but it is one array for all of them. */
void shared(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double (*restrict grid)[20] = (double (*restrict)[20])a;
#pragma scop
    for (long i = 0; i < n; i++) {
        double v[3];
        for (long j = 0; j < m; j++) {
            v[0] = b[i + j];
            for (int k = 1; k < 3; k++)
                v[k] = b[i + j + k];
            grid[i][j] = v[0] + v[1] * v[2];
        }
    }
#pragma endscop
}

/* More bytes than a line of memory has, filled and read in loops of their own. */
void wide(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        double v[33];
        for (int k = 0; k < 33; k++)
            v[k] = b[i] * k;
        a[i] = v[5];
    }
#pragma endscop
}
