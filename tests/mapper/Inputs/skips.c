/* Loops whose iterations end early; the pointers are apart. n and m may be 0 or below. */
#define SKIP(c) if (c) continue
#define NEAR(i, j) ((i) - (j) < 2 && (j) - (i) < 2)

/* On data. */
void positive(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        if (a[i] < 0.25)
            continue; // too small
        b[i] = a[i] / 3;
        c[i]++;
    }
#pragma endscop
}
/* On iterators and parameters, twice in one body. */
void borders(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) {
            if (NEAR(i, j))
                continue;
            b[i * m + j] = a[i] + j;
            if (!(i > 2)) {
                b[i * m + j] -= 1;
                continue;
            }

            b[i * m + j] *= a[j];
        }
#pragma endscop
}
/* In an `else`, with both branches going on somewhere, and as the last statement. */
void elsewhere(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        double d = a[i];
        if (d > 0)
            d = d * 2;
        else
            continue;
        if (d > 2) {
            c[i] = 1;
            continue;
        } else
            d += 1;
        b[i] = d;
        if (c[i] > 3) continue; else b[i] += 5;
        if (b[i] > 3) continue;
    }
#pragma endscop
}
/* On some paths of an `if` only. */
void paths(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) {
            b[i * m + j] = 1;
            if (i > 1) {
                if (j == i || j > i + 2)
                    continue;
                b[i * m + j] += a[j];
            }
            { if (j < 2) if (m > 3) continue; }
            if (i > j) {
                if (m > 4)
                    continue;
                b[i * m + j] -= a[i];
            } else if (j != 3)
                b[i * m + j] += 4;
            else
                continue;
            b[i * m + j] *= 2;
        }
#pragma endscop
}
/* A sum in a thread, in one line. */
void sums(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        double sum = 0;
        for (long j = 0; j < m; j++) { if (j == i) continue; double d = a[j] - a[i]; if (d > 1) { sum += 1; continue; } sum += d * d; }
        b[i] = sum;
    }
#pragma endscop
}
/* Around loops, and in both branches. */
void rows(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        if (i % 3 == 1) {
            for (long j = 0; j < m; j++)
                b[i * m + j] = j;
            continue;
        }
        if (c[i] < 0) {
            b[i * m] = 3;
            continue;
        }
        for (long j = 0; j < m; j++) {
            if (j & 1) continue;
            b[i * m + j] = a[j];
        }
    }
#pragma endscop
}
/* Around something that stays as it is: the loops in it are mapped in their places. */
void kept(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long t = 0; t < m; t++) {
        if (t == 1) {
            for (long i = 0; i < n; i++)
                b[i] = a[i] + t;
            continue;
        }
        while (c[0] > 3)
            c[0] -= 2;
        for (long i = 0; i < n; i++) {
            if (i == t) continue;
            b[i] += c[0];
        }
        if (t > 4) {
            for (long i = 0; i < n; i++)
                b[i] *= 0.5;
            continue;
        }
        for (long i = 0; i < n; i++)
            a[i] += b[i];
    }
#pragma endscop
}
/* A block that jumps on some paths, before something that stays. */
void held(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long t = 0; t < m; t++) {
        if (n > 2) {
            for (long i = 0; i < n; i++)
                b[i] = a[i] + t;
            if (m > 3) {
                for (long i = 0; i < n; i++)
                    a[i] += 1;
                continue;
            }
            for (long i = 0; i < n; i++)
                a[i] -= b[i];
        }
        while (c[0] > 3)
            c[0] -= 2;
        for (long i = 0; i < n; i++)
            b[i] *= c[0];
    }
#pragma endscop
}
/* By a macro, and where what the condition reads is changed: these stay as they are. */
void macro(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        SKIP(a[i] > 0);
        b[i] = a[i];
    }
    for (long i = 0; i < n; i++) {
        if (a[i] > 0) {
            a[i] -= 1;
            if (a[i] > 0)
                continue;
        }
        b[i] += a[i];
    }
#pragma endscop
}
/* A mark in the loop. */
void marked(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (long t = 0; t < m; t++) {
#pragma scop
        for (long i = 0; i < n; i++)
            b[i] += t;
#pragma endscop
        if (t == 2)
            continue;
#pragma scop
        for (long i = 0; i < n; i++)
            a[i] += b[i];
#pragma endscop
    }
}
