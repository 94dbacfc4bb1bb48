int plain(int n)
{
    return n + 1;
}

void f(int n, double *restrict x, double *restrict y)
{
    if (n > 3) for (int i = 0; i < n; i++) y[i] = 1;
#pragma target
    for (int i = 0; i < n; i++)
        x[i] = 0;
    for (int i = 0; i < n; i++) y[i] = 2; }
