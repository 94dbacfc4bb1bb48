/* Loops that are an axis for one statement and a loop of the threads for another. */

/* Rows and columns: i is the first sum's axis, j the second one's. */
void sums(int n, double s[restrict n], double t[restrict n], const double a[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double v = 2 * a[i][j];
            s[i] += v;
            t[j] = t[j] * 0.5 + v;
        }
#pragma endscop
}

/* The second part reads what the first one wrote, and has a scalar of its own. */
void triangle(int m, int n, double f, double c[restrict m][n], const double a[restrict m][m], const double b[restrict m][n])
{
    double x, y;
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            x = c[i][j];
            for (int k = 0; k < i; k++) {
                y = b[i][j] * a[i][k];
                c[k][j] += f * y;
                x += b[k][j] * a[i][k];
            }
            c[i][j] = x * f;
        }
#pragma endscop
}

/* The first part's axis cannot be called i, which is a value of the function in the last one. */
static const unsigned i = 3;
void named(int n, unsigned s[restrict n], unsigned t[restrict n], const unsigned a[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s[i] = 3u * s[i] + a[i][j];
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++) {
            s[k] = s[k] ^ a[j][k];
            t[j] = 5u * t[j] + a[k][j] + i;
        }
#pragma endscop
}

/* The second sum shares the thread's order with the first one, the third one is a part. */
void thrice(int n, unsigned s[restrict n], unsigned t[restrict n], unsigned u[restrict n], const unsigned a[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s[i] = s[i] * 3u + a[i][j];
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) {
            t[j] = t[j] * 5u + a[j][k] + s[j];
            u[k] = u[k] * 7u + a[j][k];
        }
#pragma endscop
}

/* Both have axes i and j, but i of the first part is k of the second one, and j is i: that needs other names. */
void turned(int n, unsigned s[restrict n][n], unsigned t[restrict n][n], const unsigned a[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                s[i][j] += a[i][k];
                t[k][i] -= a[j][i];
            }
#pragma endscop
}
