/* A stand-in for what a suite compiles into each program. */
#include "polybench.h"

void results_begin(const char *name)
{
    fprintf(stderr, "begin dump: %s\n", name);
}
