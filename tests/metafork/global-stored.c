// A variable at file scope that host code may change through a pointer has its value where it is read, not at the region.
// RUN: %treefork -d kernel %s | FileCheck %s
// CHECK: param program value int kept
// RUN: %treefork -d kernel -D "POINTER=float *p" %s | FileCheck --check-prefix=APART %s
// RUN: %treefork -d kernel -D "POINTER=int *restrict p" %s | FileCheck --check-prefix=APART %s
// APART: param program value int size
#include <metafork.h>
#ifndef POINTER
#define POINTER int *p
#endif
int size;
void fill(POINTER, int *restrict a)
{
    int kept = size;
    *p = 16;
    meta_schedule {
        meta_for (int i = 0; i < 8; i++)
            meta_for (int k = 0; k < 8; k++)
                a[i * 8 + k] = kept;
    }
}
