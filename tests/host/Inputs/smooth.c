#include <metafork.h>
void smooth(int n, int B, const float *u, float *v)
{
    int dim = (n + B - 1) / B;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) v[p] = 0.5f * u[p] + 1; } }
}
/* Host code meets the arrays between two regions. */
void shift(int n, int B, float *u)
{
    int dim = (n + B - 1) / B;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) u[p] += 1; } }
    for (int i = 0; i < n; i += 2)
        u[i] += 100;
    meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) { int p = i * B + j; if (p < n) u[p] *= 2; } }
}
