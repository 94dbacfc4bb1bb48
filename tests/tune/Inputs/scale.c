#include <metafork.h>

/* Each element twice as large and one more, for any n. */
void scale(int n, int B, int a[n])
{
    int dim = (n + B - 1) / B;
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int v = 0; v < B; v++) {
                int p = i * B + v;
                if (p < n)
                    a[p] = 2 * a[p] + 1;
            }
    }
}
