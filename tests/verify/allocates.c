// A main with arguments that allocates its arrays: every witness runs it, and compares what it prints and its exit status.
// RUN: %treefork verify %s --leaf 1 --witness threads,cpu,opencl | FileCheck %s
// CHECK: main leaf 1 (threads): equals serial; 1 launch
// CHECK: main leaf 1 (cpu): equals serial; 1 launch
// CHECK: main leaf 1: equals serial; 1 launch
// CHECK: {{^}}3 verified, 0 failed, 0 skipped
// Words that it is called with: it reads a size and a name.
// RUN: %treefork verify %s --leaf 1 --arguments '2000 x"\\y' --witness threads,opencl --keep %t >%t.out && FileCheck %s --check-prefix=WORDS --input-file=%t.out && FileCheck %s --check-prefix=OUTPUT --input-file=%t/output
// WORDS: main leaf 1 (threads): equals serial; 1 launch
// WORDS: main leaf 1: equals serial; 1 launch
// OUTPUT: x"\\y 3.998e+06
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), sum = 0;
    if (!a || !b)
        return 1;
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        b[i] = 2 * a[i];
    for (int i = 0; i < n; i++)
        sum += b[i];
    printf("%s %g\n", argc > 2 ? argv[2] : "sum", sum);
    free(a);
    free(b);
    return 0;
}
