/* Squared distances of all points of two sets. */
void distances(int n, int m, int d, const float a[restrict n][d], const float b[restrict m][d], float out[restrict n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int k = 0; k < d; k++) {
                float x = a[i][k] - b[j][k];
                sum += x * x;
            }
            out[i][j] = sum;
        }
}
