// RUN: not %treefork map %s 2>&1 | FileCheck %s
#define SKIP(c) if (c) continue
void f(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
// CHECK: continue.c:[[@LINE+1]]:{{[0-9]+}}: error: `continue` cannot be mapped; put the rest of the body into an `if` of the opposite condition
        SKIP(a[i] > 3);
        a[i] = 0;
    }
#pragma endscop
}
/* The condition reads what stands between. */
void g(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] > 3) {
            a[i] -= 3;
            if (a[i] > 3)
// CHECK: continue.c:[[@LINE+1]]:{{[0-9]+}}: error: `continue` cannot be mapped
                continue;
        }
        a[i] *= 2;
    }
#pragma endscop
}
/* A `break` ends the loop all the same. */
void h(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] > 3)
            continue;
        if (a[i] > 2)
// CHECK: continue.c:[[@LINE+1]]:{{[0-9]+}}: error: `break` cannot be mapped
            break;
        a[i] = 0;
    }
#pragma endscop
}
