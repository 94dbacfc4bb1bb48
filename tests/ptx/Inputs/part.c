/* Writes the part form of the PTX file that is named, or says why there is none. */
#include "runtime/cuda.h"
#include <stdio.h>
#include <stdlib.h>

int main(int n, char **names)
{
    static char text[1 << 22];
    FILE *file = n == 2 ? fopen(names[1], "r") : NULL;
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[length] = '\0';
    char *part = treefork_ptx_part(text);
    fputs(part ? part : treefork_message(), stdout);
    free(part);
    return part ? 0 : 1;
}
