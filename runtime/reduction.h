#ifndef TREEFORK_REDUCTION_H
#define TREEFORK_REDUCTION_H
/* Arrays of 32-bit integers in which the parts of a launch add up, each in a copy of its own. */
#include "runtime/treefork-tables.h"
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The neutral element, as a word. */
uint32_t treefork_reduction_neutral(enum treefork_reduction reduction);
/* sum[i] op= part[i] of so many elements. */
void treefork_reduction_join(enum treefork_reduction reduction, void *sum, const void *part,
                             size_t count);

#pragma GCC visibility pop
#endif
