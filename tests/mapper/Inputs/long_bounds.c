/* Three products as polyhedral compilers print them: loops over tiles, bounds of nested macros. Expanded, a bound has
   some thousand characters. */
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define FLOORD(n, d) ((n) < 0 ? -((-(n) + (d) - 1) / (d)) : (n) / (d))
#define TILES MIN(MIN(MIN(FLOORD(nj - 1, 16), FLOORD(nl - 1, 16)), FLOORD(ni - 1, 16)), FLOORD(nm - 1, 16))
void products(int ni, int nj, int nk, int nl, int nm, double E[128][128], double A[128][128], double B[128][128],
              double F[128][128], double C[128][128])
{
    int c1, c2, c6, c7, c10;
#pragma omp parallel for private(c2, c6, c7, c10)
    for (c1 = 0; c1 <= TILES; c1++)
        for (c2 = 0; c2 <= MIN(TILES, FLOORD(nk - 1, 16)); c2++)
            for (c6 = MAX(MAX(nj, 16 * c1), TILES); c6 <= MIN(MIN(16 * c1 + 15, ni - 1), TILES); c6++)
                for (c7 = MAX(MAX(nl, 16 * c2), TILES); c7 <= MIN(MIN(16 * c2 + 15, nj - 1), TILES); c7++) {
                    E[c6][c7] = 0;
                    for (c10 = MAX(16 * c2, FLOORD(nj - 1, 16)); c10 <= MIN(MIN(16 * c1 + 15, nk - 1), TILES); c10++)
                        E[c6][c7] += A[c6][c10] * B[c10][c7];
                }
#pragma omp parallel for private(c2, c6, c7, c10)
    for (c1 = 0; c1 <= TILES; c1++)
        for (c2 = 0; c2 <= MIN(TILES, FLOORD(nk - 1, 16)); c2++)
            for (c6 = MAX(MAX(nj, 16 * c1), TILES); c6 <= MIN(MIN(16 * c1 + 15, ni - 1), TILES); c6++)
                for (c7 = MAX(MAX(nl, 16 * c2), TILES); c7 <= MIN(MIN(16 * c2 + 15, nj - 1), TILES); c7++) {
                    F[c6][c7] = 0;
                    for (c10 = MAX(16 * c2, FLOORD(nj - 1, 16)); c10 <= MIN(MIN(16 * c1 + 15, nk - 1), TILES); c10++)
                        F[c6][c7] += B[c6][c10] * C[c10][c7];
                }
#pragma omp parallel for private(c2, c6, c7, c10)
    for (c1 = 0; c1 <= TILES; c1++)
        for (c2 = 0; c2 <= MIN(TILES, FLOORD(nk - 1, 16)); c2++)
            for (c6 = MAX(MAX(nj, 16 * c1), TILES); c6 <= MIN(MIN(16 * c1 + 15, ni - 1), TILES); c6++)
                for (c7 = MAX(MAX(nl, 16 * c2), TILES); c7 <= MIN(MIN(16 * c2 + 15, nj - 1), TILES); c7++) {
                    A[c6][c7] = 0;
                    for (c10 = MAX(16 * c2, FLOORD(nj - 1, 16)); c10 <= MIN(MIN(16 * c1 + 15, nk - 1), TILES); c10++)
                        A[c6][c7] += E[c6][c10] * F[c10][c7];
                }
}
