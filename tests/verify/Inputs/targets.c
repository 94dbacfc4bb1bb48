/* jacobi1d on 2,050 cells, by the generated function or, with SERIAL, by the sample itself. */
#ifdef SERIAL
#include SERIAL
#else
#include "jacobi1d.tf.h"
#endif
#include <stdio.h>

int main(void)
{
    static int a[4100];
    unsigned sum = 0;
    for (int i = 0; i < 4100; i++)
        a[i] = i * i % 97;
    jacobi1d(3, 2050, 16, 128, a);
    for (int i = 0; i < 4100; i++)
        sum = 31 * sum + (unsigned)a[i];
    printf("%u\n", sum);
    return 0;
}
