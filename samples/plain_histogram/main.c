/* Values in turn, so that all occur alike. */
#include "plain_histogram.tf.h"
#include "../report.h"
#include <stdlib.h>

enum { N = 256 * 4000 };

int main(void)
{
    unsigned char *value = malloc(N);
    int count[256] = {0};
    long wrong = 0;
    if (!value)
        return report_memory();
    for (int i = 0; i < N; i++)
        value[i] = (unsigned char)(i * 77);
    int odd = histogram(N, value, count);
    for (int v = 0; v < 256; v++)
        wrong += count[v] != N / 256;
    wrong += odd != N / 2;
    free(value);
    return report("histogram", 0, wrong, 256);
}
