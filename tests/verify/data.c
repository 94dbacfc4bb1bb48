// --data: index arrays that mean something. Without it a right program is not blamed, and the tool says how data are given;
// with it every witness has them. Columns and rows count from 1 here, so that random subscripts leave their arrays.
// RUN: not %treefork verify %s --set n=64,nz=300 --leaf 1 2>&1 | FileCheck --check-prefix=RANDOM %s
// RUN: not %treefork verify %s --set n=64,nz=300 --leaf 1 --witness cpu 2>&1 | FileCheck --check-prefix=RANDOM %s
// RANDOM: error: spmv needs data of its own, so it is not verified: on random data: {{.*}}{{heap-buffer-overflow|bounds}}
// RANDOM: note: elements of `row`, `col` are subscripts or bounds of loops: give --data FILE.c, in which `void spmv_data(int n, int nz, const int row[restrict n + 1],
// RANDOM: 0 verified, 0 failed, 1 skipped
// RUN: %treefork verify %s --set n=64,nz=300 --leaf 1 --data %S/Inputs/data.c --witness threads,cpu,opencl | FileCheck %s
// CHECK: spmv leaf 1 (threads): equals serial; 1 launch
// CHECK: spmv leaf 1 (cpu): equals serial; 1 launch
// CHECK: spmv leaf 1: equals serial; 1 launch
// CHECK: {{^}}3 verified, 0 failed, 0 skipped

// Data that are wrong are told from a program that is wrong on data.
// RUN: not %treefork verify %s --set n=64,nz=300 --leaf 1 --data %S/Inputs/data.c -DBEYOND 2>&1 | FileCheck --check-prefix=BEYOND %s
// BEYOND: error: --data: spmv_data itself: heap-buffer-overflow {{.*}}data.c:{{[0-9]+}} in spmv_data
// RUN: not %treefork verify %s --set n=64,nz=300 --leaf 1 --data %S/Inputs/data.c -DZERO 2>&1 | FileCheck --check-prefix=ZERO %s
// ZERO: error: spmv: the serial program itself: heap-buffer-overflow {{.*}}data.c:{{[0-9]+}} in spmv
// RUN: not %treefork verify %s --set n=64,nz=300 --data %S/Inputs/scattered_data.c 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: error: --data: '{{.*}}scattered_data.c' has no function 'spmv_data', which fills the arrays of 'spmv'
// RUN: not %treefork verify %s --set n=64,nz=300 --data %t.none 2>&1 | FileCheck --check-prefix=MISSING %s
// MISSING: error: {{.*}}data.c.tmp.none

// What stands at file scope is filled by its name; the file may use what the program defines.
// RUN: %treefork verify %S/Inputs/scattered.c --set n=70 --data %S/Inputs/scattered_data.c --leaf 1 --witness threads,cpu,opencl | FileCheck --check-prefix=SCOPE %s
// SCOPE: scatter leaf 1 (threads): equals serial; 1 launch
// SCOPE: scatter leaf 1 (cpu): equals serial; 1 launch
// SCOPE: scatter leaf 1: equals serial; 1 launch

// A permutation, of which random numbers make a race.
// RUN: not %treefork verify %S/Inputs/scattered.c --set n=70 --leaf 1 --witness threads 2>&1 | FileCheck --check-prefix=RACE %s
// RACE: error: scatter needs data of its own, so it is not verified: on random data: race:
// RACE: 0 verified, 0 failed, 1 skipped
// Nor is a leaf blamed whose region is too large to be checked on them.
// RUN: not %treefork verify %S/Inputs/scattered.c -DMANY --set n=200000 --leaf 1 --witness cpu | FileCheck --check-prefix=LARGE %s
// LARGE: scatter leaf 1 (cpu): skipped: not judged on random data, as the region was not checked on them: y[
// LARGE: 0 verified, 0 failed, 1 skipped
void spmv(int n, int nz, const int row[restrict n + 1], const int col[restrict nz], const double val[restrict nz],
          const double x[restrict n], double y[restrict n])
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++) {
            int column = col[k - 1];
            sum += val[k - 1] * x[column - 1];
        }
        y[i] = sum;
    }
}
