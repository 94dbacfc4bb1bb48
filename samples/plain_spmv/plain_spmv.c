/* y = A x, where A is a sparse matrix by rows: row i has the elements row[i] .. row[i + 1] - 1 of val, and col tells their
   columns (compressed sparse rows). */
void spmv(int n, int nz, const int row[restrict n + 1], const int col[restrict nz], const double val[restrict nz],
          const double x[restrict n], double y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            y[i] += val[k] * x[col[k]];
    }
#pragma endscop
}
