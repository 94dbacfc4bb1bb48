/* Sums and products of a row's points in registers: rounds that all points run in step are done for
   several vectors of points at once (emit/vectors.c). The bits are those of the serial program where a
   row has vectors and points that are left over.
   RUN: %treefork build --all %s -o %t
   RUN: FileCheck --input-file=%t/vectors.cl %s
   RUN: FileCheck --check-prefix=CUDA --input-file=%t/vectors.cu %s
   RUN: %treefork verify --function product %s --device opencl --tolerance 0 --leaf 5 --set n=41,m=5 | FileCheck --check-prefix=VERIFY %s
   RUN: %treefork verify --function sums %s --device opencl --tolerance 0 --leaf 1 --set n=85,m=5 | FileCheck --check-prefix=VERIFY %s
   VERIFY: {{^}}1 verified, 0 failed, 0 skipped
   CUDA-NOT: vload
*/
/* Four rows share the elements of b.
   CHECK: enum { vectors = 4 };
   CHECK: enum { vectors = 1 };
   CHECK: double8 private_c_lanes_vectors[vectors];
   CHECK: double8 b_value = vload8(0, &b[
   CHECK: vstore8(
   CHECK: if (done < lanes)
*/
void product(int n, int m, double c[restrict n][n], const double a[n][m], const double b[m][n], double s)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] *= s;
            for (int k = 0; k < m; k++)
                c[i][j] += s * a[i][k] * b[k][j];
        }
}

/* A scalar of a point, an element of its own that is the same in each round, a quotient.
   CHECK: float16
*/
void sums(int n, int m, float c[restrict n], const float a[m], const float b[m][n], const float d[n])
{
    for (int j = 0; j < n; j++) {
        float s = 0, t = 1;
        for (int k = 0; k < m; k++) {
            float x = b[k][j] - d[j];
            s += a[k] * x * x;
            t = -t / (2 - x);
        }
        c[j] = s + t;
    }
}
