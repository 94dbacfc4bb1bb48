// Initial values that the text does not tell are never replaced by random ones.
// RUN: not %treefork verify %s --set n=64,B=8 --witness threads 2>&1 | FileCheck %s
// CHECK: const-table-unknown.c:[[@LINE+5]]:{{[0-9]+}}: error: the initial values of the const array 'tab' cannot be told
// CHECK-NOT: verified
#include <metafork.h>

/* A range of designators. */
static const int tab[8] = {[0 ... 7] = 1};
void f(int n, int B, const int a[restrict n], int b[restrict n])
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                b[i * B + j] = a[i * B + j] / tab[j % 8];
    }
}
