/* Loops that data ends, in threads. */

static long halvings(long x)
{
    long n = 0;
    while (x > 1) {
        x = x % 2 ? 3 * x + 1 : x / 2;
        n++;
        if (n > 40)
            break;
    }
    return n;
}

void escape(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) {
            double x = 0, y = 0;
            long round = 0;
            while (x * x + y * y < 4 && round < 20) {
                double t = x * x - y * y + b[i];
                y = 2 * x * y + b[m - j];
                x = t;
                round++;
            }
            a[i * m + j] = round + halvings(i + j);
        }
#pragma endscop
}

/* C of 1989, with a variable that only the loop uses, and the counter read behind it. */
void old(long n, long m, double *a, double *b, int *c)
{
    long i, j, k;
    double x, y, t;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) {
            x = b[i];
            y = b[j];
            for (k = 0; k < 20; k++) {
                if (x * x + y * y > 4)
                    break;
                t = x * x - y * y + b[i];
                y = 2 * x * y + b[j];
                x = t;
            }
            a[i * m + j] = k;
        }
#pragma endscop
}

void search(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        long found = -1, steps = 0, z;
        for (long k = 0; k < m; k++) {
            if (c[k] < 0)
                continue;
            if (c[k] > c[i]) {
                found = k;
                break;
            }
        }
        z = found + 9;
        do {
            steps++;
            z = z / 2;
        } while (z > 0);
        for (z = 1; z < found; z *= 3)
            steps += z;
        for (;;) {
            steps--;
            if (steps < 3)
                break;
        }
        a[i] = found + steps;
    }
#pragma endscop
}

/* What no round does is not done; what rounds write is the thread's own. */
void perhaps(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        long v = c[i];
        while (v > 3) {
            a[i] += v;
            v -= 2;
        }
        for (long k = 0; k < m; k++) {
            if (c[k] == 5)
                break;
            b[i] = v + k;
        }
    }
#pragma endscop
}

/* A scalar that a round may leave as the iteration before did: one thread, so the host. */
void carried(long n, long m, double *a, double *b, int *c)
{
    double last = 1;
#pragma scop
    for (long i = 0; i < n; i++) {
        long v = c[i];
        while (v > 9) {
            last = v;
            v -= 7;
        }
        a[i] = last;
    }
    for (long i = 0; i < n; i++)
        a[i] *= 2;
#pragma endscop
}

/* Elements that rounds of other threads write. */
void meet(long n, long m, double *a, double *b, int *c)
{
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) {
            long v = c[i];
            while (v > 3) {
                a[j] += v;
                v -= 2;
            }
        }
#pragma endscop
}

/* What only some rounds or a branch set is read as another iteration left it. */
void kept(long n, long m, double *a, double *b, int *c)
{
    double t = 0;
#pragma scop
    for (long i = 0; i < n; i++)
        for (long k = 0; k < m; k++) {
            if (c[k] > 9)
                break;
            if (c[k] > i)
                t = c[k];
            b[i] = t;
        }
    for (long i = 0; i < n; i++)
        a[i] += 3;
#pragma endscop
}
