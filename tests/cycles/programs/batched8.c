/* Products of 8 by 8 matrices, one after the other. */
void batched8(int n, const float a[restrict n][8][8], const float b[restrict n][8][8], float c[restrict n][8][8])
{
    for (int t = 0; t < n; t++)
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++) {
                float sum = 0;
                for (int k = 0; k < 8; k++)
                    sum += a[t][i][k] * b[t][k][j];
                c[t][i][j] = sum;
            }
}
