// RUN: not %treefork map %s 2>&1 | FileCheck %s
struct s { int x; double y; };
struct t { int x; volatile int y; };
struct u { int x; };
void f(int n, struct s *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: member.c:[[@LINE+1]]:{{[0-9]+}}: error: a structure member cannot be mapped; {{.*}} or structures of which the function uses
        a[i].x = a[i].y;
#pragma endscop
}
void g(int n, struct t *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: member.c:[[@LINE+1]]:{{[0-9]+}}: error: a structure member
        a[i].x = 0;
#pragma endscop
}
/* A pointer whose address is taken. */
void take(struct u *const *);
void h(int n, struct u *b)
{
    take(&b);
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: member.c:[[@LINE+1]]:{{[0-9]+}}: error: a structure member
        b[i].x = i;
#pragma endscop
}
struct v { int x : 8; int y; };
/* A bit-field that begins with a byte. */
void k(int n, struct v *a, int *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
// CHECK: member.c:[[@LINE+1]]:{{[0-9]+}}: error: a structure member
        b[i] = a[i].x;
#pragma endscop
}
