#include "clock.h"
#define NV 100000
#define DEG 12
static int off[NV + 1], nbr[NV * DEG], outdeg[NV];
static double rank_[NV], next_[NV];
void pagerank_step(int nv, const int *offsets, const int *neighbors, const int *deg, const double *old, double *new, double d)
{
    for (int v = 0; v < nv; v++) {
        double s = 0.0;
        for (int e = offsets[v]; e < offsets[v + 1]; e++)
            s += old[neighbors[e]] / deg[neighbors[e]];
        new[v] = (1.0 - d) / nv + d * s;
    }
}
int main(void)
{
    int e = 0;
    for (int v = 0; v < NV; v++) { off[v] = e; for (int k = 0; k < DEG - v % 5; k++) { nbr[e] = (int)((v * 7919LL + k * 104729LL) % NV); outdeg[nbr[e]]++; e++; } }
    off[NV] = e;
    for (int v = 0; v < NV; v++) { rank_[v] = 1.0 / NV; if (!outdeg[v]) outdeg[v] = 1; }
    for (int r = 0; r < 10; r++) {
        begin(); pagerank_step(NV, off, nbr, outdeg, rank_, next_, .85);
        pagerank_step(NV, off, nbr, outdeg, next_, rank_, .85); end();
    }
    printf("%llx\n", checksum(rank_, sizeof rank_));
    report();
}
