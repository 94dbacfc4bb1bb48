/* Loops whose statements are chosen by jumps and by cases. */

/* Two ways to one place, of which one leaves early. */
void ways(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (int i = 0; i < n; i++) {
        if (a[i] > 0.5)
            goto other;
        b[i] = b[i] * 2 - a[i];
        if (b[i] < 1)
            goto both;
        c[i] += 3;
        goto both;
other:
        c[i] = 5 - c[i];
both:   a[i] = b[i] + c[i];
    }
}

/* One way of two, both with a jump. */
void either(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (c[j] <= 0) {
                goto low;
            } else {
                goto high;
            }
low:        a[i * m + j] += b[j];
            goto end;
high:       a[i * m + j] -= 2 * b[j];
end:        ;
        }
}

/* Jumps within jumped statements, a label that nothing leads to, two at one place. */
void nested(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (int i = 0; i < n; i++) {
        if (a[i] >= 1) goto last;
first:  a[i] += 0.5;
        if (b[i] >= 1) goto inner;
        { int half = c[i] / 2; c[i] = half; }
inner:  b[i] = 3 - b[i];
last: end: ;
    }
}

/* The statements of the first label are those of one jump, but not of the other. */
void crossed(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (int i = 0; i < n; i++) {
        if (c[i] == 1) goto second;
        if (c[i] > 3) goto third;
        a[i] = 7;
second: b[i] = a[i] * 0.5;
third:  a[i] += b[i] + c[i];
    }
}

/* Constants of all kinds, several of one way, one in the middle for all others. */
void cases(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    enum { FOUR = 4 };
    for (int i = 0; i < n; i++) {
        switch (c[i] & 7) {
        case 1: case -1: case 'x': a[i] = b[i]; break;
        case 2: { a[i] = 2; b[i] = 1; break; }
        default: a[i] -= 1; break;
        case FOUR: case 2 + 1: { int k = c[i]; c[i] = k + 1; } break;
        case 5: break;
        case 6: if (a[i] > 0) { a[i] = 6; }
        }
    }
}

/* A value that a case changes, of a type that is promoted, and of a wide one. */
void widths(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (int i = 0; i < n; i++) {
        unsigned char small = (unsigned char)c[i];
        switch (small) {
        case 255: a[i] = 1; break;
        case 'a': a[i] = 2; break;
        case 2: small = 3; a[i] = small; break;
        case 3: a[i] = 4; break;
        }
        unsigned wide = (unsigned)c[i] - 1;
        switch (wide) {
        case -1: b[i] = 1; break;
        case 3: b[i] = 2; break;
        }
    }
}

/* A way for each value, by labels, and one iteration that ends early. */
void leads(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (int i = 0; i < n; i++) {
        switch (c[i]) {
        case 1: goto one;
        case 2: goto two;
        case 3: case 4: goto three;
        case 5: continue;
        }
one:    a[i] += b[i];
        goto end;
two:    a[i] += 2 * b[i];
        goto end;
three:  a[i] += 3 * b[i];
end:    b[i] = 0;
    }
}

/* The last statement of a branch ends the iteration, too. */
void again(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (int i = 0; i < n; i++) {
        if (a[i] > 0) {
            b[i] = 2 * b[i];
            if (b[i] < 1)
                continue;
            c[i] = 3;
            continue;
        }
        b[i] = -b[i];
    }
}
