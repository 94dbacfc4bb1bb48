/* Included before each C file of Rodinia (rodinia.py): memory begins as zeros, blocks that hold
   results are printed when they are freed (rodinia_probe.c), and the clock that seeds random
   numbers stands still, so that two runs of a program can be compared. */
#ifndef RODINIA_PROBE_H
#define RODINIA_PROBE_H
#include <stdlib.h>
#include <time.h>

void *suite_malloc(size_t count, size_t size);
void suite_free(void *block, const char *called);

#define malloc(size) suite_malloc(1, size)
#define calloc(count, size) suite_malloc(count, size)
#define free(block) suite_free(block, #block)
#define time(place) ((time_t)1)
#endif
