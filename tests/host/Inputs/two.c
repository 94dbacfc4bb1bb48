#include <metafork.h>
#include <stdint.h>
#include <stddef.h>
static void helper(int n, int B, float *a)
{
    int dim = (n + B - 1) / B;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] += 100; } }
}
void shift(size_t n, size_t B, float *restrict a, const uint8_t *restrict b)
{
    size_t dim = (n + B - 1) / B;
    meta_schedule { meta_for (size_t i = 0; i < dim; i++) meta_for (size_t j = 0; j < B; j++) { size_t p = i * B + j; if (p < n) a[p] += b[p]; } }
    helper((int)n, 16, a);
}
void jac(int T, int N, int s, int B, int a[2 * N])
{
    int dim = (N - 2) / (s * B);
    for (int t = 0; t < T; ++t)
        meta_schedule cache(a) {
            meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) for (int k = 0; k < s; ++k) {
                int p = i * s * B + k * B + j;
                if (t % 2) a[p + 1] = (a[N + p] + a[N + p + 1] + a[N + p + 2]) / 3;
                else a[N + p + 1] = (a[p] + a[p + 1] + a[p + 2]) / 3;
            }
        }
}
