/* Heat on a plate, the sample jacobi2d, as tasks of StarPU on one machine or several: run [N [STEPS]]. Every process has the
   whole plate, and has all of it again behind the call; it compares each bit with steps of its own. */
#include "jacobi2d.tf.h"
#include "../report.h"
#include <stdlib.h>
#include <string.h>
#include <treefork-starpu.h>

static float heat(int y, int x)
{
    return (float)((y * 31 + x * 17) % 100);
}

static void step(int n, const float *from, float *to)
{
    for (int y = 1; y < n - 1; y++)
        for (int x = 1; x < n - 1; x++) {
            const float *at = from + (size_t)y * n + x;
            to[(size_t)y * n + x] = 0.2f * (at[0] + at[-1] + at[1] + at[-n] + at[n]);
        }
}

int main(int count, char **words)
{
    int n = count > 1 ? atoi(words[1]) : 1000, steps = count > 2 ? atoi(words[2]) : 20;
    size_t cells = (size_t)n * n;
    float *plate = malloc(2 * cells * sizeof *plate), *own = malloc(2 * cells * sizeof *own);
    if (!plate || !own)
        return report_memory();
    for (size_t i = 0; i < 2 * cells; i++)
        plate[i] = own[i] = heat((int)(i % cells / n), (int)(i % n));
    int status = jacobi2d_auto(steps, n, (float(*)[n][n])plate);
    for (int t = 0; t < steps; t++)
        step(n, own + t % 2 * cells, own + (t + 1) % 2 * cells);
    long wrong = 0;
    for (size_t i = 0; i < 2 * cells; i++)
        wrong += memcmp(&plate[i], &own[i], sizeof *own) != 0;
    free(plate);
    free(own);
    if (treefork_starpu_rank() == 0 || wrong || status)
        return report("cells of both planes", status, wrong, (long)(2 * cells));
    return 0;
}
