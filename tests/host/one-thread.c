/* Sums with barriers: on devices without warps a block is one thread, and loops over the points of each band
   are innermost (emit/blocks.c). All leaves have equal bits.
   RUN: %treefork build %s -o %t
   RUN: FileCheck --input-file=%t/one-thread.cl %s
   RUN: FileCheck --check-prefix=CUDA --input-file=%t/one-thread.cu %s
   RUN: %treefork verify %s --device opencl --set n=70,m=100,B0=4,B1=16 | FileCheck --check-prefix=VERIFY %s
   CHECK: #if defined TREEFORK_ROWS && defined TREEFORK_BIND_B0 && defined TREEFORK_BIND_B1
   CHECK-NEXT: reqd_work_group_size(1, 1, 1)
   CHECK: #if defined TREEFORK_ROWS
   CHECK: float columns_own_threads[((int)TREEFORK_BIND_B0)][((int)TREEFORK_BIND_B1)];
   CHECK: for (int b = part
   CHECK-NEXT: long until
   CHECK: for (int u = 0; u < until; u++) {
   CHECK-NEXT: float columns_own = columns_own_threads[t][u];
   CHECK-NOT: if (
   CHECK: columns_own_threads[t][u] = columns_own;
   CHECK: if (far < B0) {
   CHECK-NEXT: long until
   CHECK-NOT: if (
   CHECK: #else
   CHECK: barrier(
   CUDA-NOT: TREEFORK_ROWS
   VERIFY-NOT: exceed
   VERIFY: {{^[1-9][0-9]*}} verified, 0 failed, 0 skipped
*/
#include <metafork.h>

void sums(int n, int m, int B0, int B1, float columns[m], const float a[n][m])
{
    if (n > 0 && m > 0)
        meta_schedule meta_reduce(+, columns) {
            meta_for (int b = 0; b < (n + B0 - 1) / B0; b++)
                meta_for (int c = 0; c < (m + B1 - 1) / B1; c++)
                    meta_for (int t = 0; t < B0; t++)
                        meta_for (int u = 0; u < B1; u++) {
                            int i = b * B0 + t;
                            int j = c * B1 + u;
                            if (i < n && j < m)
                                columns[j] += a[i][j];
                        }
        }
}
