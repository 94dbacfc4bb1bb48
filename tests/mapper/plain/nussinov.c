/* The most pairs of bases that fold */
void nussinov(int n, const int seq[n], int table[restrict n][n])
{
#pragma scop
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            if (j - 1 >= 0)
                table[i][j] = table[i][j] >= table[i][j - 1] ? table[i][j] : table[i][j - 1];
            if (i + 1 < n)
                table[i][j] = table[i][j] >= table[i + 1][j] ? table[i][j] : table[i + 1][j];
            if (j - 1 >= 0 && i + 1 < n) {
                if (i < j - 1)
                    table[i][j] = table[i][j] >= table[i + 1][j - 1] + (seq[i] + seq[j] == 3 ? 1 : 0)
                                      ? table[i][j]
                                      : table[i + 1][j - 1] + (seq[i] + seq[j] == 3 ? 1 : 0);
                else
                    table[i][j] = table[i][j] >= table[i + 1][j - 1] ? table[i][j] : table[i + 1][j - 1];
            }
            for (int k = i + 1; k < j; k++)
                table[i][j] = table[i][j] >= table[i][k] + table[k + 1][j] ? table[i][j]
                                                                           : table[i][k] + table[k + 1][j];
        }
#pragma endscop
}
