/* Statements of fewer loops that run at one point of an axis. */

/* Rows at both ends; the last one's value depends on the size, and the first one is none of the square's. */
void rows(int n, int m, unsigned a[restrict n][m], unsigned b[restrict n][m], unsigned c[restrict m])
{
#pragma scop
    for (int j = 0; j < m; j++)
        a[0][j] = c[j];
    for (int j = 0; j < m; j++)
        a[n - 1][j] = c[j] * 3u;
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = b[i][j] * 5u + a[i][j];
#pragma endscop
}

/* A column, at the value of j at which it reads what the square wrote; its axis begins one point before. */
void column(int n, int m, unsigned a[restrict n][m], unsigned b[restrict n][m], unsigned c[restrict m])
{
#pragma scop
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = b[i][j] * 5u + c[j];
    for (int i = 0; i < n; i++)
        a[i][0] = a[i][0] ^ b[i][m - 1];
#pragma endscop
}

/* Every point reads the row: no region of both. */
void spread(int n, int m, unsigned a[restrict n][m], unsigned b[restrict n][m], unsigned c[restrict m])
{
#pragma scop
    for (int j = 0; j < m; j++)
        a[0][j] = c[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = b[i][j] * 5u + a[0][j];
#pragma endscop
}

/* The row is read at two points: no region of all. */
void twice(int n, int m, unsigned a[restrict n][m], unsigned b[restrict n][m], unsigned c[restrict m])
{
#pragma scop
    for (int j = 0; j < m; j++)
        a[0][j] = c[j] + 1u;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = b[i][j] * 5u + a[i][j];
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = b[i][j] ^ a[i - 1][j];
#pragma endscop
}

/* Without rows there is still a vector to write, which no array says is part of the box. */
void empty(int n, int m, unsigned a[restrict n][m], unsigned b[restrict n][m], unsigned c[restrict m])
{
#pragma scop
    for (int j = 0; j < m; j++)
        c[j] = c[j] * 7u;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = b[i][j] * 5u + a[i][j];
#pragma endscop
}

/* The row may not be written, so that it does not say that there is one. */
void perhaps(int n, int m, unsigned a[restrict n][m], unsigned b[restrict n][m], unsigned c[restrict m])
{
#pragma scop
    for (int j = 0; j < m; j++)
        if (c[j] & 1u)
            a[0][j] = c[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = b[i][j] * 5u + a[i][j];
#pragma endscop
}

/* In rounds of the host, at its iterator; and i means something else in the statement at the point. */
void diagonal(int n, int m, unsigned a[restrict n][m], unsigned b[restrict n][m], unsigned c[restrict m])
{
    unsigned i = 9;
#pragma scop
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < m; j++)
            a[k][j] = a[k][j] * 3u + i;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                b[i][j] = b[i][j] * 5u + a[i][j];
    }
#pragma endscop
    c[0] += i;
}

/* A single element is a band of its own. */
void element(int n, int m, unsigned a[restrict n][m], unsigned b[restrict n][m], unsigned c[restrict m])
{
#pragma scop
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < m; j++)
            c[j] = c[j] * 3u + a[k][j];
        c[2] = c[2] ^ b[k][0];
    }
#pragma endscop
}
