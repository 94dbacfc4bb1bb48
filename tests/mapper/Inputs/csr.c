/* Sparse rows times a vector and times a dense matrix. */
void spmv(int rows, int nnz, int d, const int start[restrict rows + 1], const int column[restrict nnz],
          const double value[restrict nnz], const double x[restrict rows][d], double y[restrict rows][d])
{
#pragma scop
    for (int r = 0; r < rows; r++) {
        double sum = 0;
        for (int p = start[r]; p < start[r + 1]; p++)
            sum += value[p] * x[column[p]][0];
        y[r][0] = sum;
    }
#pragma endscop
}

void spmm(int rows, int nnz, int d, const int start[restrict rows + 1], const int column[restrict nnz],
          const double value[restrict nnz], const double x[restrict rows][d], double y[restrict rows][d])
{
#pragma scop
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < d; c++)
            y[r][c] = 0;
        for (int p = start[r]; p < start[r + 1]; p++)
            for (int c = 0; c < d; c++)
                y[r][c] += value[p] * x[column[p]][c];
    }
#pragma endscop
}
