// RUN: not %treefork map %s 2>&1 | FileCheck --implicit-check-not=note: %s
// RUN: not %treefork map -DHEADER %s 2>&1 | FileCheck --check-prefix=HEADER %s
// RUN: not %treefork map -DNONE %s 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: not %treefork map -DWORD %s 2>&1 | FileCheck --check-prefix=WORD %s
#ifdef HEADER
// HEADER: cplusplus.c:[[@LINE+2]]:10: error: 'iostream' file not found
// HEADER: cplusplus.c:[[@LINE+1]]:10: note: this is C++, and treefork reads C: move the loops to a file in C
#include <iostream>
#endif
#ifdef NONE
// NONE: cplusplus.c:[[@LINE+2]]:10: error: 'nowhere.h' file not found
// NONE: cplusplus.c:[[@LINE+1]]:10: note: -I DIR names a folder with headers
#include "nowhere.h"
#endif
#ifdef WORD
void g(void)
{
// WORD: cplusplus.c:[[@LINE+2]]:5: error: use of undeclared identifier 'bool'
// WORD: cplusplus.c:[[@LINE+1]]:5: note: in C `bool` stands in <stdbool.h>
    bool b;
}
#endif
void f(int n, float *a)
{
// CHECK: cplusplus.c:[[@LINE+2]]:17: error: use of undeclared identifier 'new'
// CHECK: cplusplus.c:[[@LINE+1]]:17: note: this is C++, and treefork reads C: move the loops to a file in C
    int *work = new int[n];
    work[0] = n;
}
