/* A user's program: calls the drop-in function and asks the library what happened. */
#include "out/app.tf.h"
#include <stdio.h>
#include <treefork.h>

int main(void)
{
    float x[1000], y[1000];
    for (int i = 0; i < 1000; i++) {
        x[i] = (float)i;
        y[i] = 1.0f;
    }
    axpy_float(1000, 2, 64, 2.0f, x, y);
    printf("y[999] = %g\n", y[999]);
    struct treefork_device *device = treefork_default();
    printf("launches %llu\n", device ? (unsigned long long)treefork_statistics(device).launches : 0ull);
    return 0;
}
