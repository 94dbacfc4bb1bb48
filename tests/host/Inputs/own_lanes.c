/* Sums that single threads take along rows. */
void own_gemv(int m, int n, float alpha, float beta, const float a[restrict m][n], const float x[restrict n],
              float y[restrict m])
{
    for (int i = 0; i < m; i++) {
        float s = 0;
        for (int j = 0; j < n; j++)
            s += a[i][j] * x[j];
        y[i] = beta * y[i] + alpha * s;
    }
}

void own_element(int m, int n, const double a[restrict m][n], double y[restrict m])
{
    for (int i = 0; i < m; i++)
        for (int j = 3; j < n; j++)
            y[i] -= a[i][j];
}

void own_two(int m, int n, const float a[restrict m][n], const float b[restrict m][n], const float x[restrict n],
             float y[restrict m])
{
    for (int i = 0; i < m; i++) {
        float s = 0, t = 0;
        for (int j = 0; j < n; j++) {
            float e = x[j];
            s += a[i][j] * e;
            if (j != i)
                t = t + b[i][j] * e + e;
        }
        y[i] = s - t;
    }
}

void own_triangle(int m, const double a[restrict m][m], double y[restrict m])
{
    for (int i = 0; i < m; i++) {
        double s = 0;
        for (int j = i; j < m; j++)
            s += a[i][j];
        y[i] = s;
    }
}

/* Neighbours read neighbours: C's order. */
void own_columns(int m, int n, const float a[restrict n][m], float y[restrict m])
{
    for (int i = 0; i < m; i++) {
        float s = 0;
        for (int j = 0; j < n; j++)
            s += a[j][i];
        y[i] = s;
    }
}
