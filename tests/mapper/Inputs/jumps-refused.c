/* Jumps that no `if` replaces: each loop is refused at its place. */
void back(int n, double *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
again:  a[i] += 1;
        if (a[i] < 5)
            goto again;
    }
#pragma endscop
}

void out(int n, double *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] < 5)
            goto end;
        a[i] += 1;
    }
#pragma endscop
end:    ;
}

void into(int n, double *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] < 5)
            goto inner;
        if (a[i] < 7) {
            a[i] = 2;
inner:      a[i] += 1;
        }
    }
#pragma endscop
}

int shade(int n, double *restrict a)
{
    int k = 3;
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] < 5)
            goto end;
        int k = 4;
        a[i] = k;
end:    k = 5;
        a[i] += k;
    }
#pragma endscop
    return k;
}

void changed(int n, double *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] > 5) goto second;
        if (a[i] > 3) goto third;
        a[i] = 7;
second: a[i] *= 0.5;
third:  a[i] += 1;
    }
#pragma endscop
}

void through(int n, double *restrict a, int *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        switch (c[i]) {
        case 1: a[i] = 1;
        case 2: a[i] += 1; break;
        }
#pragma endscop
}

void early(int n, double *restrict a, int *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        switch (c[i]) {
        case 1:
            if (a[i] > 1)
                break;
            a[i] = 1;
        }
#pragma endscop
}
