/* Prints the bits of sums of few and of many numbers. */
#include "absolute.tf.h"
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static const int counts[] = {1, 4097, 100000, 4194305, 5000003};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        int n = counts[k];
        float *x = malloc(sizeof(float) * (size_t)n);
        if (!x)
            return 1;
        for (int i = 0; i < n; i++)
            x[i] = (float)(i * 7919L % 1000 - 500) * 0.37f;
        printf("%d %a\n", n, (double)absolute(n, x));
        free(x);
    }
    return 0;
}
