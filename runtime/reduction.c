/* Sums of the parts of a launch. In: the elements of two copies of an array, as 32-bit words. Out:
   each joined by one of the operators, whose results do not depend on the order: integers wrap. The
   bits of a signed sum are those of the unsigned one. */
#include "runtime/reduction.h"
#include <string.h>

uint32_t treefork_reduction_neutral(enum treefork_reduction reduction)
{
    switch (reduction) {
    case TREEFORK_REDUCE_AND:
    case TREEFORK_REDUCE_UNSIGNED_MIN: return UINT32_MAX;
    case TREEFORK_REDUCE_MIN: return INT32_MAX;
    case TREEFORK_REDUCE_MAX: return (uint32_t)INT32_MAX + 1;
    default: return 0;
    }
}

/* Words in the order of the integers that they are. */
static uint32_t signed_order(uint32_t word)
{
    return word ^ ((uint32_t)INT32_MAX + 1);
}

static uint32_t lesser_word(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t greater_word(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t word_join(enum treefork_reduction reduction, uint32_t a, uint32_t b)
{
    switch (reduction) {
    case TREEFORK_REDUCE_ADD: return a + b;
    case TREEFORK_REDUCE_AND: return a & b;
    case TREEFORK_REDUCE_OR: return a | b;
    case TREEFORK_REDUCE_XOR: return a ^ b;
    case TREEFORK_REDUCE_MIN: return signed_order(lesser_word(signed_order(a), signed_order(b)));
    case TREEFORK_REDUCE_MAX: return signed_order(greater_word(signed_order(a), signed_order(b)));
    case TREEFORK_REDUCE_UNSIGNED_MIN: return lesser_word(a, b);
    case TREEFORK_REDUCE_UNSIGNED_MAX: return greater_word(a, b);
    default: return a;
    }
}

void treefork_reduction_join(enum treefork_reduction reduction, void *sum, const void *part,
                             size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t a, b;
        memcpy(&a, (const char *)sum + i * sizeof a, sizeof a);
        memcpy(&b, (const char *)part + i * sizeof b, sizeof b);
        a = word_join(reduction, a, b);
        memcpy((char *)sum + i * sizeof a, &a, sizeof a);
    }
}
