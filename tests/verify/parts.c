// One file of a program: what its main calls in others is not needed; what the function itself calls there is, and that is said.
// RUN: %treefork verify %s --set n=64 --function alone --leaf 1 | FileCheck %s
// CHECK: alone leaf 1: equals serial; 1 launch
// RUN: not %treefork verify %s --set n=64 --function calling --leaf 1 2>&1 | FileCheck --check-prefix=LACKS %s
// RUN: not %treefork verify %s --set n=64 --function calling --leaf 1 --witness threads 2>&1 | FileCheck --check-prefix=LACKS %s
// LACKS: error: '{{.*}}parts.c' is no whole program: undefined {{reference to `elsewhere'|symbol: elsewhere}}; verify takes one file, so include the others
int elsewhere(int x);

void alone(int n, int *a)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = i;
}

void calling(int n, int *a)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = i;
    a[0] = elsewhere(a[0]);
}

int main(void)
{
    return elsewhere(1);
}
