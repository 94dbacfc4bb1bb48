/* Threads that run loops: on devices without warps the points of a row become lanes of loops that
   stand outside (emit/lanes.c). All leaves give the serial program's bits, at sizes that fill no
   group of lanes, some of them and one more.
   RUN: %treefork build --all %s -o %t
   RUN: FileCheck --input-file=%t/in-step.cl %s
   RUN: FileCheck --check-prefix=CUDA --input-file=%t/in-step.cu %s
   RUN: %treefork verify --all %s --device opencl --tolerance 0 --leaf 1 --set n=0,m=3 --set n=1,m=2 --set n=17,m=1 --set n=200,m=9 | FileCheck --check-prefix=VERIFY %s
   CHECK: #ifdef TREEFORK_ROWS
   CHECK: for (int first = {{.*}}first += 64)
   CHECK: for (int d = 0; d < 50; d++)
   CHECK-NEXT: for (int lane
   CHECK: #else
   CHECK: for (int first =
   CHECK-NOT: unroll
   CHECK: value_lanes[i][lane{{.*}}] =
   CHECK: for (int first =
   CHECK: x_own{{.*}} = x[
   CUDA-NOT: lane
   VERIFY: {{^}}12 verified, 0 failed, 0 skipped
*/

/* A scalar of a path goes through a loop of literal length. */
void paths(int n, int m, const unsigned seed[n], float last[n], float peak[n])
{
    for (int p = 0; p < n; p++) {
        unsigned x = seed[p];
        float s = (float)m, most = s;
        int d = 0;
        while (d < 50) {
            x ^= x << 13;
            x ^= x >> 17;
            s = s * (0.5f + (float)(x >> 8) * (1.0f / 16777216.0f));
            if (s > most)
                most = s;
            d++;
        }
        last[p] = s;
        peak[p] = most;
    }
}

/* An array of a thread, a scalar that is the same for all, and a loop in a loop. */
void options(int n, int m, const double strike[n], double price[n])
{
    for (int o = 0; o < n; ++o) {
        double value[21];
        double s = 0.25 * m;
        for (int i = 0; i <= 20; ++i) {
            value[i] = strike[o] > s ? strike[o] - s : 0;
            s *= 1.125;
        }
        for (int step = 19; step >= 0; --step)
            for (int i = 0; i <= step; ++i)
                value[i] = 0.5 * value[i + 1] + 0.25 * value[i];
        price[o] = value[0];
    }
}

/* Points of three words meet all others; a condition on data, and rounds that differ. */
void bodies(int n, int m, const float x[n][3], float force[n])
{
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < n; j++) {
            float a = x[j][0] - x[i][0], b = x[j][1] - x[i][1], c = x[j][2] - x[i][2];
            float square = a * a + b * b + c * c + 0.5f;
            if (square > 0.75f)
                sum += a / square;
        }
        for (int k = 0; k < i % (m + 1); k++)
            sum = sum * 0.5f + x[i][k % 3];
        force[i] = sum;
    }
}
