/* Mean and variance of every column. */
void moments(int n, int m, const double x[n][m], double mean[m], double variance[m])
{
    for (int j = 0; j < m; j++) {
        double s = 0;
        for (int i = 0; i < n; i++)
            s += x[i][j];
        mean[j] = s / n;
    }
    for (int j = 0; j < m; j++) {
        double s = 0;
        for (int i = 0; i < n; i++)
            s += (x[i][j] - mean[j]) * (x[i][j] - mean[j]);
        variance[j] = s / n;
    }
}
