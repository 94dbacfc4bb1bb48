/* Where the least or the greatest of several values stands: first and last places, numbers of all types, under conditions,
   beside other statements, in nests. */
#include <math.h>
#include <stddef.h>

/* The first greatest. */
void greatest(int n, int m, const double x[restrict n * m], const float y[restrict n * m], const int c[restrict n * m],
              double out[restrict 4], int at[restrict 4])
{
    double most = out[0];
    int k = at[0];
#pragma scop
    for (int i = 0; i < n; i++)
        if (x[i] > most) {
            most = x[i];
            k = i;
        }
#pragma endscop
    out[0] = most;
    at[0] = k;
}

/* The last least, the place before the value, compared the other way round, from a place on. */
void least(int n, int m, const double x[restrict n * m], const float y[restrict n * m], const int c[restrict n * m],
           double out[restrict 4], int at[restrict 4])
{
    float low = (float)out[0];
    int k = at[0], i;
#pragma scop
    for (i = m; i < n; i++)
        if (low >= y[i]) {
            k = 2 * i + m;
            low = y[i];
        }
#pragma endscop
    out[0] = low;
    at[0] = k;
}

/* Absolute values, first and last. */
void absolute(int n, int m, const double x[restrict n * m], const float y[restrict n * m], const int c[restrict n * m],
              double out[restrict 4], int at[restrict 4])
{
    float most = (float)out[0];
    double peak = out[1];
    int k = at[0], l = at[1];
#pragma scop
    for (int i = 0; i < n; i++)
        if (fabsf(y[i]) > most) {
            most = fabsf(y[i]);
            k = i;
        }
    for (int i = 0; i < n; i++)
        if (fabs(x[i]) >= peak) {
            peak = fabs(x[i]);
            l = i;
        }
#pragma endscop
    out[0] = most;
    out[1] = peak;
    at[0] = k;
    at[1] = l;
}

/* Under conditions, beside a map and a sum, of a value with a name; the loop counts down. */
void guarded(int n, int m, const double x[restrict n * m], const float y[restrict n * m], const int c[restrict n * m],
             double out[restrict 4], int at[restrict 4])
{
    int low = 3, k = at[0], sum = 0;
    long last = 5;
#pragma scop
    for (int i = n - 1; i >= 0; i--) {
        int d = c[i] - m;
        sum += d;
        if (c[i] < 9)
            if (x[i] > -1 && d < low) {
                low = d;
                k = i + 1;
                last = i;
            }
    }
#pragma endscop
    out[0] = low;
    at[0] = k;
    at[1] = sum + (int)last;
}

/* The least and the greatest in one loop. */
void range(int n, int m, const double x[restrict n * m], const float y[restrict n * m], const int c[restrict n * m],
           double out[restrict 4], int at[restrict 4])
{
    double low = out[0], high = out[1];
    int k = at[0], l = at[1];
#pragma scop
    for (int i = 0; i < n; i++) {
        double d = 2 * x[i];
        if (d < low) {
            low = d;
            k = i;
        }
        if (d >= high) {
            high = d;
            l = i;
        }
    }
#pragma endscop
    out[0] = low;
    out[1] = high;
    at[0] = k;
    at[1] = l;
}

/* Rows and columns, and a sum of both. */
void plane(int n, int m, const double x[restrict n * m], const float y[restrict n * m], const int c[restrict n * m],
           double out[restrict 4], int at[restrict 4])
{
    double most = out[0];
    int row = at[0], column = at[1], sum = at[2], top = (int)at[3];
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (x[i * m + j] > most) {
                most = x[i * m + j];
                row = i;
                column = j;
            }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (c[i * m + j] >= top) {
                top = c[i * m + j];
                sum = i + 100 * j;
            }
#pragma endscop
    out[0] = most;
    out[1] = top;
    at[0] = row;
    at[1] = column;
    at[2] = sum;
}

/* Unsigned and long numbers. */
void wide(int n, int m, const double x[restrict n * m], const float y[restrict n * m], const int c[restrict n * m],
          double out[restrict 4], int at[restrict 4])
{
    unsigned most = 3;
    long long low = 4;
    size_t k = 77;
    long l = 78;
#pragma scop
    for (int i = 0; i < n; i++)
        if ((unsigned)c[i] > most) {
            most = (unsigned)c[i];
            k = (size_t)i;
        }
    for (long i = 0; i < n; i++)
        if (c[i] * 3ll <= low) {
            low = c[i] * 3ll;
            l = i;
        }
#pragma endscop
    out[0] = most;
    out[1] = (double)low;
    at[0] = (int)k;
    at[1] = (int)l;
}

/* Elements that pointers lead to; both ends of a range, places in one array; no element where there is no round. */
static void lead(int n, const double x[n], double best[1], int place[1])
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (x[i] > *best) {
            *best = x[i];
            *place = i;
        }
#pragma endscop
}
void elements(int n, int m, const double x[n * m], const float y[n * m], const int c[n * m], double out[4], int at[4])
{
    lead(n, x, n > 0 ? out : 0, n > 0 ? at : 0);
#pragma scop
    for (int i = n - 1; i >= 0; i--)
        if (c[i] > 3 && x[i] <= out[m & 1]) {
            out[m & 1] = x[i];
            at[2] = m + i;
            at[1] = i;
        }
    for (int i = 0; i < n; i++)
        if (y[i] >= out[2]) {
            out[2] = y[i];
            out[3] = i;
        }
#pragma endscop
}

/* Members of a structure; the places of a plane. */
struct most {
    int row, column;
    double best;
};
void members(int n, int m, const double x[n * m], const float y[n * m], const int c[n * m], double out[4], int at[4])
{
    struct most most = {-1, -1, out[0]}, *last = &most;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (x[i * m + j] > most.best) {
                most.best = x[i * m + j];
                most.row = i;
                most.column = j;
            }
#pragma endscop
    at[0] = most.row;
    at[1] = most.column;
#pragma scop
    for (int i = 0; i < n; i++)
        if (fabs(x[i]) < last->best) {
            last->best = fabs(x[i]);
            last->row = i;
        }
#pragma endscop
    at[2] = most.row;
    out[0] = most.best;
}

/* `!(e <= m)` of integers is `e > m`; `continue` says so, too. */
void negated(int n, int m, const double x[n * m], const float y[n * m], const int c[n * m], double out[4], int at[4])
{
    int most = (int)n - 9, low = 5;
#pragma scop
    for (int i = 0; i < n; i++)
        if (!(c[i] <= most)) {
            most = c[i];
            at[0] = i;
        }
    for (int i = 0; i < n; i++) {
        if (low < c[i])
            continue;
        low = c[i];
        at[1] = i;
    }
#pragma endscop
    at[2] = most;
    at[3] = low;
}

/* Places alone: where the extreme stands is read through the place. */
void implied(int n, int m, const double x[n * m], const float y[n * m], const int c[n * m], double out[4], int at[4])
{
    int k = 0, last = n - 1, row = 0, column = 0;
#pragma scop
    for (int i = 1; i < n; i++)
        if (x[i] < x[k])
            k = i;
    for (int i = n - 1; i >= 0; i--)
        if (c[i] > 2 && y[last] <= y[i]) {
            last = i;
            at[3] = 3 * i;
        }
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (x[i * m + j] > x[row * m + column]) {
                row = i;
                column = j;
            }
#pragma endscop
    at[0] = k;
    at[1] = last;
    at[2] = row * 10 + column;
}

/* The last place at which conditions hold, flags that are set to numbers, beside other statements. */
void lasts(int n, int m, const double x[n * m], const float y[n * m], const int c[n * m], double out[4], int at[4])
{
    int k = -1, seen = 0, sum = 0, row = -1, column = -1;
#pragma scop
    for (int i = 0; i < n; i++)
        if (c[i] == 3)
            k = i;
    for (int i = n - 1; i >= 0; i--) {
        sum += c[i];
        if (!(x[i] >= 0)) {
            seen = 1;
            at[3] = i - m;
        }
    }
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (c[i * m + j] < y[i * m + j]) {
                row = i;
                column = j;
            }
#pragma endscop
    at[0] = k;
    at[1] = sum + 100000 * seen;
    at[2] = row * 10 + column;
}
