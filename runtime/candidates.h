#ifndef TREEFORK_CANDIDATES_H
#define TREEFORK_CANDIDATES_H
/* The numbers that are tried for a tunable, where a region chooses (choice_search.c) and where
   `treefork rank` goes through all choices. */
#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

enum { CANDIDATES_MAX = 16 };

/* Does the number, at least 1, divide what it has to? */
typedef bool treefork_divides(void *state, int64_t number);

/* Fills in the candidates, rising, and returns how many there are, at most CANDIDATES_MAX: the
   powers of two below 2^choices; or, unless `divides` is NULL, between each of them and the next
   the divisor with the most factors of two, where there is one. */
int treefork_candidates(int choices, treefork_divides *divides, void *state, int64_t *at);

#pragma GCC visibility pop
#endif
