/* Arrays of the size that an argument gives: their extent is changed before they are declared. */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int i, j, len = 100;
    if (argc > 1)
        len = atoi(argv[1]);
    double a[len][len], b[len];
#pragma omp parallel for private(j)
    for (i = 0; i < len; i++)
        for (j = 0; j < len; j++)
            a[i][j] = i * 0.5 + j;
#pragma omp parallel for
    for (i = 0; i < len; i++)
        b[i] = a[i][len - 1 - i] * 2;
    double s = 1;
    for (i = 0; i < len; i++)
        s = s * 0.99 + b[i];
    printf("%.17g\n", s + a[3][5]);
    return 0;
}
