/* A sum that is declared in a loop of one round, as a literal and as a local number says. */
void counts(int *restrict a, const int *restrict c, int k)
{
    int n = 1;
    for (int j = 0; j < n; j++) {
        int s = 0;
        for (int i = 0; i < k; i++)
            s += c[i] > 0;
        a[j] = s;
    }
}

void squares(int *restrict a, const int *restrict c, int k)
{
    for (int i = 0; i < k; i++)
        a[i] = c[i] * c[i];
    for (int j = 0; j < 1; j++) {
        int s = 0;
        for (int i = 0; i < k; i++)
            s += a[i];
        a[k + j] = s;
    }
}
