/* RUN: %S/Inputs/same %treefork %root %s %t | FileCheck %s
   CHECK: local: {{[0-9]+}} runs, all the same
   Local arrays that nothing touches behind their regions: their device copies must die with them. */
#include <stdio.h>
#include <metafork.h>
/* local temporaries that no host code touches afterwards */
void blur(int n, int B, float *a)
{
    float tmp[4096];
    int dim = (n + B - 1) / B;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) tmp[p] = a[p] * 2; } }
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] = tmp[p] + 1; } }
}
int scoped(int n, int B, float *a)
{
    int dim = (n + B - 1) / B;
    {
        float tmp[256];
        meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) tmp[p] = a[p] * 2; } }
        meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] = tmp[p] + 1; } }
    }
    int count = 0;
    {
        int own[256];
        for (int i = 0; i < 256; i++) own[i] = i;
        for (int i = 0; i < n; i++) count += own[i];
        meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] = a[p] + count; } }
        a[0] += 1;
        for (int i = 0; i < n; i++) count += own[i];
    }
    return count;
}
void pointer(int n, int B, float *a)
{
    float tmp[4096], *q = tmp;
    int dim = (n + B - 1) / B;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) q[p] = a[p] * 2; } }
    q = q + 1;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n - 1) a[p] = q[p] + 1; } }
}
int main(void)
{
    float a[200];
    for (int i = 0; i < 200; i++) a[i] = i;
    blur(200, 16, a);
    for (int i = 0; i < 200; i++) printf("%g ", a[i]);
    printf("%d\n", scoped(200, 16, a));
    for (int i = 0; i < 200; i++) printf("%g ", a[i]);
    pointer(200, 16, a);
    for (int i = 0; i < 200; i++) printf("%g ", a[i]);
}
