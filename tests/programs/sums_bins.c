// SET: n=200,m=7,B=1
// SET: n=0,m=3,B=32
// SET: n=95,m=300,B=32
// SET: n=1517,m=5,B=100
// SET: n=1300,m=64,B=256
// RUN: %treefork verify %s --set n=200,m=7,B=1 --set n=0,m=3,B=32 --set n=95,m=300,B=32 --set n=1517,m=5,B=100 --set n=1300,m=64,B=256 --witness %witnesses --device-runs once | FileCheck %s
// RUN: %treefork dump leaves %s | FileCheck %s --check-prefix=LEAVES
// RUN: %treefork explain %s --machine %machines/tiny.json --set n=100000,m=1000,B=64 | FileCheck %s --check-prefix=FITS
// RUN: %treefork explain %s --machine %machines/tiny.json --set n=100000,m=5000,B=64 | FileCheck %s --check-prefix=LARGE
// RUN: rm -rf %t && mkdir %t && %treefork build %s -o %t
// RUN: FileCheck %s --check-prefix=CUDA < %t/sums_bins.cu
// RUN: FileCheck %s --check-prefix=OPENCL < %t/sums_bins.cl
// RUN: FileCheck %s --check-prefix=PTX < %t/sums_bins.ptx
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Counts and extremes in as many places as a parameter says, in copies that a block has in shared memory if they fit.
#include <metafork.h>
// LEAVES: shared unsigned int count_copy[m] at 0
// LEAVES: shared int most_copy[2][m] at m * 4
// LEAVES: strided band
// LEAVES: barrier;
// LEAVES: reduce + count_copy[
// LEAVES: barrier;
// LEAVES: reduce max most[
// FITS: 3*m = 3000 <= Z_B = 4096 holds: accept
// FITS: leaf {{[0-9]+}} codes {{.*}}(4a)
// LARGE: 3*m = 15000 <= Z_B = 4096 does not hold: refuse, {{.*}}apply split2
// LARGE: 2*m = 10000 <= Z_B = 4096 does not hold: refuse, {{.*}}apply drop-caching
// LARGE: leaf {{[2-9]}} codes {{.*}}(4b)
// CUDA: atomicAdd(&count_copy[
// CUDA: atomicMax(&most_copy[
// OPENCL: count_copy[{{.*}}] = count_copy[
// OPENCL: atomic_add(&count_copy[
// PTX: atom.shared.add.u32
// PTX: atom.shared.max.s32
void bins(int n, int m, int B, unsigned count[m], int most[2][m], const unsigned char *x, int z[n])
{
    meta_schedule meta_reduce(+, count) meta_reduce(max, most) {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n) {
                    z[p] = 2 * p;
                    count[x[p] % m]++;
                    most[x[p] & 1][x[p] % m] = most[x[p] & 1][x[p] % m] > p ? most[x[p] & 1][x[p] % m] : p;
                }
            }
    }
}
