#include "old_style.tf.h"
#include <stdio.h>

int main(void)
{
    float x[3] = {1, 2, 3}, y[3];
    scaled(3, 0.5f, x, y, (char)7);
    declared(3, 2, y);
    printf("%g %g %g\n", y[0], y[1], y[2]);
    return 0;
}
