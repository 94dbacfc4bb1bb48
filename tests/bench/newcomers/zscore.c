#include <math.h>
#include "clock.h"
#define ROWS 20000
#define COLS 64
double data[ROWS][COLS], mean[COLS], sd[COLS];
void standardize(void)
{
    int i, j;
    for (j = 0; j < COLS; j++) { mean[j] = 0.0; sd[j] = 0.0; }
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLS; j++)
            mean[j] += data[i][j];
    for (j = 0; j < COLS; j++) mean[j] /= ROWS;
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLS; j++)
            sd[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
    for (j = 0; j < COLS; j++) { sd[j] = sqrt(sd[j] / (ROWS - 1)); if (sd[j] < 1e-12) sd[j] = 1; }
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLS; j++)
            data[i][j] = (data[i][j] - mean[j]) / sd[j];
}
int main(void)
{
    for (int i = 0; i < ROWS; i++) for (int j = 0; j < COLS; j++) data[i][j] = (i * 31 + j * 17) % 1009;
    for (int r = 0; r < 5; r++) { begin(); standardize(); end(); }
    printf("%llx\n", checksum(data, sizeof data));
    report();
}
