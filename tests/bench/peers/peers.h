/* What the programs of this folder share: the clock's calls around the computation, the size by
   macros like PolyBench's, and the output that tools/bench-peers compares under -DPEERS_DUMP. */
#ifndef PEERS_H
#define PEERS_H

#include <stdio.h>
#include <stdlib.h>

#if defined(SMALL_DATASET)
#define PEERS_SIZE(small, medium, large) (small)
#elif defined(MEDIUM_DATASET)
#define PEERS_SIZE(small, medium, large) (medium)
#else
#define PEERS_SIZE(small, medium, large) (large)
#endif

/* Begins and ends what is timed; repeat.c has both. `result` is what is computed, so that no
   compiler leaves it out or computes it before. */
void peers_begin(const void *result);
void peers_end(const void *result);

/* Memory that is there; the program ends where it is not. */
static inline void *peers_memory(size_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!memory)
        abort();
    return memory;
}

/* A number between 0 and 1 that depends on `seed` alone. */
static inline double peers_number(unsigned seed)
{
    seed = (seed ^ 61u) ^ (seed >> 16);
    seed = (seed + (seed << 3)) * 668265261u;
    return (double)((seed ^ (seed >> 15)) & 0xFFFFu) / 65536.0;
}

/* Prints a value on standard error where outputs are compared. */
static inline void peers_dump(double value)
{
#ifdef PEERS_DUMP
    fprintf(stderr, "%.9g\n", value);
#else
    (void)value;
#endif
}

#endif
