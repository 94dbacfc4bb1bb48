/* scale() of one.c twice on the same array. */
#include "one.tf.h"
#include <stdio.h>

int main(void)
{
    float a[100];
    for (int i = 0; i < 100; i++)
        a[i] = 1;
    scale(100, 2, 8, a, 3.0f);
    scale(100, 2, 8, a, 3.0f);
    printf("last %g\n", a[99]);
    printf("launches %d\n", (int)treefork_statistics(treefork_default()).launches);
    return 0;
}
