/* Nests in which all elements read those of one row, column or element. */
#ifdef SOURCE
#define paths paths_source
#define flat flat_source
#define pivot pivot_source
#define beyond beyond_source
#define middle middle_source
#define ended ended_source
#define macro macro_source
#define together together_source
#endif
#define AT(i, j) a[i][j]

void paths(int n, double a[restrict n][n])
{
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double d = a[i][k] * a[k][j];
                if (d > a[i][j])
                    a[i][j] = d;
            }
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                a[i][j] += a[i][k] + a[k][j];
#pragma endscop
}

void flat(int n, double *restrict a)
{
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                a[i * n + j] += a[i * n + k] * a[k * n + j];
#pragma endscop
}

void pivot(int n, double a[restrict n][n])
{
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            if (i != k)
                for (int j = 0; j < n; j++)
                    a[i][j] -= a[i][k] * a[k][j];
#pragma endscop
}

/* a[t + 1] may be no element of the loop. */
void beyond(int n, int m, double a[restrict n + 40])
{
#pragma scop
    for (int t = 0; t < m; t++)
        for (int i = 0; i < n; i++)
            a[i] = a[i] * 2 + a[t + 1];
#pragma endscop
}

void middle(int n, double a[restrict n])
{
#pragma scop
    for (int t = 0; t < n; t++)
        for (int i = 0; i < n; i++)
            a[i] = a[i] * 2 + a[t];
#pragma endscop
}

/* A loop of the part j = i ends by j. */
void ended(int n, double a[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < j + 1; k++)
                a[i][j] = a[i][i] + k;
#pragma endscop
}

void macro(int n, double a[restrict n][n])
{
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                AT(i, j) = AT(i, j) + AT(i, k) * AT(k, j);
#pragma endscop
}

/* Each element reads the one before: its parts are one thread, whose order would be another. */
void together(int n, double a[restrict n])
{
#pragma scop
    for (int t = 0; t < n; t++)
        for (int i = 1; i < n; i++)
            a[i] = a[i - 1] * 2 + a[t];
#pragma endscop
}
