struct pair { int first, second; };
static struct pair nothing(void)
{
    struct pair p;
    return p;
}
void f(int n, int *restrict a)
{
    for (int i = 0; i < n; i++) { struct pair e = nothing(); a[i] = e.first; }
}
