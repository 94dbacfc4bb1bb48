/* NAME_auto asked for sizes that are none, and for good ones. */
#include "axpy.tf.h"
#include <stdio.h>
#include <treefork.h>

static float x[1000], y[1000];

int main(void)
{
    int status = axpy_float_auto(-5, 2.0f, x, y);
    printf("negative %d: %s\n", status, treefork_message());
    x[999] = 3;
    status = axpy_float_auto(1000, 2.0f, x, y);
    printf("status %d, y[999] = %g\n", status, y[999]);
    return 0;
}
