/* Rounds of small regions: which become one block, and what it does at its edges. */

/* A loop that goes down, of long, and a private scalar in the threads. */
void backward(long n, unsigned a[restrict 600], const unsigned b[restrict 600], const unsigned c[restrict 600][600])
{
#pragma scop
    for (long i = n - 1; i >= 0; i--) {
        a[i] = a[i] * 3u + b[i];
        for (long j = 0; j < i; j++) {
            unsigned t = c[j][i] + 1u;
            a[j] ^= t * a[i] + t;
        }
    }
#pragma endscop
}

/* Two loops around, a first line that is no round, and a last one. */
void twice(int n, int m, unsigned a[restrict 600], unsigned b[restrict 600], unsigned c[restrict 600][600])
{
#pragma scop
    b[599] = 7u;
    for (int t = 0; t < m; t++)
        for (int i = 0; i < n; i++) {
            b[i] ^= a[i] + (unsigned)t;
            for (int j = i + 1; j < n; j++)
                a[j] += b[i] * c[i][j];
        }
    for (int i = 0; i < n; i++)
        c[i][0] = a[n - 1 - i];
#pragma endscop
}

/* Rows and columns of many lines: the block pays for 512 elements or fewer, and both ways are run. */
void lines(int n, unsigned a[restrict 600], unsigned b[restrict 600], unsigned c[restrict 600][600])
{
#pragma scop
    for (int k = 0; k < n; k++) {
        c[k][k] = c[k][k] * 5u + 1u;
        for (int i = k + 1; i < n; i++)
            c[i][k] ^= c[k][k] * c[i][0] + c[i][8] + c[i][16] + c[i][24] + c[i][32] + c[i][40] + c[i][48] + c[i][56];
        for (int i = 0; i < 3; i++)
            for (int j = k + 1; j < n; j++)
                c[i][j] += (unsigned)(i ^ k);
    }
#pragma endscop
}

/* Sizes that are numbers need no test; large ones are worth their launches. */
void small(unsigned a[restrict 600], unsigned b[restrict 600])
{
#pragma scop
    for (int t = 0; t < 20; t++) {
        for (int i = 1; i < 299; i++)
            b[i] = a[i - 1] + a[i + 1];
        for (int i = 1; i < 299; i++)
            a[i] = b[i] * 3u;
    }
#pragma endscop
}

void large(unsigned a[restrict 100000], unsigned b[restrict 100000])
{
#pragma scop
    for (int t = 0; t < 20; t++) {
        for (int i = 1; i < 99999; i++)
            b[i] = a[i - 1] + a[i + 1];
        for (int i = 1; i < 99999; i++)
            a[i] = b[i] * 3u;
    }
#pragma endscop
}

/* A round of one launch saves none without its loop, and threads with loops are worth theirs. */
void sums(int n, unsigned a[restrict 600], unsigned b[restrict 600], unsigned c[restrict 600][600])
{
#pragma scop
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                b[i] += c[i][j] * a[j];
        for (int i = 0; i < n; i++)
            a[i] ^= b[i];
    }
#pragma endscop
}
