/* C89 as it was written: K&R definitions, int where nothing is said, functions that are not declared. */
#define N 64
double u[N][N], v[N][N];

smooth(n, steps)
int n, steps;
{
    register int i, j, t;

    for (t = 0; t < steps; t++) {
#pragma target
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++)
                v[i][j] = .25 * (u[i-1][j] + u[i+1][j] + u[i][j-1] + u[i][j+1]);
#pragma target
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++)
                u[i][j] = v[i][j];
    }
}

scale(a, n, f)
double *a, f;
{
    int i;

#pragma target
    for (i = 0; i < n; i++)
        a[i] *= f;
}

main(argc, argv)
char **argv;
{
    int i, j;

    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            u[i][j] = i ^ j;
    smooth(N, 10);
    scale(&u[0][0], N * N, 2.0);
    printf("%.17g %.17g\n", u[3][4], u[50][7]);
    return 0;
}
