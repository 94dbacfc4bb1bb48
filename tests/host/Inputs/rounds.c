/* scale() of one.c, then three rounds of jac() of two.c. */
#include "one.tf.h"
#include "two.tf.h"
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    float a[100];
    int j[200];
    for (int i = 0; i < 100; i++)
        a[i] = 1;
    for (int i = 0; i < 200; i++)
        j[i] = i;
    scale(100, 2, 8, a, 3.0f);
    jac(3, 100, 2, 8, j);
    printf("%g %d %d, %d launches\n", a[99], j[1], j[100], (int)treefork_statistics(treefork_default()).launches);
    return 0;
}
