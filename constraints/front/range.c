/* Interval arithmetic on the real line. In: ranges with rational ends, each open, closed or
   infinite; out: ranges that contain every result. Ends are exact except where they are rounded,
   and that is always outwards: an end that moved is open, since the old end was not passed. An end
   is called open only if no point of the range can attain it; where several pairs of ends give the
   same product, one that is attained closes it. */
#include "constraints/front/range.h"

enum { SHORT_BITS = 24, ROOT_BITS = 20, MAGNITUDE_BITS = 100, LONG_BITS = 300, TRIM_BITS = 100 };

void end_init(struct end *end)
{
    *end = (struct end){.infinite = true};
    fmpq_init(&end->value);
}

void end_clear(struct end *end)
{
    fmpq_clear(&end->value);
}

void end_copy(struct end *to, const struct end *from)
{
    to->infinite = from->infinite;
    to->strict = from->strict;
    to->origins = from->origins;
    fmpq_set(&to->value, &from->value);
}

void range_init(struct range *range)
{
    end_init(&range->lo);
    end_init(&range->hi);
}

void range_clear(struct range *range)
{
    end_clear(&range->lo);
    end_clear(&range->hi);
}

void range_set(struct range *range, const fmpz *value)
{
    range->lo.infinite = range->hi.infinite = range->lo.strict = range->hi.strict = false;
    range->lo.origins = range->hi.origins = NULL;
    fmpq_set_fmpz(&range->lo.value, value);
    fmpq_set_fmpz(&range->hi.value, value);
}

static void end_bound(struct end *end, const struct bound *bound)
{
    end->infinite = !bound;
    end->strict = bound && bound->strict;
    end->origins = bound ? bound->origins : NULL;
    if (bound)
        fmpq_set(&end->value, bound->value);
}

void range_bounds(struct range *range, const struct bound *lo, const struct bound *hi)
{
    end_bound(&range->lo, lo);
    end_bound(&range->hi, hi);
}

int range_sign(const struct range *range)
{
    int low = fmpq_sgn(&range->lo.value), high = fmpq_sgn(&range->hi.value);
    if (!range->lo.infinite && (low > 0 || (low == 0 && range->lo.strict)))
        return 1;
    return !range->hi.infinite && (high < 0 || (high == 0 && range->hi.strict)) ? -1 : 0;
}

/* value * 2^shift rounded, over 2^shift; true if that is another number. */
static bool value_shorten(fmpq_t value, slong shift, bool up)
{
    fmpq_t whole;
    fmpq_init(whole);
    if (shift >= 0)
        fmpq_mul_2exp(whole, value, (flint_bitcnt_t)shift);
    else
        fmpq_div_2exp(whole, value, (flint_bitcnt_t)-shift);
    bool moved = !fmpz_is_one(fmpq_denref(whole));
    (up ? fmpz_cdiv_q : fmpz_fdiv_q)(fmpq_numref(whole), fmpq_numref(whole), fmpq_denref(whole));
    fmpz_one(fmpq_denref(whole));
    if (shift >= 0)
        fmpq_div_2exp(value, whole, (flint_bitcnt_t)shift);
    else
        fmpq_mul_2exp(value, whole, (flint_bitcnt_t)-shift);
    fmpq_clear(whole);
    return moved;
}

/* About the logarithm to base two. */
static slong value_size(const fmpq_t value)
{
    return (slong)fmpz_bits(fmpq_numref(value)) - (slong)fmpz_bits(fmpq_denref(value));
}

/* Shortens a number that grew long, outwards. */
static void end_trim(struct end *end, bool up)
{
    if (!end->infinite && fmpq_height_bits(&end->value) > LONG_BITS)
        end->strict |= value_shorten(&end->value, TRIM_BITS - value_size(&end->value), up);
}

static void range_trim(struct range *range)
{
    end_trim(&range->lo, false);
    end_trim(&range->hi, true);
}

static void end_power(struct end *end, ulong exponent)
{
    if (!end->infinite)
        fmpq_pow_si(&end->value, &end->value, (slong)exponent);
}

static void end_swap(struct end *a, struct end *b)
{
    struct end c = *a;
    *a = *b;
    *b = c;
}

/* Of two ends, the one farther from zero. */
static bool end_farther(const struct end *a, const struct end *b)
{
    if (a->infinite || b->infinite)
        return a->infinite;
    fmpq_t left, right;
    fmpq_init(left);
    fmpq_init(right);
    fmpq_abs(left, &a->value);
    fmpq_abs(right, &b->value);
    int order = fmpq_cmp(left, right);
    fmpq_clear(left);
    fmpq_clear(right);
    return order > 0 || (order == 0 && !a->strict);
}

void range_power(struct question *q, struct range *range, ulong exponent)
{
    bool odd = exponent & 1, positive = !range->lo.infinite && fmpq_sgn(&range->lo.value) >= 0;
    bool negative = !range->hi.infinite && fmpq_sgn(&range->hi.value) <= 0;
    if (!odd && negative && !positive)
        end_swap(&range->lo, &range->hi);
    if (!odd && !negative && !positive) {
        const uint64_t *both = origins_union(q, range->lo.origins, range->hi.origins);
        if (end_farther(&range->lo, &range->hi))
            end_swap(&range->lo, &range->hi);
        range->hi.origins = range->hi.infinite ? NULL : both;
        range->lo.infinite = range->lo.strict = false;
        range->lo.origins = NULL;
        fmpq_zero(&range->lo.value);
    }
    end_power(&range->lo, exponent);
    end_power(&range->hi, exponent);
    range_trim(range);
}

/* The product of two ends of ranges; zero times infinity is zero, since the ends are limits of
   products. False: it is infinite, *sign says where. */
static bool end_product(fmpq_t value, const struct end *a, int a_side, const struct end *b,
                        int b_side, int *sign)
{
    int left = a->infinite ? a_side : fmpq_sgn(&a->value),
        right = b->infinite ? b_side : fmpq_sgn(&b->value);
    *sign = left * right;
    if ((a->infinite || b->infinite) && *sign)
        return false;
    if (a->infinite || b->infinite)
        fmpq_zero(value);
    else
        fmpq_mul(value, &a->value, &b->value);
    return true;
}

/* A product in the making: no candidate yet, or the best so far. */
struct best {
    struct end end;
    bool seen;
};

/* Takes a candidate: the outer one stays, and of equal ones the closed one. */
static void best_offer(struct best *best, const fmpq_t value, bool strict, bool upper)
{
    int order = best->seen ? fmpq_cmp(value, &best->end.value) * (upper ? 1 : -1) : 1;
    if (order > 0)
        fmpq_set(&best->end.value, value);
    best->end.strict = order > 0    ? strict
                       : order == 0 ? best->end.strict && strict
                                    : best->end.strict;
    best->seen = true;
}

static void best_take(struct end *end, struct best *best, const uint64_t *origins)
{
    best->end.infinite |= !best->seen;
    best->end.origins = best->end.infinite ? NULL : origins;
    end_copy(end, &best->end);
    end_clear(&best->end);
}

void range_multiply(struct question *q, struct range *a, const struct range *b)
{
    struct best lo = {.seen = false}, hi = {.seen = false};
    const struct end *left[2] = {&a->lo, &a->hi}, *right[2] = {&b->lo, &b->hi};
    fmpq_t value;
    fmpq_init(value);
    end_init(&lo.end);
    end_init(&hi.end);
    lo.end.infinite = hi.end.infinite = false;
    for (int i = 0; i < 4; i++) {
        const struct end *x = left[i / 2], *y = right[i % 2];
        int sign;
        if (end_product(value, x, i / 2 ? 1 : -1, y, i % 2 ? 1 : -1, &sign)) {
            bool strict = !fmpq_is_zero(value) && (x->strict || y->strict);
            best_offer(&lo, value, strict, false);
            best_offer(&hi, value, strict, true);
        } else {
            hi.end.infinite |= sign > 0;
            lo.end.infinite |= sign < 0;
        }
    }
    const uint64_t *origins = origins_union(q, origins_union(q, a->lo.origins, a->hi.origins),
                                            origins_union(q, b->lo.origins, b->hi.origins));
    best_take(&a->lo, &lo, origins);
    best_take(&a->hi, &hi, origins);
    range_trim(a);
    fmpq_clear(value);
}

void end_add(struct question *q, struct end *end, const struct end *other, bool up)
{
    end->infinite |= other->infinite;
    end->strict |= other->strict;
    if (!end->infinite)
        fmpq_add(&end->value, &end->value, &other->value);
    end->origins = end->infinite ? NULL : origins_union(q, end->origins, other->origins);
    end_trim(end, up);
}

/* Very large and very small numbers become a power of two, zero or infinity, whichever lies
   outwards. */
static void end_limit(struct end *end, bool large, bool outwards)
{
    int sign = fmpq_sgn(&end->value);
    end->strict = true;
    end->infinite = large && outwards;
    if (!large && !outwards) {
        fmpq_zero(&end->value);
        return;
    }
    fmpq_set_si(&end->value, sign, 1);
    if (large)
        fmpq_mul_2exp(&end->value, &end->value, MAGNITUDE_BITS);
    else
        fmpq_div_2exp(&end->value, &end->value, MAGNITUDE_BITS);
}

void end_round(struct end *end, bool up)
{
    if (end->infinite || fmpq_height_bits(&end->value) <= SHORT_BITS)
        return;
    slong size = value_size(&end->value);
    if (size > MAGNITUDE_BITS + 1 || size < -MAGNITUDE_BITS - 1)
        end_limit(end, size > 0, (fmpq_sgn(&end->value) > 0) == up);
    else
        end->strict |= value_shorten(&end->value, SHORT_BITS - size, up);
}

/* The root of a value that is not negative; true if it had to be rounded. */
static bool value_root(fmpq_t value, ulong exponent, bool up)
{
    slong small = (slong)fmpz_bits(fmpq_denref(value)) - (slong)fmpz_bits(fmpq_numref(value));
    flint_bitcnt_t shift = (flint_bitcnt_t)(ROOT_BITS + (small > 0 ? small / (slong)exponent : 0));
    fmpz_t root, power;
    fmpz_init(root);
    fmpz_init(power);
    fmpq_mul_2exp(value, value, shift * exponent);
    fmpz_fdiv_q(power, fmpq_numref(value), fmpq_denref(value));
    fmpz_root(root, power, (slong)exponent);
    fmpz_pow_ui(power, root, exponent);
    bool exact = fmpz_is_one(fmpq_denref(value)) && fmpz_equal(power, fmpq_numref(value));
    if (!exact && up)
        fmpz_add_ui(root, root, 1);
    fmpq_set_fmpz(value, root);
    fmpq_div_2exp(value, value, shift);
    fmpz_clear(root);
    fmpz_clear(power);
    return !exact;
}

void end_root(struct end *end, ulong exponent, bool up)
{
    if (end->infinite || exponent == 1)
        return;
    bool negative = fmpq_sgn(&end->value) < 0;
    fmpq_t value;
    fmpq_init(value);
    fmpq_abs(value, &end->value);
    end->strict |= value_root(value, exponent, up != negative);
    if (negative)
        fmpq_neg(value, value);
    fmpq_swap(value, &end->value);
    fmpq_clear(value);
}
