// RUN: %treefork verify %s --set n=9 --set n=2 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Divisors by a helper with a loop, Collatz, bits, binomials by rows. Plain C, as a new user wrote it.
/* Number tables: greatest common divisors, Collatz lengths, bits, Pascal's triangle. */
static int gcd(int a, int b) { while (b != 0) { int t = a % b; a = b; b = t; } return a; }
void gcds(int n, int table[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            table[i][j] = gcd(i + 1, j + 1);
#pragma endscop
}
void collatz(int n, int *steps)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        long v = i + 1;
        int s = 0;
        while (v != 1) {
            v = v % 2 ? 3 * v + 1 : v / 2;
            s++;
        }
        steps[i] = s;
    }
#pragma endscop
}
void pascal(int n, unsigned c[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[i][0] = 1;
        for (int j = 1; j < i; j++)
            c[i][j] = (c[i - 1][j - 1] + c[i - 1][j]) % 1000007u;
        c[i][i] = 1;
    }
#pragma endscop
}
void popcounts(int n, const unsigned long *restrict w, unsigned char *restrict bits)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        unsigned long v = w[i];
        unsigned char c = 0;
        for (; v; v &= v - 1)
            c++;
        bits[i] = c;
    }
#pragma endscop
}
