// RUN: %treefork map --all --loops %s 2>&1 | FileCheck %s
static double (*table[4])(double);
static void (*acts[4])(int);
static void act(int i)
{
    acts[i](i);
}
// CHECK: f: refused at line [[@LINE+4]]: a call through a pointer cannot be mapped; call the function by its name
void f(int n, double *restrict a)
{
    for (int i = 0; i < n; i++)
        a[i] = table[i & 3](a[i]);
}
// A statement in a function that the loop calls.
// CHECK: g: refused at line 6: a call through a pointer cannot be mapped{{.*}} (in `act`, which line [[@LINE+5]] calls)
void g(int n, double *restrict a)
{
    for (int i = 0; i < n; i++) {
        a[i] = 0;
        act(i & 3);
    }
}
