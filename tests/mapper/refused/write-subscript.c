// RUN: not %treefork map --strict %s 2>&1 | FileCheck %s
void f(int n, int *restrict a, const int *restrict m)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: write-subscript.c:[[@LINE+1]]:{{[0-9]+}}: error: a write to `a` with a subscript that is not affine cannot be mapped; write it as a sum
        a[i * i] = 0;
#pragma endscop
}
void g(int n, int *restrict a, const int *restrict m)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: write-subscript.c:[[@LINE+1]]:{{[0-9]+}}: error: a write to `a` at a place that is read from memory cannot be mapped; which iterations meet there is not known; write in order and read at such places, or let each part of the iterations count in a row of its own, `a[part][...]`, and add the rows up behind
        a[m[i]] = 1;
#pragma endscop
}
void h(int n, int *restrict a, const int *restrict m)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int k, l = m[i];
        k = l + 1;
// CHECK: write-subscript.c:[[@LINE+1]]:{{[0-9]+}}: error: a write to `a` at a place that is read from memory
        a[k] = i;
    }
#pragma endscop
}
/* A picture in blocks of 16 by 16, counted by one loop. */
void blocks(int n, int across, int width, int *restrict a)
{
#pragma scop
    for (int block = 0; block < n; block++) {
        int top = 16 * (block / across), left = 16 * (block % across);
        for (int y = 0; y < 16; y++)
            for (int x = 0; x < 16; x++)
// CHECK: write-subscript.c:[[@LINE+1]]:{{[0-9]+}}: error: a write to `a` with a subscript made by `/` or `%` of variables cannot be mapped; let two loops, one in the other, count quotient and remainder
                a[(top + y) * width + left + x] = block;
    }
#pragma endscop
}
void again(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int k = i;
        k /= 2;
// CHECK: write-subscript.c:[[@LINE+1]]:{{[0-9]+}}: error: a write to `a` with a subscript made by a variable that is set several times cannot be mapped; give each value a variable of its own
        a[k] = i;
    }
#pragma endscop
}
