/* Which elements are read stands in memory, and no extent is declared. */
void looked_up(int n, const int *from, float *a, const float *b)
{
    for (int i = 0; i < n; i++)
        a[i] = b[from[i]] * 2;
}
