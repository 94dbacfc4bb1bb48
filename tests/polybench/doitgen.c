/* A[r][q][p] = sum over s of A[r][q][s] C4[s][p], by way of a second array. */
#include <metafork.h>

void doitgen(int nr, int nq, int np, double A[nr][nq][np], const double C4[np][np], double sum[nr][nq][np], int B0,
             int B1)
{
    meta_schedule {
        meta_for (int r = 0; r < nr; r++)
            meta_for (int bq = 0; bq < (nq + B0 - 1) / B0; bq++)
                meta_for (int bp = 0; bp < (np + B1 - 1) / B1; bp++)
                    meta_for (int tq = 0; tq < B0; tq++)
                        meta_for (int tp = 0; tp < B1; tp++) {
                            int q = bq * B0 + tq, p = bp * B1 + tp;
                            if (q < nq && p < np) {
                                sum[r][q][p] = 0;
                                for (int s = 0; s < np; s++)
                                    sum[r][q][p] += A[r][q][s] * C4[s][p];
                            }
                        }
    }
    meta_schedule {
        meta_for (int r = 0; r < nr; r++)
            meta_for (int bq = 0; bq < (nq + B0 - 1) / B0; bq++)
                meta_for (int bp = 0; bp < (np + B1 - 1) / B1; bp++)
                    meta_for (int tq = 0; tq < B0; tq++)
                        meta_for (int tp = 0; tp < B1; tp++) {
                            int q = bq * B0 + tq, p = bp * B1 + tp;
                            if (q < nq && p < np)
                                A[r][q][p] = sum[r][q][p];
                        }
    }
}
