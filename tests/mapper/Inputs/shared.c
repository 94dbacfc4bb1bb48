/* Statements of one thread that share conditions, or share them with some of their neighbours only. All write doubles from
   integers, so that sums are exact. */

/* All statements: around the loop over k, too. */
void triangle(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        for (long j = 0; j <= i; j++)
            a[n * i + j] *= 2;
        for (long k = 0; k < m; k++)
            for (long j = 0; j <= i; j++)
                a[n * i + j] += c[i + k] * c[j + k];
    }
#pragma endscop
}

/* A condition of the source's, which some share. */
void some(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            a[n * i + j] = c[i];
            if (i > j || j == 3) {
                a[n * i + j] += c[j];
                for (long k = 0; k < 3; k++)
                    if (k < i)
                        a[n * i + j] += c[k];
            }
            if (i > j || j == 3)
                a[n * i + j] -= 1;
            b[n * i + j] = a[n * i + j];
        }
#pragma endscop
}

/* Names that are declared twice, in loops that become one thread. */
void names(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        double s = c[i] * 2;
        a[i] = s + 1;
    }
    for (long i = 0; i < n; i++) {
        double s = a[i] * 3;
        b[i] = s + c[i];
    }
    for (long i = 0; i < n; i++)
        for (long j = 0; j < i; j++) {
            double t = c[j], u = 1;
            b[n * (i + 1) + j] = t + u;
        }
    for (long i = 0; i < n; i++)
        for (long j = 0; j < i; j++) {
            double t = c[i];
            b[n * (i + 1) + j] += t;
        }
#pragma endscop
}

/* The condition speaks of the loop in the thread: it stays in it. */
void inner(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        a[i] = 1;
        for (long k = 0; k < m; k++) {
            if (k < i)
                a[i] += c[k];
            if (k < i)
                a[i] *= 2;
        }
    }
#pragma endscop
}
