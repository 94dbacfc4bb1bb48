/* Conditions and bounds of loops around regions that read what the regions write. */
#include <metafork.h>
#include <stdio.h>
static int rounds(const int *v) { return v[0]; }
void relax(int n, int B, int v[n])
{
    int dim = n / B;
    while (v[0] < 100) {
        meta_schedule {
            meta_for (int i = 0; i < dim; i++)
                meta_for (int j = 0; j < B; j++)
                    v[i * B + j] = v[i * B + j] * 2 + 1;
        }
    }
    for (int r = 0; rounds(v) < 1000 && r < v[1]; r++)
        meta_schedule {
            meta_for (int i = 0; i < dim; i++)
                meta_for (int j = 0; j < B; j++)
                    v[i * B + j] += 3;
        }
}
int main(void)
{
    int v[64];
    for (int i = 0; i < 64; i++) v[i] = i;
    relax(64, 8, v);
    for (int i = 0; i < 64; i++) printf("%d ", v[i]);
    puts("");
    return 0;
}
