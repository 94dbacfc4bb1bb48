/* Functions that return a variable and step it, which nobody sees. */
static int bump(int x)
{
    return x++;
}

int counts(int n, const int *restrict a, int *restrict b)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        b[i] = a[i] + bump(k);
        k++;
    }
    return k--;
}
