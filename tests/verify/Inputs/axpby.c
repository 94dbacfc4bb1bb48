#include <metafork.h>

void axpby(int n, int B, float alpha, double beta, const float x[restrict n], float y[restrict n], double z[restrict n],
           int k[restrict n])
{
    meta_schedule {
        meta_for (int i = 0; i < (n + B - 1) / B; i++)
            meta_for (int j = 0; j < B; j++)
                if (i * B + j < n) {
                    y[i * B + j] = alpha * x[i * B + j] + y[i * B + j];
                    z[i * B + j] = beta * z[i * B + j] - x[i * B + j];
                    k[i * B + j] = 3 * k[i * B + j] + 1;
                }
    }
}
