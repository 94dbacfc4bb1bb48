#include "clock.h"
#include <limits.h>
#define INF (INT_MAX / 2)
#define V 300
static int dist[V][V];
static void
floyd(void)
{
    int i, j, k;

    for (k = 0; k < V; k++)
        for (i = 0; i < V; i++)
        {
            if (dist[i][k] == INF) continue;
            for (j = 0; j < V; j++)
                if (dist[i][k] + dist[k][j] < dist[i][j])
                    dist[i][j] = dist[i][k] + dist[k][j];
        }
}
int main(void)
{
    for (int r = 0; r < 5; r++) {
        for (int i = 0; i < V; i++) for (int j = 0; j < V; j++) dist[i][j] = i == j ? 0 : (i * 31 + j * 17) % 7 ? INF : (i * j) % 100 + 1;
        begin(); floyd(); end();
    }
    printf("%llx\n", checksum(dist, sizeof dist));
    report();
}
