/* Arrays whose extents regions cannot compute: numbers that are read by scanf, members, elements,
   what functions give; and two whose rows have such a length. */
#include <stdio.h>
#include <stdlib.h>

struct size { int n, m[2]; };

static int twice(int n)
{
    return 2 * n;
}

static void read_size(int *n)
{
    *n = 2500;
}

static long sums(const struct size *size, const int *sizes)
{
    double member[size->n], element[sizes[1]], call[twice(sizes[0])], rows[4][size->n + 1];
    for (int i = 0; i < size->n; i++)
        member[i] = 2 * i;
    long sum = (long)member[7];
    for (int i = 0; i < 2000; i++)
        element[i] = 3 * i;
    sum += (long)element[8];
    for (int i = 0; i < 4000; i++)
        call[i] = 5 * i;
    sum += (long)call[9];
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < size->n; i++)
            rows[j][i] = j + 7 * i;
    return sum + (long)rows[3][10];
}

int main(void)
{
    struct size size = {3000, {1, 2}};
    int sizes[2] = {2000, 2500}, n = 0, m;
    if (scanf("%d", &n) < 1)
        n = 50;
    read_size(&m);
    int square[n][n], line[m], lines[3][m];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            square[i][j] = i * j;
    printf("%d\n", square[6][7]);
    for (int i = 0; i < m; i++)
        line[i] = 11 * i;
    printf("%d\n", line[5]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < m; j++)
            lines[i][j] = i * j;
    printf("%d\n", lines[2][9]);
    read_size(&m);
    printf("%ld\n", sums(&size, sizes));
    return 0;
}
