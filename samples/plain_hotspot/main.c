/* A chip as warm as the air everywhere, without power: it stays so. */
#include "plain_hotspot.tf.h"
#include "../report.h"
#include <stdlib.h>

enum { N = 1000, STEPS = 10 };

int main(void)
{
    float (*now)[N] = malloc(N * sizeof *now), (*next)[N] = malloc(N * sizeof *next),
          (*power)[N] = calloc(N, sizeof *power);
    if (!now || !next || !power)
        return report_memory();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            now[i][j] = next[i][j] = 80;
    hotspot(STEPS, N, 0.001f, 10, 10, 0.1f, 80, (const float(*)[N])power, now, next);
    long wrong = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            wrong += now[i][j] != 80;
    free(now);
    free(next);
    free(power);
    return report("heat on an even chip", 0, wrong, (long)N * N);
}
