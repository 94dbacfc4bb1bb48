void scatter_data(int n, double *x, double *y)
{
    for (int i = 0; i < MOST; i++)
        place[i] = (i * 37 + 11) % MOST;
}
