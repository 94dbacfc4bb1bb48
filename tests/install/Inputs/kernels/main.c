#include "app.tf.h"
#include <stdio.h>

int main(void)
{
    static float a[1000], b[1000];
    a[7] = 3;
    scale(1000, a, b);
    printf("b[7] = %g\n", b[7]);
    return 0;
}
