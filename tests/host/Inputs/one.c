#include <metafork.h>
static void helper(int n, int B, float *a)
{
    int dim = (n + B - 1) / B;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) a[p] += 1; } }
}
int scale(int n, int s, int B, float *a, float f)
{
    int dim = (n + s * B - 1) / (s * B);
    meta_schedule cache(a) { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) for (int k = 0; k < s; k++) { int p = (i * s + k) * B + j; if (p < n) a[p] *= f; } }
    helper(n, 16, a);
    return n;
}
