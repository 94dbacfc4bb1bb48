/* Shortest paths between all pairs of vertices, by way of vertex k for every k. Where no cycle is negative, row and column
   k do not change in step k. */
#include <metafork.h>

void floyd_warshall(int n, int path[n][n])
{
    const int B0 = meta_tunable(4), B1 = meta_tunable(64);
    for (int k = 0; k < n; k++)
        meta_schedule {
            meta_for (int bi = 0; bi < (n + B0 - 1) / B0; bi++)
                meta_for (int bj = 0; bj < (n + B1 - 1) / B1; bj++)
                    meta_for (int ti = 0; ti < B0; ti++)
                        meta_for (int tj = 0; tj < B1; tj++) {
                            int i = bi * B0 + ti, j = bj * B1 + tj;
                            if (i < n && j < n && i != k && j != k && path[i][k] + path[k][j] < path[i][j])
                                path[i][j] = path[i][k] + path[k][j];
                        }
        }
}
