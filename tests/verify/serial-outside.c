// The serial program itself leaves an array: verify says so instead of comparing two wrong results. It is right where the
// set hides the fault.
// RUN: not %treefork verify %s --function next --set n=64,B=8 2>&1 | FileCheck --check-prefix=NEXT %s
// RUN: not %treefork verify %s --function ceiling --set n=61,B=8 2>&1 | FileCheck --check-prefix=CEILING %s
// RUN: %treefork verify %s --function ceiling --set n=64,B=8 --leaf 1 2>&1 | FileCheck --check-prefix=RIGHT %s
// RUN: not %treefork verify %s --function empty --set n=0,B=8 2>&1 | FileCheck --check-prefix=EMPTY %s
// So does every witness, none blames a leaf.
// RUN: not %treefork verify %s --function columns --set n=20,m=20,B=4 --witness threads,cpu 2>&1 | FileCheck --check-prefix=EACH --implicit-check-not=FAILED %s
// EACH: error: columns: the serial program itself: {{.*}}{{index 18 out of bounds|bounds: }}
// EACH: error: columns: the serial program itself: {{.*}}{{index 18 out of bounds|bounds: }}
// NEXT: error: next: the serial program itself: heap-buffer-overflow {{.*}}serial-outside.c:[[@LINE+14]] in next (AddressSanitizer)
// NEXT-NOT: verified
// CEILING: error: ceiling: the serial program itself: heap-buffer-overflow {{.*}}serial-outside.c:{{[0-9]+}}
// CEILING-NOT: verified
// RIGHT: 1 verified, 0 failed, 0 skipped
// EMPTY: error: empty: the serial program itself: heap-buffer-overflow
// EMPTY-NOT: verified
#include <metafork.h>

void next(int n, int B, const float x[restrict n], float b[restrict n])
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                b[i * B + j] = x[i * B + j + 1];
    }
}

void ceiling(int n, int B, const float x[restrict n], float b[restrict n])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++)
                b[i * B + j] = x[i * B + j];
    }
}

/* An array of no elements is one of no elements. */
void empty(int n, int B, float b[restrict n])
{
    b[0] = 1;
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                b[i * B + j] = i;
    }
}

void columns(int n, int m, int B, const double x[restrict n][m], double b[restrict n][18])
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < m; k++)
                    b[i * B + j][k] = x[i * B + j][k];
    }
}
