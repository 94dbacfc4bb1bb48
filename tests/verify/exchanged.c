// Arrays whose pointers host code exchanges have room for each other, so that no right program is blamed.
// RUN: %treefork verify %s --function wave --set n=100,steps=3 --leaf 1 --witness threads,cpu,opencl | FileCheck %s
// CHECK: wave leaf 1 (threads): equals serial; 3 launches
// CHECK: wave leaf 1 (cpu): equals serial; 3 launches
// CHECK: wave leaf 1: equals serial; 3 launches
// CHECK: {{^}}3 verified, 0 failed, 0 skipped
// One that is declared and one that is not; rows of two lengths; pointers that a function exchanges; a pointer to one of two.
// RUN: %treefork verify %s --function declared --set n=100,steps=3 --leaf 1 --witness threads | FileCheck --check-prefix=FIRST %s
// RUN: %treefork verify %s --function rows --set n=10,m=7,steps=3 --leaf 1 --witness threads | FileCheck --check-prefix=FIRST %s
// RUN: %treefork verify %s --function given --set n=100,steps=3 --leaf 1 --witness threads | FileCheck --check-prefix=FIRST %s
// RUN: %treefork verify %s --function chosen --set n=100,steps=3 --leaf 1 --witness threads | FileCheck --check-prefix=FIRST %s
// FIRST: leaf 1 (threads): equals serial; 3 launches
// An array that is exchanged with no other has no more room than its own.
// RUN: not %treefork verify %s --function apart --set n=100 2>&1 | FileCheck --check-prefix=APART %s
// APART: error: apart: the serial program itself: heap-buffer-overflow
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

void declared(int n, int steps, double u[n], double *v)
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

void rows(int n, int m, int steps, double u[n][m], double v[n - 1][m])
{
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                v[i][j] = u[i][j] + u[i + 1][j];
        void *w = u;
        u = v;
        v = w;
    }
}

static void exchange(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

void given(int n, int steps, double *u, double *v)
{
    double *from = u, *to = v;
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            to[i] = from[i - 1] + from[i + 1];
        exchange(&from, &to);
    }
}

void chosen(int n, int steps, double *u, double *v)
{
    for (int t = 0; t < steps; t++) {
        double *from = t % 2 ? v : u, *to = t % 2 ? &u[0] : v;
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            to[i] = from[i - 1] + from[i + 1];
    }
}

void apart(int n, double *u, double *v)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        u[i] = v[i + 1];
    u[n] = 1;
}

int main(int argc, char **argv)
{
#pragma omp parallel for
    for (int i = 0; i < count; i++)
        u[i] = i + argc;
    printf("%d %g\n", argv[argc] == NULL, u[99]);
    return 3;
}
