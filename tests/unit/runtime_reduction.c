/* Sums of the parts of a launch (runtime/reduction.h), of random words against the operators of C:
   each operator on signed and unsigned integers, and neutral elements, which change nothing. */
#include "runtime/reduction.h"
#include "tests/unit/draw.h"
#include "tests/unit/runtime_test.h"
#include <string.h>

enum { WORDS = 7, ROUNDS = 20000, FIRST = TREEFORK_REDUCE_ADD, LAST = TREEFORK_REDUCE_UNSIGNED_MAX };

static uint32_t expected(enum treefork_reduction reduction, uint32_t a, uint32_t b)
{
    int32_t x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    switch (reduction) {
    case TREEFORK_REDUCE_ADD: return (uint32_t)((uint64_t)a + b);
    case TREEFORK_REDUCE_AND: return a & b;
    case TREEFORK_REDUCE_OR: return a | b;
    case TREEFORK_REDUCE_XOR: return a ^ b;
    case TREEFORK_REDUCE_MIN: return y < x ? b : a;
    case TREEFORK_REDUCE_MAX: return y > x ? b : a;
    case TREEFORK_REDUCE_UNSIGNED_MIN: return b < a ? b : a;
    case TREEFORK_REDUCE_UNSIGNED_MAX: return b > a ? b : a;
    default: return a;
    }
}

static uint32_t word_draw(uint64_t *state)
{
    return (uint32_t)draw(state, 1 << 16) << 16 | (uint32_t)draw(state, 1 << 16);
}

static void joins(struct test *test, uint64_t *state, enum treefork_reduction reduction)
{
    uint32_t sum[WORDS], part[WORDS], right[WORDS], alone[WORDS];
    uint32_t neutral = treefork_reduction_neutral(reduction);
    for (int i = 0; i < WORDS; i++) {
        sum[i] = word_draw(state);
        part[i] = word_draw(state);
        right[i] = expected(reduction, sum[i], part[i]);
        alone[i] = neutral;
    }
    treefork_reduction_join(reduction, alone, part, WORDS);
    CHECK(test, memcmp(alone, part, sizeof part) == 0);
    treefork_reduction_join(reduction, sum, part, WORDS - 1);
    CHECK(test, memcmp(sum, right, sizeof right - sizeof *right) == 0);
}

int main(int argc, char **argv)
{
    uint64_t state = argc > 1 ? strtoull(argv[1], NULL, 10) : 34;
    struct test test = {.name = "runtime_reduction"};
    for (int round = 0; round < ROUNDS; round++)
        joins(&test, &state, (enum treefork_reduction)(FIRST + round % (LAST - FIRST + 1)));
    return test_end(&test);
}
