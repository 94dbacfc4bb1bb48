#ifndef TESTS_UNIT_DRAW_H
#define TESTS_UNIT_DRAW_H
#include <stddef.h>
#include <stdint.h>

/* Draws of tests that make random programs: Knuth's congruential generator, so that a seed makes
   the same programs everywhere. `state` is the seed at first. */

/* 0 <= number < below. */
static inline uint64_t draw(uint64_t *state, uint64_t below)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (*state >> 33) % below;
}

static inline const char *pick(uint64_t *state, const char *const *from, size_t n)
{
    return from[draw(state, n)];
}

/* One of the texts given. */
#define PICK(state, ...)                                                                           \
    pick((state), (const char *const[]){__VA_ARGS__},                                              \
         sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

#endif
