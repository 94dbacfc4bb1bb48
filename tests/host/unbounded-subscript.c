// RUN: not %treefork build %s -o %t 2>&1 | FileCheck %s
// An extent that the subscripts do not tell: the subscript is shown, and a declaration made of names that exist.
#include <metafork.h>
// CHECK: unbounded-subscript.c:[[@LINE+2]]:58: error: the number of elements of src that region f touches is not known; declare it with its extent, as in `float src[w * h]` if that is how many it has
// CHECK: unbounded-subscript.c:[[@LINE+10]]:42: note: nothing bounds the subscript y * w + map[x] here
void f(int w, int h, int B, const int *map, const float *src, const float *lut, float *dst)
{
    meta_schedule {
        meta_for (int y = 0; y < h; y++)
            meta_for (int g = 0; g < (w + B - 1) / B; g++) {
                ;
                meta_for (int j = 0; j < B; j++)
                    if (g * B + j < w) {
                        int x = g * B + j;
                        dst[y * w + x] = src[y * w + map[x]] + lut[map[y] * map[x]];
                    }
            }
    }
}
// CHECK: error: the number of elements of lut that region f touches is not known; declare it with its extent in terms of the integers at hand (w, h){{$}}
// CHECK: note: nothing bounds the subscript map[y] * map[x] here
// A block is no array's extent: not even where it is all that bounds the best known part of a subscript.
// CHECK: error: the number of elements of packed that region triangle touches is not known; declare it with its extent in terms of the integers at hand (n){{$}}
void triangle(int n, double *packed)
{
    const int C = meta_tunable(32);
    meta_schedule {
        meta_for (int y = 0; y < (n + C - 1) / C; y++)
            meta_for (int v = 0; v < C; v++) {
                int j = y * C + v;
                if (j < n)
                    packed[j * (j + 1) / 2 + j] = j;
            }
    }
}
