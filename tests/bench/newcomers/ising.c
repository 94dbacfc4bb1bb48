#include "clock.h"
#define L 512
static signed char spin[L][L]; static unsigned rnd[L][L];
static void sweep(int color, const unsigned thresh[5])
{
    for (int i = 0; i < L; i++)
        for (int j = (i + color) % 2; j < L; j += 2) {
            int up = (i + L - 1) % L, down = (i + 1) % L, left = (j + L - 1) % L, right = (j + 1) % L;
            int h = spin[i][j] * (spin[up][j] + spin[down][j] + spin[i][left] + spin[i][right]);
            unsigned r = rnd[i][j] * 1664525u + 1013904223u;
            rnd[i][j] = r;
            if (h <= 0 || r < thresh[h / 2]) spin[i][j] = -spin[i][j];
        }
}
int main(void)
{
    unsigned t[5] = {~0u, 700000000u, 80000000u, 0, 0};
    for (int i = 0; i < L; i++) for (int j = 0; j < L; j++) { spin[i][j] = (i * 7 + j * 13) % 3 ? 1 : -1; rnd[i][j] = i * 7919u + j * 104729u; }
    for (int r = 0; r < 8; r++) { begin(); sweep(0, t); sweep(1, t); end(); }
    printf("%llx\n", checksum(spin, sizeof spin));
    report();
}
