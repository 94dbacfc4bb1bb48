// SET: nx=11,ny=9,nz=8,s=1,b0=2,b1=3,b2=4
// SET: nx=5,ny=4,nz=3,s=1,b0=1,b1=1,b2=1
// SET: nx=18,ny=10,nz=10,s=2,b0=2,b1=4,b2=8
// RUN: %treefork verify %s --set nx=11,ny=9,nz=8,s=1,b0=2,b1=3,b2=4 --set nx=5,ny=4,nz=3,s=1,b0=1,b1=1,b2=1 --set nx=18,ny=10,nz=10,s=2,b0=2,b1=4,b2=8 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// A seven-point stencil on flat arrays in three dimensions of different length.
#include <metafork.h>
#define IX(z, y, x) (((z) * ny + (y)) * nx + (x))
void laplace3d(int nx, int ny, int nz, int s, int b0, int b1, int b2, const float *restrict p, float *restrict q)
{
    const int dz = (nz - 2) / (s * b0), dy = (ny - 2) / b1, dx = (nx - 2) / b2;
    meta_schedule cache(p) {
        meta_for (int i = 0; i < dz; i++)
            meta_for (int j = 0; j < dy; j++)
                meta_for (int k = 0; k < dx; k++)
                    meta_for (int u = 0; u < b0; u++)
                        meta_for (int v = 0; v < b1; v++)
                            meta_for (int w = 0; w < b2; w++)
                                for (int c = 0; c < s; c++) {
                                    int z = 1 + (i * s + c) * b0 + u, y = 1 + j * b1 + v, x = 1 + k * b2 + w;
                                    q[IX(z, y, x)] = p[IX(z - 1, y, x)] + p[IX(z + 1, y, x)] + p[IX(z, y - 1, x)] +
                                                     p[IX(z, y + 1, x)] + p[IX(z, y, x - 1)] + p[IX(z, y, x + 1)] -
                                                     6 * p[IX(z, y, x)];
                                }
    }
}
