#include <metafork.h>

/* Without a guard: every element is met only where s * B divides n. */
void pieces(int n, int s, int B, int a[n])
{
    int dim = n / (s * B);
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++)
                    a[(i * s + k) * B + j] += 1;
    }
}
