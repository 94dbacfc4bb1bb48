/* 64-bit arithmetic of generated code that notices overflow. In: two numbers and an error flag that
   is only ever set; out: the exact value, or 0 with the flag set. Generated selectors sum up a
   whole condition and look at the flag once: an overflow is an error, never a leaf (design: "The
   way data flows"). Plain C comparisons before the operation, so that any C compiler of a bundle
   will do. */
#include "runtime/treefork.h"

static int64_t arithmetic_overflow(int *error)
{
    *error = 1;
    return 0;
}

int64_t treefork_add(int64_t a, int64_t b, int *error)
{
    if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b)
        return arithmetic_overflow(error);
    return a + b;
}

int64_t treefork_sub(int64_t a, int64_t b, int *error)
{
    if (b > 0 ? a < INT64_MIN + b : a > INT64_MAX + b)
        return arithmetic_overflow(error);
    return a - b;
}

/* |a| * |b| must stay below 2^63, or be 2^63 with a negative sign; the division of the bound by |b|
   is exact enough, because x * y <= bound holds exactly when x <= bound / y. */
int64_t treefork_mul(int64_t a, int64_t b, int *error)
{
    uint64_t x = a < 0 ? 0 - (uint64_t)a : (uint64_t)a, y = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
    int negative = (a < 0) != (b < 0);
    uint64_t bound = (uint64_t)INT64_MAX + (negative ? 1 : 0);
    if (y != 0 && x > bound / y)
        return arithmetic_overflow(error);
    uint64_t product = x * y;
    if (!negative)
        return (int64_t)product;
    return product == 0 ? 0 : -(int64_t)(product - 1) - 1;
}

int64_t treefork_div(int64_t a, int64_t b, int *error)
{
    if (b == 0 || (a == INT64_MIN && b == -1))
        return arithmetic_overflow(error);
    return a / b;
}

/* INT64_MIN % -1 is 0 in mathematics and undefined in C. */
int64_t treefork_rem(int64_t a, int64_t b, int *error)
{
    if (b == 0)
        return arithmetic_overflow(error);
    return b == -1 ? 0 : a % b;
}
