/* Calls scale_auto for an array of each length that is given, and says whether all results are right
   and how many kernels were compiled or taken from the cache. */
#include "scale.tf.h"
#include <stdio.h>
#include <stdlib.h>
#include <treefork.h>

int main(int argc, char **argv)
{
    int wrong = 0;
    for (int k = 1; k < argc; k++) {
        int n = atoi(argv[k]);
        int *a = malloc((size_t)n * sizeof *a);
        if (!a)
            return 1;
        for (int i = 0; i < n; i++)
            a[i] = i;
        wrong += scale_auto(n, a) != 0;
        for (int i = 0; i < n; i++)
            wrong += a[i] != 2 * i + 1;
        free(a);
    }
    struct treefork_statistics counts = treefork_statistics(treefork_default());
    printf("%s, %d compiled, %d loaded\n", wrong ? "wrong" : "right", (int)counts.builds,
           (int)counts.loads);
    return wrong != 0;
}
