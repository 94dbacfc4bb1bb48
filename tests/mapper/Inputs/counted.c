/* Loops that count, however their headers say so. */

/* The condition adds to the iterator. */
void diff(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (int i = 0; i + 1 < n; i++)
        a[i] = b[i + 1] - b[i];
    for (int i = 2; m > i - 1; i++)
        a[i] += b[i];
}

/* Down, counted in the condition. */
void back(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (int i = n; i-- > 0;) {
        double s = 0;
        for (int j = m; j-- > 1;)
            s += b[j + 1] - s / 4;
        a[i] = s;
    }
}

/* Loops that end where they meet their bound. */
void meet(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int i, j, high = n < 0 ? 0 : n;
    if (m < 0)
        m = 0;
    for (i = 0; i != high; i++) {
        double s = 0;
        for (j = 0; j != m; ++j)
            s = s / 2 + b[j];
        for (j = m; j + 1 > 3; j--)
            s = s / 2 + b[j];
        a[i] = s;
    }
}

/* The same of numbers without a sign. */
void sizes(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    unsigned long high = n < 0 ? 0 : n, wide = m < 0 ? 0 : m;
    for (unsigned long i = 0; i + 1 < high; i++)
        a[i] = b[i + 1] - b[i];
    for (unsigned long i = high; i-- > 0;) {
        double s = a[i];
        for (unsigned long j = 1; j + 2 <= wide; j++)
            s = s / 2 + b[j];
        for (unsigned long j = wide; j-- > 0;)
            s = s / 2 + b[j];
        a[i] = s;
    }
}

/* `while` and `for` without all its parts. */
void whiles(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int y = 0, z;
    while (y < n) {
        int x = 0, t = c[y];
        while (x < m) {
            a[y * m + x] = b[x] + t;
            x++;
        }
        y++;
    }
    z = n;
    for (; z > 0; z -= 1)
        b[z] = c[z];
}

/* A step that is left out by a jump; an iterator that is read behind. */
void kept(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    long i = 0, k;
    k = 1;
    while (i < n) {
        double s = 0;
        if (b[i] > 2) {
            i += 2;
            continue;
        }
        a[i] = s;
        i++;
    }
    c[0] = i;
    i = 0;
    while (i < n && i < m) {
        a[i] += 1;
        i += 1;
    }
    c[1] = i;
    while (i < 2 * n) {
        a[i] += 2;
        i++;
    }
}

/* Iterators that are read behind their loops. */
void last(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int i, j = 3;
    for (i = 0; i < n; i++)
        a[i] = b[i] + 1;
    c[0] = i;
    for (i = n - 1; i >= 0; i -= 3)
        a[i] += b[i];
    c[1] = i;
    for (i = 1; i <= m; i++)
        for (j = 2; j < m; j += 4)
            a[i * m + j] *= 2;
    c[2] = i + j;
    for (i = n; i-- > 2;)
        b[i] += 1;
    c[3] = i;
    for (i = 0; i < n; i++) {
        for (j = 0; j <= i; j++)
            b[j] += 1;
        if (j > 7)
            c[4] = j;
    }
    for (i = 0; i < n; i++)
        b[i] -= 1;
    for (i = 0; i < n; i++)
        b[i] *= 3;
}

/* In a thread: bounds from memory, a jump, an iterator that is used twice. */
void inner(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int r = 0;
    while (r < n) {
        double s = 0;
        int e = c[r] & 3;
        while (e < (c[r + 1] & 7)) {
            s += 0.5 * e;
            e++;
        }
        if (b[r] > 0) {
            int k = 0;
            while (k < 5) {
                if (b[k] > s)
                    break;
                s += b[k];
                k++;
            }
            k = 2;
            while (k < 7) {
                s -= b[k];
                ++k;
            }
        }
        a[r] = s;
        r++;
    }
}

/* A loop of the host reads what the loop in it ends with, a round later; a branch sets it anew. */
void rounds(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int i = 4, t;
    for (t = 0; t < 3; t++) {
        c[t] = i;
        for (i = 0; i < n; i += 2)
            a[i] += t;
    }
    if (m > 2)
        i = 7;
    c[4] = i;
    for (i = 0; i < m; i++)
        b[i] = t;
    if (n > 2)
        i = 1;
    else
        i = 2;
    c[5] = i;
}

/* A jump leads past what sets the iterator anew. */
void past(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int i = 0, t;
    for (t = 0; t < 3; t++) {
        for (i = 0; i < n; i++)
            a[i] += t;
        if (m > 3 + t)
            break;
        i = -1;
    }
    c[0] = i;
}

/* Scalars of C89 that loops use one after the other, each anew. */
void shared(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double s, last = 2;
    int i, j;
    for (i = 0; i < n; i++) {
        s = 0;
        for (j = 0; j < m; j++)
            s += b[j];
        a[i] = s;
    }
    for (i = 0; i < n; i++) {
        s = 1;
        last = a[i];
        for (j = 0; j < m; j++)
            s *= b[j];
        a[i] += s;
    }
    c[0] = last > 1;
}

/* Iterators of a block that are read behind their loops in it; a variable outside has the name of one. */
void blocks(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int j = 7;
    for (int i = 0; i < n; i++) {
        int j = 2;
        while (j < m) {
            a[i * m + j] += 5;
            j += 2;
        }
        b[i] += j;
    }
    for (int i = 0; i < n; i++) {
        int k;
        for (k = 0; k < m; k++)
            a[i * m + k] *= 2;
        for (k = 1; k < 3; k++)
            b[i + k] += 1;
        for (int k = 0; k < m; k++)
            a[i * m + k] += 1;
    }
    c[0] = j;
}

/* Where a jump leads between what sets the iterator and the loop, or the value changes there. */
void jumps(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int i, k = 0, high = 1;
    i = 0;
again:
    k++;
    while (i < n) {
        a[i] += b[i];
        i++;
    }
    if (k < 2)
        goto again;
    i = 3;
    switch (m) {
    case 1:;
        i = 0;
    case 2:;
        while (i < n) {
            b[i] += 1;
            i++;
        }
    }
    int e = high, last = high++;
    while (e < n) {
        b[e] += last;
        e++;
    }
}

void pointed(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int k = 0, *to_k = &k, i, *to_i = &i, j = k;
    *to_k = 2;
    while (j < n) {
        a[j] += b[j];
        j++;
    }
    i = 0;
    *to_i = 2;
    while (i < n) {
        b[i] += 1;
        i++;
    }
}

/* Bounds whose difference is no number of their type. */
void apart(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int low, high, i;
    low = 2000000000;
    high = -2000000000;
    for (i = low; i < high; i++)
        a[i] += 1;
    c[0] = i;
    for (i = low; i <= high; i += 3)
        a[i] += 1;
    c[1] = i;
}
