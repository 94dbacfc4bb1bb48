// RUN: not %treefork map %s 2>&1 | FileCheck %s
// CHECK: error: a statement whose functions call others more than 100000 times cannot be mapped
static double h0(double x)
{
    return x + 1;
}
static double h1(double x)
{
    return h0(x) + h0(x + 1);
}
static double h2(double x)
{
    return h1(x) + h1(x + 1);
}
static double h3(double x)
{
    return h2(x) + h2(x + 1);
}
static double h4(double x)
{
    return h3(x) + h3(x + 1);
}
static double h5(double x)
{
    return h4(x) + h4(x + 1);
}
static double h6(double x)
{
    return h5(x) + h5(x + 1);
}
static double h7(double x)
{
    return h6(x) + h6(x + 1);
}
static double h8(double x)
{
    return h7(x) + h7(x + 1);
}
static double h9(double x)
{
    return h8(x) + h8(x + 1);
}
static double h10(double x)
{
    return h9(x) + h9(x + 1);
}
static double h11(double x)
{
    return h10(x) + h10(x + 1);
}
static double h12(double x)
{
    return h11(x) + h11(x + 1);
}
static double h13(double x)
{
    return h12(x) + h12(x + 1);
}
static double h14(double x)
{
    return h13(x) + h13(x + 1);
}
static double h15(double x)
{
    return h14(x) + h14(x + 1);
}
static double h16(double x)
{
    return h15(x) + h15(x + 1);
}
static double h17(double x)
{
    return h16(x) + h16(x + 1);
}
static double h18(double x)
{
    return h17(x) + h17(x + 1);
}
void f(int n, double *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = h18(a[i]);
#pragma endscop
}
