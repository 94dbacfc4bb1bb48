/* The lengths of the shortest ways between n places: way[i][j] is the length of the road from i to j at first. */
void floyd(int n, int way[n][n])
{
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                way[i][j] = way[i][k] + way[k][j] < way[i][j] ? way[i][k] + way[k][j] : way[i][j];
#pragma endscop
}
