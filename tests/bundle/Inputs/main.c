#include "double.tf.h"
#include <stdio.h>

int main(void)
{
    int a[100], wrong = 0;
    for (int i = 0; i < 100; i++)
        a[i] = i;
    int status = double_all(100, a);
    for (int i = 0; i < 100; i++)
        wrong += a[i] != 2 * i;
    printf("status %d, %d wrong\n", status, wrong);
    return status || wrong;
}
