/* Sequences of other programs, as their authors write them. */
#include <math.h>

/* Conjugate gradients on a five-diagonal matrix of a square grid, so many rounds. */
double conjugate(int n, int rounds, double x[restrict n][n], double r[restrict n][n], double p[restrict n][n],
                 double q[restrict n][n])
{
    double rr = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            p[i][j] = r[i][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            rr += r[i][j] * r[i][j];
    for (int k = 0; k < rounds; k++) {
        double pq = 0, before = rr;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                q[i][j] = 4 * p[i][j] - p[i - 1][j] - p[i + 1][j] - p[i][j - 1] - p[i][j + 1];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                pq += p[i][j] * q[i][j];
        double alpha = rr / (pq + 1e-30);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                x[i][j] += alpha * p[i][j];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                r[i][j] -= alpha * q[i][j];
        rr = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                rr += r[i][j] * r[i][j];
        double beta = rr / (before + 1e-30);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                p[i][j] = r[i][j] + beta * p[i][j];
    }
    return rr;
}

/* Steps of the power iteration: y = A x, its norm, x = y / norm. */
float power(int n, int rounds, const float A[restrict n][n], float x[restrict n], float y[restrict n])
{
    float norm = 0;
    for (int k = 0; k < rounds; k++) {
        for (int i = 0; i < n; i++) {
            float s = 0;
            for (int j = 0; j < n; j++)
                s += A[i][j] * x[j];
            y[i] = s;
        }
        norm = 0;
        for (int i = 0; i < n; i++)
            norm += y[i] * y[i];
        norm = sqrtf(norm) + 1e-20f;
        for (int i = 0; i < n; i++)
            x[i] = y[i] / norm;
    }
    return norm;
}

/* Vectors of a batch divided by their norms, and the residual that is left of another batch. */
void normalise(int n, int m, const float x[restrict n][m], float u[restrict n][m], float v[restrict n][m])
{
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++)
            s += x[i][j] * x[i][j];
        float scale = 1 / sqrtf(s + 1e-6f);
        for (int j = 0; j < m; j++)
            u[i][j] = x[i][j] * scale;
        for (int j = 0; j < m; j++)
            v[i][j] = v[i][j] - u[i][j];
    }
}

/* A layer: product, bias, what is above 0. */
void layer(int n, int m, const float W[restrict n][m], const float x[restrict m], const float b[restrict n], float y[restrict n])
{
    for (int i = 0; i < n; i++)
        y[i] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[i] += W[i][j] * x[j];
    for (int i = 0; i < n; i++)
        y[i] = y[i] + b[i];
    for (int i = 0; i < n; i++)
        y[i] = y[i] > 0 ? y[i] : 0;
}

/* An image: blur, edges, threshold, and a histogram of what came out. */
void image(int h, int w, const unsigned char in[restrict h][w], unsigned char blurred[restrict h][w],
           unsigned char edges[restrict h][w], unsigned char out[restrict h][w], int bins[restrict 256])
{
    for (int i = 1; i < h - 1; i++)
        for (int j = 1; j < w - 1; j++)
            blurred[i][j] = (in[i - 1][j] + in[i + 1][j] + in[i][j - 1] + in[i][j + 1]) / 4;
    for (int i = 1; i < h - 1; i++)
        for (int j = 1; j < w - 1; j++)
            edges[i][j] = blurred[i][j] > blurred[i][j - 1] ? blurred[i][j] - blurred[i][j - 1] : 0;
    for (int i = 1; i < h - 1; i++)
        for (int j = 1; j < w - 1; j++)
            out[i][j] = edges[i][j] > 8 ? 255 : edges[i][j];
    for (int i = 1; i < h - 1; i++)
        for (int j = 1; j < w - 1; j++)
            bins[out[i][j]]++;
}

/* Two stages with a halo, in two launches. */
void stages(int n, const double a[restrict n], double b[restrict n], double c[restrict n])
{
    for (int i = 1; i < n - 1; i++)
        b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    for (int i = 2; i < n - 2; i++)
        c[i] = 0.5 * (b[i - 1] + b[i + 1]);
}
