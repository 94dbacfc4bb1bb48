// RUN: not %treefork map %s 2>&1 | FileCheck %s
#pragma scop
int x;
#pragma endscop
// CHECK: outside.c:2:1: error: `#pragma scop` and its `#pragma endscop` must stand in the body of one function
