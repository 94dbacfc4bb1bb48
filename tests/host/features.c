/* RUN: %S/Inputs/same %treefork %root %s %t | FileCheck %s
   CHECK: features: {{[0-9]+}} runs, all the same
   Feature macros that stand in nested conditions, behind a header that asks for none; a function of the file called as one of <stdio.h>,
   and calls of libtreefork's by a header that the file includes after the generated front. */
#include <stddef.h>
#if !defined(_WIN32)
#ifndef _LARGEFILE64_SOURCE
#define _LARGEFILE64_SOURCE
#endif
#define _XOPEN_SOURCE 700
#endif
#define _GNU_SOURCE
#include <string.h>
#include <metafork.h>
#include <treefork.h>
void twice(int n, int B, float *a)
{
    int dim = (n + B - 1) / B;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] *= 2; } }
}
int main(void)
{
    float a[40] = {1, 2, 3};
    size_t known = strnlen("features", 100);
    twice(40, 8, a);
    printf("%g %d %d\n", a[2], (int)known, INT64_MAX == TREEFORK_UNLIMITED);
    fputs(strchrnul("a b", ' '), stdout);
    return sizeof(treefork_explain("none", TREEFORK_TEXT, stdout)) == sizeof(int) ? 0 : 1;
}
