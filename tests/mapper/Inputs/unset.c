/* A scalar without a value until the first round has set it. */
void steps(int n, int *restrict a, int *restrict b, int *restrict c)
{
    int last;
#pragma scop
    for (int j = 0; j < n; j++) {
        if (j > 0)
            c[j] = last;
        last = a[j];
        b[j] = 2;
    }
#pragma endscop
}
