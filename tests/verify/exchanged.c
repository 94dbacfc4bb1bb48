// Pointers that host code exchanges: what only accesses tell the length of is as long as the longest of its type, so that no right
// program is blamed.
// RUN: %treefork verify %s --function wave --set n=100,steps=3 --leaf 1 --witness threads,cpu,opencl | FileCheck %s
// CHECK: wave leaf 1 (threads): equals serial; 3 launches
// CHECK: wave leaf 1 (cpu): equals serial; 3 launches
// CHECK: wave leaf 1: equals serial; 3 launches
// CHECK: {{^}}3 verified, 0 failed, 0 skipped
// main with arguments: its data is its own. What it prints is compared.
// RUN: %treefork verify %s --function main --leaf 1 --witness threads,cpu,opencl | FileCheck --check-prefix=MAIN %s
// MAIN: main leaf 1 (threads): equals serial; 1 launch
// MAIN: main leaf 1 (cpu): equals serial; 1 launch
// MAIN: main leaf 1: equals serial; 1 launch
// MAIN: {{^}}3 verified, 0 failed, 0 skipped
#include <stdio.h>
double u[100];
int count = 100;

void wave(int n, int steps, double *u, double *v)
{
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i - 1] + u[i + 1];
        double *w = u;
        u = v;
        v = w;
    }
}

int main(int argc, char **argv)
{
#pragma omp parallel for
    for (int i = 0; i < count; i++)
        u[i] = i + argc;
    printf("%d %g\n", argv[argc] == NULL, u[99]);
    return 3;
}
