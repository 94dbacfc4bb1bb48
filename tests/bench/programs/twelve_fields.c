/* One region over twelve fields, six of them staged: a step of a coupled transport model on a
   plane. */
#include <metafork.h>

void twelve_fields(int n, int s, int B0, int B1, const float u[n][n], const float v[n][n],
                   const float h[n][n], const float t[n][n], const float q[n][n],
                   const float c[n][n], const float depth[n][n], const float heat[n][n],
                   const float rain[n][n], float u2[n][n], float h2[n][n], float c2[n][n])
{
    int rows = (n - 2 + B0 - 1) / B0, columns = (n - 2 + s * B1 - 1) / (s * B1);
    meta_schedule cache(u, v, h, t, q, c) {
        meta_for (int i = 0; i < rows; i++)
            meta_for (int j = 0; j < columns; j++)
                meta_for (int a = 0; a < B0; a++)
                    meta_for (int b = 0; b < B1; b++)
                        for (int k = 0; k < s; k++) {
                            int y = i * B0 + a + 1;
                            int x = (j * s + k) * B1 + b + 1;
                            if (y < n - 1 && x < n - 1) {
                                float east = u[y][x + 1] - u[y][x - 1],
                                      north = v[y + 1][x] - v[y - 1][x];
                                float slope = h[y][x + 1] - h[y][x - 1];
                                float mixed = t[y][x + 1] + t[y][x - 1] + t[y + 1][x] +
                                              t[y - 1][x] - 4.0f * t[y][x];
                                u2[y][x] = u[y][x] - 0.1f * (u[y][x] * east + v[y][x] * north) -
                                           4.9f * slope + q[y][x - 1] * depth[y][x];
                                h2[y][x] =
                                    h[y][x] - 0.1f * depth[y][x] * (east + north) + rain[y][x];
                                c2[y][x] = c[y][x] +
                                           0.05f * (c[y - 1][x] + c[y + 1][x] - 2.0f * c[y][x]) +
                                           0.01f * mixed + heat[y][x] * (q[y][x + 1] - q[y][x]);
                            }
                        }
    }
}
