#include <metafork.h>

/* A step of each place, cheap, then forces of all on all, dear: parts of these leave what the next
   step reads on their devices. */
void together(int steps, int n, int B, float p[n], float f[n])
{
    int dim = (n + B - 1) / B;
    for (int t = 0; t < steps; t++) {
        meta_schedule {
            meta_for (int i = 0; i < dim; i++)
                meta_for (int u = 0; u < B; u++) {
                    int k = i * B + u;
                    if (k < n)
                        p[k] = p[k] + f[k] / 4096;
                }
        }
        meta_schedule {
            meta_for (int i = 0; i < dim; i++)
                meta_for (int u = 0; u < B; u++) {
                    int k = i * B + u;
                    if (k < n) {
                        float sum = 0;
                        for (int j = 0; j < n; j++)
                            sum += (p[j] - p[k]) / (1 + (p[j] - p[k]) * (p[j] - p[k]));
                        f[k] = sum;
                    }
                }
        }
    }
}
