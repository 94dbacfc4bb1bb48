/* A stand-in for the header of a suite: sizes, and results on standard error. */
#include <stdio.h>
#ifdef MINI_DATASET
#define SIZE 20
#else
#define SIZE 30
#endif
#define SHOW(x) fprintf(stderr, "%0.2lf ", x)
void results_begin(const char *name);
