/* Calls scale_auto for an array of the length that is given, and says whether the result is right. */
#include "scale.tf.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000, wrong = 0;
    int *a = malloc((size_t)n * sizeof *a);
    for (int i = 0; a && i < n; i++)
        a[i] = i;
    if (!a || scale_auto(n, a))
        return 1;
    for (int i = 0; i < n; i++)
        wrong += a[i] != 2 * i + 1;
    puts(wrong ? "wrong" : "right");
    free(a);
    return 0;
}
