// SET: ni=7,nj=5,nk=3,B0=4,B1=3
// SET: ni=1,nj=1,nk=1,B0=4,B1=3
// SET: ni=16,nj=8,nk=5,B0=4,B1=4
// RUN: %treefork verify %s --set ni=7,nj=5,nk=3,B0=4,B1=3 --set ni=1,nj=1,nk=1,B0=4,B1=3 --set ni=16,nj=8,nk=5,B0=4,B1=4 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Loops over tiles: the grid counts by tiles, the block begins where its tile does, so that the extent of its loops is B0 and B1.
#include <metafork.h>
void tile_loops(int ni, int nj, int nk, double C[ni][nj], const double A[ni][nk], const double B[nk][nj], int B0, int B1)
{
    meta_schedule {
        meta_for (int i0 = 0; i0 < ni; i0 += B0)
            meta_for (int j0 = 0; j0 < nj; j0 += B1)
                meta_for (int i = i0; i < i0 + B0; i++)
                    meta_for (int j = j0; j < j0 + B1; j++)
                        if (i < ni && j < nj)
                            for (int k = 0; k < nk; k++)
                                C[i][j] += A[i][k] * B[k][j];
    }
}
