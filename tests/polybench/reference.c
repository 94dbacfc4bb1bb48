/* The 22 computations as plain serial loops, straight from their definitions: what the annotated programs are compared
   with. A function has its program's parameters without the tunables. Sums are taken in the order of their index, so
   results are equal bit for bit. */
#include <math.h>

void gemm_serial(int ni, int nj, int nk, double alpha, double beta, double C[ni][nj], const double A[ni][nk],
                 const double B[nk][nj])
{
    for (int i = 0; i < ni; i++) {
        for (int j = 0; j < nj; j++)
            C[i][j] *= beta;
        for (int k = 0; k < nk; k++)
            for (int j = 0; j < nj; j++)
                C[i][j] += alpha * A[i][k] * B[k][j];
    }
}

void mm2_serial(int ni, int nj, int nk, int nl, double alpha, double beta, double tmp[ni][nj], const double A[ni][nk],
                const double B[nk][nj], const double C[nj][nl], double D[ni][nl])
{
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            tmp[i][j] = 0;
            for (int k = 0; k < nk; k++)
                tmp[i][j] += alpha * A[i][k] * B[k][j];
        }
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nl; j++) {
            D[i][j] *= beta;
            for (int k = 0; k < nj; k++)
                D[i][j] += tmp[i][k] * C[k][j];
        }
}

static void product(int rows, int columns, int inner, double c[rows][columns], const double a[rows][inner],
                    const double b[inner][columns])
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            c[i][j] = 0;
            for (int k = 0; k < inner; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

void mm3_serial(int ni, int nj, int nk, int nl, int nm, double E[ni][nj], const double A[ni][nk],
                const double B[nk][nj], double F[nj][nl], const double C[nj][nm], const double D[nm][nl],
                double G[ni][nl])
{
    product(ni, nj, nk, E, A, B);
    product(nj, nl, nm, F, C, D);
    product(ni, nl, nj, G, (const void *)E, (const void *)F);
}

void syrk_serial(int m, int n, double alpha, double beta, double C[n][n], const double A[n][m])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            C[i][j] *= beta;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++)
                C[i][j] += alpha * A[i][k] * A[j][k];
    }
}

void syr2k_serial(int m, int n, double alpha, double beta, double C[n][n], const double A[n][m], const double B[n][m])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            C[i][j] *= beta;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++)
                C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
    }
}

void trmm_serial(int m, int n, double alpha, const double A[m][m], double B[m][n])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            for (int k = i + 1; k < m; k++)
                B[i][j] += A[k][i] * B[k][j];
            B[i][j] *= alpha;
        }
}

void atax_serial(int m, int n, const double A[m][n], const double x[n], double y[n])
{
    for (int j = 0; j < n; j++)
        y[j] = 0;
    for (int i = 0; i < m; i++) {
        double row = 0;
        for (int j = 0; j < n; j++)
            row += A[i][j] * x[j];
        for (int j = 0; j < n; j++)
            y[j] += A[i][j] * row;
    }
}

void bicg_serial(int m, int n, const double A[n][m], double s[m], double q[n], const double p[m], const double r[n])
{
    for (int j = 0; j < m; j++)
        s[j] = 0;
    for (int i = 0; i < n; i++) {
        q[i] = 0;
        for (int j = 0; j < m; j++) {
            s[j] += r[i] * A[i][j];
            q[i] += A[i][j] * p[j];
        }
    }
}

void mvt_serial(int n, double x1[n], double x2[n], const double y1[n], const double y2[n], const double A[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x1[i] += A[i][j] * y1[j];
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            x2[i] += A[j][i] * y2[j];
}

void gesummv_serial(int n, double alpha, double beta, const double A[n][n], const double B[n][n], const double x[n],
                    double y[n])
{
    for (int i = 0; i < n; i++) {
        double first = 0, second = 0;
        for (int j = 0; j < n; j++) {
            first += A[i][j] * x[j];
            second += B[i][j] * x[j];
        }
        y[i] = alpha * first + beta * second;
    }
}

void gemver_serial(int n, double alpha, double beta, double A[n][n], const double u1[n], const double v1[n],
                   const double u2[n], const double v2[n], double w[n], double x[n], const double y[n],
                   const double z[n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x[j] += beta * A[i][j] * y[i];
    for (int j = 0; j < n; j++)
        x[j] += z[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            w[i] += alpha * A[i][j] * x[j];
}

void doitgen_serial(int nr, int nq, int np, double A[nr][nq][np], const double C4[np][np], double sum[nr][nq][np])
{
    for (int r = 0; r < nr; r++)
        for (int q = 0; q < nq; q++) {
            for (int p = 0; p < np; p++) {
                sum[r][q][p] = 0;
                for (int s = 0; s < np; s++)
                    sum[r][q][p] += A[r][q][s] * C4[s][p];
            }
            for (int p = 0; p < np; p++)
                A[r][q][p] = sum[r][q][p];
        }
}

/* Subtracts from each column of `data` its mean. */
static void centre(int m, int n, double data[n][m])
{
    for (int j = 0; j < m; j++) {
        double mean = 0;
        for (int i = 0; i < n; i++)
            mean += data[i][j];
        mean /= n;
        for (int i = 0; i < n; i++)
            data[i][j] -= mean;
    }
}

void covariance_serial(int m, int n, double data[n][m], double cov[m][m])
{
    centre(m, n, data);
    for (int i = 0; i < m; i++)
        for (int j = i; j < m; j++) {
            cov[i][j] = 0;
            for (int k = 0; k < n; k++)
                cov[i][j] += data[k][i] * data[k][j];
            cov[i][j] /= n - 1.0;
            cov[j][i] = cov[i][j];
        }
}

void correlation_serial(int m, int n, double data[n][m], double corr[m][m])
{
    centre(m, n, data);
    for (int j = 0; j < m; j++) {
        double deviation = 0;
        for (int i = 0; i < n; i++)
            deviation += data[i][j] * data[i][j];
        deviation = sqrt(deviation / n);
        if (deviation <= 0.1)
            deviation = 1;
        for (int i = 0; i < n; i++)
            data[i][j] /= sqrt((double)n) * deviation;
    }
    for (int i = 0; i < m; i++) {
        corr[i][i] = 1;
        for (int j = i + 1; j < m; j++) {
            corr[i][j] = 0;
            for (int k = 0; k < n; k++)
                corr[i][j] += data[k][i] * data[k][j];
            corr[j][i] = corr[i][j];
        }
    }
}

void deriche_serial(int w, int h, float alpha, const float in[w][h], float out[w][h], float y1[w][h], float y2[w][h])
{
    float e = expf(-alpha), square = expf(-2.0f * alpha);
    float k = (1.0f - e) * (1.0f - e) / (1.0f + 2.0f * alpha * e - expf(2.0f * alpha));
    float a1 = k, a2 = k * e * (alpha - 1.0f), a3 = k * e * (alpha + 1.0f), a4 = -k * square;
    float b1 = powf(2.0f, -alpha), b2 = -square;
    for (int i = 0; i < w; i++)
        for (int j = 0; j < h; j++)
            y1[i][j] = a1 * in[i][j] + a2 * (j > 0 ? in[i][j - 1] : 0) + b1 * (j > 0 ? y1[i][j - 1] : 0) +
                       b2 * (j > 1 ? y1[i][j - 2] : 0);
    for (int i = 0; i < w; i++)
        for (int j = h - 1; j >= 0; j--)
            y2[i][j] = a3 * (j < h - 1 ? in[i][j + 1] : 0) + a4 * (j < h - 2 ? in[i][j + 2] : 0) +
                       b1 * (j < h - 1 ? y2[i][j + 1] : 0) + b2 * (j < h - 2 ? y2[i][j + 2] : 0);
    for (int i = 0; i < w; i++)
        for (int j = 0; j < h; j++)
            out[i][j] = y1[i][j] + y2[i][j];
    for (int i = 0; i < w; i++)
        for (int j = 0; j < h; j++)
            y1[i][j] = a1 * out[i][j] + a2 * (i > 0 ? out[i - 1][j] : 0) + b1 * (i > 0 ? y1[i - 1][j] : 0) +
                       b2 * (i > 1 ? y1[i - 2][j] : 0);
    for (int i = w - 1; i >= 0; i--)
        for (int j = 0; j < h; j++)
            y2[i][j] = a3 * (i < w - 1 ? out[i + 1][j] : 0) + a4 * (i < w - 2 ? out[i + 2][j] : 0) +
                       b1 * (i < w - 1 ? y2[i + 1][j] : 0) + b2 * (i < w - 2 ? y2[i + 2][j] : 0);
    for (int i = 0; i < w; i++)
        for (int j = 0; j < h; j++)
            out[i][j] = y1[i][j] + y2[i][j];
}

void jacobi_1d_serial(int steps, int n, double A[n], double B[n])
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
        for (int i = 1; i < n - 1; i++)
            A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
    }
}

static void jacobi_step(int n, double to[n][n], const double from[n][n])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            to[i][j] = 0.2 * (from[i][j] + from[i][j - 1] + from[i][j + 1] + from[i + 1][j] + from[i - 1][j]);
}

void jacobi_2d_serial(int steps, int n, double A[n][n], double B[n][n])
{
    for (int t = 0; t < steps; t++) {
        jacobi_step(n, B, (const void *)A);
        jacobi_step(n, A, (const void *)B);
    }
}

void fdtd_2d_serial(int steps, int nx, int ny, double ex[nx][ny], double ey[nx][ny], double hz[nx][ny],
                    const double fict[steps])
{
    for (int t = 0; t < steps; t++) {
        for (int j = 0; j < ny; j++)
            ey[0][j] = fict[t];
        for (int i = 1; i < nx; i++)
            for (int j = 0; j < ny; j++)
                ey[i][j] -= 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < nx; i++)
            for (int j = 1; j < ny; j++)
                ex[i][j] -= 0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < nx - 1; i++)
            for (int j = 0; j < ny - 1; j++)
                hz[i][j] -= 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
}

static void heat_step(int n, double to[n][n][n], const double from[n][n][n])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                to[i][j][k] = 0.125 * (from[i + 1][j][k] - 2.0 * from[i][j][k] + from[i - 1][j][k]) +
                              0.125 * (from[i][j + 1][k] - 2.0 * from[i][j][k] + from[i][j - 1][k]) +
                              0.125 * (from[i][j][k + 1] - 2.0 * from[i][j][k] + from[i][j][k - 1]) + from[i][j][k];
}

void heat_3d_serial(int steps, int n, double A[n][n][n], double B[n][n][n])
{
    for (int t = 0; t < steps; t++) {
        heat_step(n, B, (const void *)A);
        heat_step(n, A, (const void *)B);
    }
}

void seidel_2d_serial(int steps, int n, double A[n][n])
{
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] +
                           A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9.0;
}

/* Each coefficient of L and U from those left of it and above. */
void lu_serial(int n, double A[n][n])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[k][j];
            A[i][j] /= A[j][j];
        }
        for (int j = i; j < n; j++)
            for (int k = 0; k < i; k++)
                A[i][j] -= A[i][k] * A[k][j];
    }
}

void floyd_warshall_serial(int n, int path[n][n])
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int way = path[i][k] + path[k][j];
                path[i][j] = path[i][j] < way ? path[i][j] : way;
            }
}
