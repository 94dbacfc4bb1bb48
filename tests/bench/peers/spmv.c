/* A sparse matrix in compressed rows times a vector. */
#include "tests/bench/peers/peers.h"

void spmv(int n, int entries, const int start[n + 1], const int column[entries],
          const double value[entries], const double x[n], double y[restrict n])
{
#pragma omp parallel for
    for (int r = 0; r < n; r++) {
        double sum = 0;
        for (int p = start[r]; p < start[r + 1]; p++)
            sum += value[p] * x[column[p]];
        y[r] = sum;
    }
}

int main(int argc, char **argv)
{
    int n = PEERS_SIZE(200, 20000, 400000), most = n * 16, entries = 0;
    int *start = peers_memory((n + 1) * sizeof *start);
    int *column = peers_memory(most * sizeof *column);
    double *value = peers_memory(most * sizeof *value);
    double *x = peers_memory(n * sizeof *x), *y = peers_memory(n * sizeof *y);
    (void)argc, (void)argv;
    for (int r = 0; r < n; r++) {
        int length = 4 + (int)(12 * peers_number(r));
        start[r] = entries;
        for (int i = 0; i < length; i++, entries++) {
            column[entries] = (int)((n - 1) * peers_number(entries + 7));
            value[entries] = peers_number(entries);
        }
        x[r] = peers_number(r + 1);
        y[r] = 0;
    }
    start[n] = entries;
    peers_begin(y);
    spmv(n, entries, start, column, value, x, y);
    peers_end(y);
    for (int r = 0; r < n; r++)
        peers_dump(y[r]);
    free(start);
    free(column);
    free(value);
    free(x);
    free(y);
    return 0;
}
