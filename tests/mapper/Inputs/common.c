/* Fragments whose statements follow one host loop by different loops of theirs. */
enum { SIDE = 48 };

/* The sums b get one term more than those in a. */
void forward(int n, unsigned *restrict a, unsigned *restrict b, unsigned c[restrict SIDE][SIDE])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            a[i] -= c[i][j] * a[j];
        a[i] ^= b[i];
        for (int j = 0; j <= i; j++)
            b[i + 1] -= c[j][i] * a[j];
    }
#pragma endscop
}

/* Downwards, and a product of which no term may come early. */
void backward(int n, unsigned *restrict a, unsigned *restrict b, unsigned c[restrict SIDE][SIDE])
{
#pragma scop
    for (int i = n - 1; i >= 0; i--) {
        for (int j = n - 1; j > i; j--)
            a[i] = a[i] * 3u + c[i][j] * a[j];
        a[i] ^= b[i];
    }
#pragma endscop
}

/* An iterator that a macro names. */
#define OWN a[i]
void macro(int n, unsigned *restrict a, unsigned *restrict b, unsigned c[restrict SIDE][SIDE])
{
#pragma scop
    for (long i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            if (j < n - 3)
                a[i] -= c[i][j] * a[j];
        OWN = OWN * 5u + b[i];
    }
#pragma endscop
}

/* An order that asks for the rows as they stand: a sum goes up, the loop around it down. */
void rows(int n, unsigned *restrict a, unsigned *restrict b, unsigned c[restrict SIDE][SIDE])
{
#pragma scop
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            a[i] = a[i] * 3u + c[i][j] * a[j];
        a[i] ^= b[i];
    }
    for (int i = 0; i < n; i++)
        b[i] += a[i];
#pragma endscop
}

/* The diagonal is left out. */
void strict(int n, unsigned *restrict a, unsigned *restrict b, unsigned c[restrict SIDE][SIDE])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                c[i][j] -= c[i][k] * c[k][j];
            c[i][j] ^= c[j][j] + a[j];
        }
        for (int j = i + 1; j < n; j++)
            for (int k = 0; k < i; k++)
                c[i][j] -= c[i][k] * c[k][j];
    }
#pragma endscop
}

/* Another update on the diagonal and above it. */
void twofold(int n, unsigned *restrict a, unsigned *restrict b, unsigned c[restrict SIDE][SIDE])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                c[i][j] -= c[i][k] * c[k][j];
            c[i][j] ^= c[j][j] + a[j];
        }
        for (int j = i; j < n; j++)
            for (int k = 0; k < i; k++)
                c[i][j] += c[i][k] * c[k][j];
    }
#pragma endscop
}
