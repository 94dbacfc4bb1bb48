#include <metafork.h>

/* Launches that do next to nothing, one after the other: what a launch costs. */
void nothing(int rounds, int n, int B, int x[n])
{
    for (int t = 0; t < rounds; t++)
        meta_schedule {
            meta_for (int i = 0; i < (n + B - 1) / B; i++)
                meta_for (int j = 0; j < B; j++) {
                    int p = i * B + j;
                    if (p < n)
                        x[p] = x[p] + 1;
                }
        }
}
