/* y = exp(x - most) / sum of exp(x - most), where `most` is the greatest element: an extreme, which has the same bits in any order,
   a sum that the directive lets be taken in any, and maps. */
#include <math.h>

void softmax(int n, const float x[restrict n], float y[restrict n])
{
    float most = -INFINITY, sum = 0;
#pragma omp parallel for reduction(max : most)
    for (int i = 0; i < n; i++)
        if (x[i] > most)
            most = x[i];
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        y[i] = expf(x[i] - most);
        sum += y[i];
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] /= sum;
}
