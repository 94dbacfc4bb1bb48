/* Three products one after the other, E = A B, F = C D, G = E F, each a region of its own. */
#include <metafork.h>

void chained_products(int n, int s, int B0, int B1, const float a[n][n], const float b[n][n],
                      const float c[n][n], const float d[n][n], float e[n][n], float f[n][n],
                      float g[n][n])
{
    int rows = n / B0, columns = n / (s * B1);
    meta_schedule cache(a, b) {
        meta_for(int i = 0; i < rows; i++)
            meta_for(int j = 0; j < columns; j++) for (int k = 0; k < n / B0; k++)
                meta_for(int v = 0; v < B0; v++) meta_for(
                    int u = 0; u < B1; u++) for (int w = 0; w < s; w++) for (int z = 0; z < B0; z++)
                    e[i * B0 + v][(j * s + w) * B1 + u] +=
            a[i * B0 + v][k * B0 + z] * b[k * B0 + z][(j * s + w) * B1 + u];
    }
    meta_schedule cache(c, d) {
        meta_for(int i = 0; i < rows; i++)
            meta_for(int j = 0; j < columns; j++) for (int k = 0; k < n / B0; k++)
                meta_for(int v = 0; v < B0; v++) meta_for(
                    int u = 0; u < B1; u++) for (int w = 0; w < s; w++) for (int z = 0; z < B0; z++)
                    f[i * B0 + v][(j * s + w) * B1 + u] +=
            c[i * B0 + v][k * B0 + z] * d[k * B0 + z][(j * s + w) * B1 + u];
    }
    meta_schedule cache(e, f) {
        meta_for(int i = 0; i < rows; i++)
            meta_for(int j = 0; j < columns; j++) for (int k = 0; k < n / B0; k++)
                meta_for(int v = 0; v < B0; v++) meta_for(
                    int u = 0; u < B1; u++) for (int w = 0; w < s; w++) for (int z = 0; z < B0; z++)
                    g[i * B0 + v][(j * s + w) * B1 + u] +=
            e[i * B0 + v][k * B0 + z] * f[k * B0 + z][(j * s + w) * B1 + u];
    }
}
