/* Scalars that carry values between iterations, into the fragment and out of it. */
int last_of(int n, const int *restrict a, int *restrict b)
{
    int last = -1;
#pragma scop
    for (int i = 0; i < n; i++) {
        last = a[i];
        b[i] = 2 * a[i];
    }
#pragma endscop
    return last;
}

int running(int n, int start, const int *restrict a, int *restrict b, int *restrict c)
{
    int sum = start, twice = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        b[i] = sum;
        sum += a[i];
    }
    twice = 2 * sum;
    for (int i = 0; i < n; i++)
        c[i] = b[i] + twice + sum;
#pragma endscop
    return sum + twice;
}

/* The largest so far, under a condition on data; and a counter. */
int count_records(int n, const int *restrict a, int *restrict b)
{
    int most = -1000, records = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] > most) {
            most = a[i];
            records++;
        }
    }
    for (int i = n - 1; i >= 0; i -= 1)
        b[i] = most - a[i] + records;
#pragma endscop
    return records * 1000 + most;
}

/* A private scalar that gets its value in one of two places; what uses it runs in order. */
void choose(int n, const int *restrict a, int *restrict b, int *restrict total)
{
    int pick;
#pragma scop
    for (int i = 0; i < n; i++) {
        pick = a[i];
        if (i > 2)
            pick = a[i] * 2;
        total[0] = total[0] % 1000 * 3 + pick;
        b[i] = i;
    }
#pragma endscop
}

/* A product of two numbers that the host computes, a private one per row, steps of two. */
void rows(int n, int m, int scale, int *restrict out, const int in[restrict][7])
{
    int factor, shift, best;
#pragma scop
    factor = scale * 3;
    shift = factor + 1;
    for (int i = 0; i < n; i++) {
        best = in[i][0];
        for (int j = 1; j < m; j += 2) {
            int value = in[i][j] * factor;
            best = best > value ? best : value;
        }
        out[i] = best + shift;
    }
#pragma endscop
}
