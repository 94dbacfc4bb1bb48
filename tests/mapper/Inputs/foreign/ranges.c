/* Updates over boxes of numbers: far from the same numbers of points, and near. */
double first[64][128], second[128][10], third[64][126], x[128];
void unlike(void)
{
    for (int j = 0; j < 128; j++)
        for (int k = 0; k < 10; k++)
            second[j][k] += 0.1 * x[j];
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 128; j++)
            first[i][j] += 0.1 * x[j];
}

void alike(void)
{
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 126; j++)
            third[i][j] += 0.1 * x[j];
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 128; j++)
            first[i][j] += 0.1 * x[j];
}
