/* Sums over iterations that are exact in any order, and what is none. */
#include <math.h>
#define MAX(x, y) ((x) > (y) ? (x) : (y))
#define MIN(x, y) ((x) < (y) ? (x) : (y))

static int counted;

/* Scalars of the function and of the file, each operator, several in one loop with a map. */
void scalars(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int sum = 3, less = 0, product = 1, ones = -1, bits = 0, odd = 5, down = 0;
    unsigned wraps = 7;
#pragma scop
    for (long i = 0; i < n; i++) {
        b[i] = a[i] * 2;
        sum = sum + c[i];
        less -= c[i] + 1;
        product *= c[i] | 1;
        ones &= c[i];
        bits |= 1 << (c[i] & 7);
        odd ^= c[i];
        wraps = (unsigned)c[i] + wraps;
        down--;
        counted++;
    }
#pragma endscop
    c[0] = sum + less + product + ones + bits + odd + (int)wraps + down;
    c[1] = counted;
}

/* The least and the greatest, in every form. */
void extremes(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int high = -5, low = 5, top = 0, bottom = 0;
    double most = 0, least = 1, peak = 0;
#pragma scop
    for (long i = 0; i < n; i++) {
        if (c[i] > high)
            high = c[i];
        if (low >= c[i])
            low = c[i];
        top = MAX(top, c[i]);
        bottom = bottom < c[i] ? bottom : c[i];
        if (a[i] > most)
            most = a[i];
        least = a[i] < least ? a[i] : least;
        peak = fabs(a[i]) > peak ? fabs(a[i]) : peak;
    }
#pragma endscop
    b[0] = most;
    b[1] = least + peak;
    c[0] = high + low;
    c[1] = top + bottom;
}

/* Under conditions, over two axes and three, of elements and in loops that data ends. */
void nests(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    long sum = 0;
    int count[3] = {0};
    int rounds = 0;
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
            if (a[i * m + j] > 0)
                sum += c[i] * j;
    for (long i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            for (long j = 0; j < m; j++)
                if (c[i] == k)
                    count[k]++;
    for (long i = 0; i < n; i++)
        for (int z = c[i] & 7; z > 0; z /= 2)
            rounds++;
#pragma endscop
    c[0] = (int)sum + count[0] + 2 * count[1] + 4 * count[2];
    c[1] = rounds;
}

/* Not in any order: sums of floating numbers, forms that take what is no number, a running value, one
   that is read meanwhile, two operators, a type that no sum has, one that rounds, and one without an address. */
void kept(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double sum = 0, top = 0;
    int running = 0, both = 0, at = 0, whole = 0;
    short small = 0;
    register int fast = 0;
#pragma scop
    for (long i = 0; i < n; i++)
        fast += c[i];
    for (long i = 0; i < n; i++)
        sum += a[i];
    for (long i = 0; i < n; i++)
        top = top > a[i] ? top : a[i];
    for (long i = 0; i < n; i++) {
        running += c[i];
        b[i] = running;
    }
    for (long i = 0; i < n; i++) {
        both += c[i];
        both ^= 1;
    }
    for (long i = 0; i < n; i++)
        if (c[i] > 0) {
            at++;
            b[i] = at;
        }
    for (long i = 0; i < n; i++)
        small += c[i];
    for (long i = 0; i < n; i++)
        whole += a[i];
#pragma endscop
    a[0] = sum + top;
    c[0] = running + both + at + whole + small + fast;
}
