#include "clock.h"
#include <stdbool.h>
#define NODES 60000
int row[NODES + 1], col[NODES * 6], level[NODES];
bool frontier[NODES], nextf[NODES];
int bfs(int n, int source)
{
    int depth = 0;
    bool more = true;
    for (int i = 0; i < n; i++) { level[i] = -1; frontier[i] = false; nextf[i] = false; }
    level[source] = 0; frontier[source] = true;
    while (more) {
        more = false;
        for (int v = 0; v < n; v++) {
            if (level[v] != -1) continue;
            bool reached = false;
            for (int e = row[v]; e < row[v + 1]; e++)
                if (frontier[col[e]]) reached = true;
            nextf[v] = reached;
        }
        depth++;
        for (int v = 0; v < n; v++) {
            frontier[v] = nextf[v];
            if (nextf[v]) { level[v] = depth; more = true; }
            nextf[v] = false;
        }
    }
    return depth;
}
int main(void)
{
    int e = 0, d = 0;
    for (int v = 0; v < NODES; v++) { row[v] = e; for (int k = 1; k <= 6; k++) col[e++] = (v * 3 + k * 7919) % NODES; }
    row[NODES] = e;
    for (int r = 0; r < 5; r++) { begin(); d = bfs(NODES, 0); end(); }
    printf("%d %llx\n", d, checksum(level, sizeof level));
    report();
}
