/* 3mm: E = A B, F = C D, G = E F. The sums go in pieces of h, of which the factors are staged. */
#include <metafork.h>

void mm3(int ni, int nj, int nk, int nl, int nm, double E[ni][nj], const double A[ni][nk], const double B[nk][nj],
         double F[nj][nl], const double C[nj][nm], const double D[nm][nl], double G[ni][nl], int B0, int B1, int h)
{
    meta_schedule cache(A, B) {
        meta_for (int bi = 0; bi < (ni + B0 - 1) / B0; bi++)
            meta_for (int bj = 0; bj < (nj + B1 - 1) / B1; bj++)
                for (int p = 0; p < (nk + h - 1) / h; p++)
                    meta_for (int ti = 0; ti < B0; ti++)
                        meta_for (int tj = 0; tj < B1; tj++) {
                            int i = bi * B0 + ti, j = bj * B1 + tj;
                            if (i < ni && j < nj) {
                                if (p == 0)
                                    E[i][j] = 0;
                                for (int z = 0; z < h; z++)
                                    if (p * h + z < nk)
                                        E[i][j] += A[i][p * h + z] * B[p * h + z][j];
                            }
                        }
    }
    meta_schedule cache(C, D) {
        meta_for (int bi = 0; bi < (nj + B0 - 1) / B0; bi++)
            meta_for (int bj = 0; bj < (nl + B1 - 1) / B1; bj++)
                for (int p = 0; p < (nm + h - 1) / h; p++)
                    meta_for (int ti = 0; ti < B0; ti++)
                        meta_for (int tj = 0; tj < B1; tj++) {
                            int i = bi * B0 + ti, j = bj * B1 + tj;
                            if (i < nj && j < nl) {
                                if (p == 0)
                                    F[i][j] = 0;
                                for (int z = 0; z < h; z++)
                                    if (p * h + z < nm)
                                        F[i][j] += C[i][p * h + z] * D[p * h + z][j];
                            }
                        }
    }
    meta_schedule cache(E, F) {
        meta_for (int bi = 0; bi < (ni + B0 - 1) / B0; bi++)
            meta_for (int bj = 0; bj < (nl + B1 - 1) / B1; bj++)
                for (int p = 0; p < (nj + h - 1) / h; p++)
                    meta_for (int ti = 0; ti < B0; ti++)
                        meta_for (int tj = 0; tj < B1; tj++) {
                            int i = bi * B0 + ti, j = bj * B1 + tj;
                            if (i < ni && j < nl) {
                                if (p == 0)
                                    G[i][j] = 0;
                                for (int z = 0; z < h; z++)
                                    if (p * h + z < nj)
                                        G[i][j] += E[i][p * h + z] * F[p * h + z][j];
                            }
                        }
    }
}
