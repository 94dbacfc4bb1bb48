/* Counts, sums and parity of bytes, with blocks of 256 threads: prints how many there are. */
#include "sums_histogram.tf.h"
#include <stdio.h>

int main(void)
{
    static unsigned char x[5000];
    unsigned count[16] = {0}, parity[1] = {0}, all = 0;
    int weight[16] = {0};
    for (int i = 0; i < 5000; i++)
        x[i] = (unsigned char)(i * 7 + i / 100);
    histogram(5000, 256, count, weight, parity, x);
    for (int i = 0; i < 16; i++)
        all += count[i];
    printf("%u\n", all);
    return 0;
}
