/* A step of the host's loop adds 1 to the first elements, to fewer of them in every other step: so
   blocks change between members. The null driver knows the region's kernels by their name. */
#include <metafork.h>

void add_blocks(int rounds, int n, int B, int *restrict a)
{
    for (int t = 0; t < rounds; t++) {
        int m = n - t % 2 * (n / 3);
        meta_schedule {
            meta_for (int i = 0; i < (m + B - 1) / B; i++)
                meta_for (int j = 0; j < B; j++)
                    if (i * B + j < m)
                        a[i * B + j] += 1;
        }
    }
}
