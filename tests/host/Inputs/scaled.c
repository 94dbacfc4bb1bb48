/* scale() of one.c with arguments from the command line: n, s, B, and what kind of array. */
#include "one.tf.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100, s = argc > 2 ? atoi(argv[2]) : 2, B = argc > 3 ? atoi(argv[3]) : 8;
    const char *kind = argc > 4 ? argv[4] : "";
    char *memory = malloc(404);
    float *a = strcmp(kind, "null") ? (float *)(void *)(memory + !strcmp(kind, "odd")) : NULL, last;
    float one = 1;
    for (int i = 0; i < 100; i++)
        memcpy(memory + !strcmp(kind, "odd") + 4 * i, &one, 4);
    if (!strcmp(kind, "declared"))
        treefork_declare(treefork_default(), a, 400);
    scale(n, s, B, a, 3.0f);
    if (!strcmp(kind, "fork") && fork() == 0) {
        scale(n, s, B, a, 3.0f);
        exit(0);
    }
    if (!strcmp(kind, "fork"))
        wait(NULL);
    if (a) {
        memcpy(&last, memory + !strcmp(kind, "odd") + 396, 4);
        printf("last %g\n", last);
    }
    printf("launches %d\n", treefork_default() ? (int)treefork_statistics(treefork_default()).launches : -1);
    free(memory);
    return 0;
}
