/* Interval arithmetic and propagation. Random two-way (printed seed; first argument): numbers drawn
   from two ranges, their powers, products and roots lie in the ranges computed, and an end called
   closed or exact is attained where it should be. Systems with a planted point are never refuted
   and never lose it from the bounds; a table of systems that propagation alone must refute, with
   the assertions it needed. */
#include "constraints/front/propagate.h"
#include "constraints/front/range.h"
#include "tests/unit/check.h"
#include "tests/unit/constraints_system.h"
#include <stdlib.h>
#include <string.h>

static uint64_t state;

static int random_between(int lo, int hi)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return lo + (int)((state >> 33) % (unsigned)(hi - lo + 1));
}

/* --- ranges ---------------------------------------------------------------------------------- */

/* A range around the number, and the number in it. */
static void range_random(struct range *range, fmpq_t number)
{
    range_init(range);
    fmpq_set_si(number, random_between(-12, 12), (ulong)random_between(1, 4));
    for (int upper = 0; upper < 2; upper++) {
        struct end *end = upper ? &range->hi : &range->lo;
        end->infinite = random_between(0, 5) == 0;
        int width = random_between(0, 6);
        end->strict = width > 0 && random_between(0, 1);
        fmpq_set_si(&end->value, upper ? width : -width, 3);
        fmpq_add(&end->value, &end->value, number);
    }
}

static bool range_has(const struct range *range, const fmpq_t number)
{
    int low = range->lo.infinite ? -1 : fmpq_cmp(&range->lo.value, number);
    int high = range->hi.infinite ? -1 : fmpq_cmp(number, &range->hi.value);
    return (low < 0 || (low == 0 && !range->lo.strict)) &&
           (high < 0 || (high == 0 && !range->hi.strict));
}

/* Numbers of any size. */
static void round_round(struct check *check)
{
    struct range range;
    fmpq_t number;
    fmpq_init(number);
    range_random(&range, number);
    fmpq_set_si(number, random_between(-5, 5), (ulong)random_between(1, 5));
    int size = random_between(-300, 300);
    if (size > 0)
        fmpq_mul_2exp(number, number, (ulong)size);
    else
        fmpq_div_2exp(number, number, (ulong)-size);
    range.lo.infinite = range.hi.infinite = range.lo.strict = range.hi.strict = false;
    fmpq_set(&range.lo.value, number);
    fmpq_set(&range.hi.value, number);
    end_round(&range.lo, false);
    end_round(&range.hi, true);
    check_that(check, range_has(&range, number), "rounding lost a large or small number");
    bool small =
        fmpq_height_bits(&range.lo.value) <= 128 && fmpq_height_bits(&range.hi.value) <= 128;
    check_that(check, range.lo.infinite || range.hi.infinite || small,
               "rounding left a long number");
    range_clear(&range);
    fmpq_clear(number);
}

static void range_round(struct check *check, struct question *q)
{
    struct range a, b;
    fmpq_t x, y;
    fmpq_init(x);
    fmpq_init(y);
    range_random(&a, x);
    range_random(&b, y);
    int sign = range_sign(&a);
    check_that(check, !sign || sign == fmpq_sgn(x), "the sign of a range");
    ulong exponent = (ulong)random_between(1, 5);
    range_power(q, &a, exponent);
    fmpq_pow_si(x, x, (slong)exponent);
    check_that(check, range_has(&a, x), "a power is not in the range");
    check_that(check, (exponent & 1) || (!a.lo.infinite && fmpq_sgn(&a.lo.value) >= 0),
               "an even power that may be negative");
    range_multiply(q, &a, &b);
    fmpq_mul(x, x, y);
    check_that(check, range_has(&a, x), "a product is not in the range");
    end_round(&a.lo, false);
    end_round(&a.hi, true);
    check_that(check, range_has(&a, x), "rounding lost a number");
    end_add(q, &a.hi, &b.hi, true);
    end_add(q, &a.lo, &b.lo, false);
    fmpq_add(x, x, y);
    check_that(check, range_has(&a, x), "a sum is not in the range");
    range_clear(&a);
    range_clear(&b);
    fmpq_clear(x);
    fmpq_clear(y);
}

/* Roots: exact for powers, on the right side otherwise. */
static void root_round(struct check *check)
{
    struct end end;
    fmpq_t power, bound;
    fmpq_init(power);
    fmpq_init(bound);
    end_init(&end);
    end.infinite = false;
    ulong exponent = (ulong)random_between(2, 5);
    bool up = random_between(0, 1), odd = exponent & 1;
    fmpq_set_si(&end.value, random_between(odd ? -90 : 0, 90), (ulong)random_between(1, 50));
    fmpq_set(bound, &end.value);
    if (random_between(0, 2) == 0)
        fmpq_pow_si(&end.value, &end.value, (slong)exponent);
    fmpq_set(power, &end.value);
    end_root(&end, exponent, up);
    bool exact = !end.strict;
    fmpq_pow_si(bound, &end.value, (slong)exponent);
    int order = fmpq_cmp(bound, power);
    check_that(check, exact ? order == 0 : up ? order > 0 : order < 0, "a root on the wrong side");
    end_clear(&end);
    fmpq_clear(power);
    fmpq_clear(bound);
}

/* --- propagation ----------------------------------------------------------------------------- */

static const struct {
    const char *text;
    uint64_t needed;   /* assertions, a bit each */
} refuted[] = {
    {"x^2 + y^2 < 1; x*y > 1", 3},
    {"x^2 + y^2 + z^2 < 1; z < 5; x*y*z > 1", 5},
    {"x >= 2; y >= 3; w >= 0; x*y < 6", 11},
    {"x >= 2; y >= 3; x*y + x^2 <= 9", 7},
    {"x >= 1; x^3 <= y; y <= 1/2", 7},
    {"x*y == 12; x >= 3; y >= 5", 7},
    {"x >= 10; y^2 == x; y <= 3; y >= 0", 15},
    {"x <= -2; y <= -2; x*y <= 3", 7},
};

static void refuted_check(struct check *check, const char *text, uint64_t needed)
{
    check_test(check);
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    struct sas sas = system_read(ring, text);
    struct question *q = question_new(arena, ring, sas.at, sas.count, 100000);
    struct state *start = question_state(q);
    bool consistent = question_assert_all(q, start, sas.at);
    bool empty = !consistent || state_propagate(q, start) == SAS_EMPTY;
    check_that(check, empty, "%s: not refuted", text);
    uint64_t used = empty ? q->conflict[0] : 0;
    check_that(check, !empty || !(used & ~needed), "%s: assertions %#lx were used", text,
               (unsigned long)used);
    arena_free(arena);
}

/* Bounds that grow without end: the rounds are limited, and so are the numbers. */
static void growth_check(struct check *check)
{
    check_test(check);
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    struct sas sas = system_read(ring, "x >= 2; y >= x^3; z >= y^4; x >= z^5");
    struct question *q = question_new(arena, ring, sas.at, sas.count, 100000);
    struct state *start = question_state(q);
    check_that(check, question_assert_all(q, start, sas.at), "bounds that grow: refuted");
    struct propagation p = {
        .q = q, .facts = start->facts, .count = start->count, .lo = start->lo, .hi = start->hi};
    size_t last;
    propagate(&p, &last);
    for (int v = 0; v < q->variables; v++)
        check_that(check, start->lo[v] && fmpq_height_bits(start->lo[v]->value) < 600,
                   "a bound that grew too long");
    arena_free(arena);
}

/* A random system that holds at a random point. */
static struct sas system_planted(struct ring *ring, const int64_t *point)
{
    struct sas sas = sas_empty(ring);
    for (int i = random_between(1, 5); i > 0; i--) {
        const struct poly *p = poly_integer(ring, 0);
        for (int t = random_between(1, 3); t > 0; t--) {
            const struct poly *term = poly_integer(ring, random_between(-4, 4));
            for (int d = random_between(0, 3); d > 0; d--)
                term = poly_mul(term, poly_variable(ring, random_between(0, 2)));
            p = poly_add(p, term);
        }
        int64_t value = 0;
        poly_evaluate(p, point, &value);
        int slack = random_between(0, 2);
        p = poly_sub(p, poly_integer(ring, value - slack));
        sas = sas_add(ring_arena(ring), sas,
                      (struct constraint){p, slack                  ? RELATION_GT
                                             : random_between(0, 1) ? RELATION_GE
                                                                    : RELATION_EQ});
    }
    return sas;
}

static void planted_round(struct check *check)
{
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    int64_t point[RING_CAPACITY] = {0};
    static const char *const names[] = {"x", "y", "z"};
    for (int v = 0; v < 3; v++)
        point[ring_variable(ring, names[v])] = random_between(-3, 4);
    struct sas sas = system_planted(ring, point);
    struct question *q = question_new(arena, ring, sas.at, sas.count, 100000);
    struct state *start = question_state(q);
    bool consistent = question_assert_all(q, start, sas.at);
    check_that(check, consistent, "a system with a point is refuted by its assertion");
    struct propagation p = {.q = q,
                            .facts = start->facts,
                            .count = start->count,
                            .lo = start->lo,
                            .hi = start->hi,
                            .strict = random_between(0, 1)};
    size_t last;
    check_that(check, !propagate(&p, &last), "a system with a point is refuted");
    for (int v = 0; v < q->variables; v++) {
        int64_t own = point[q->ring_variable[v]];
        bool within =
            (!start->lo[v] ||
             fmpq_cmp_si(start->lo[v]->value, own) <= -(int)start->lo[v]->strict) &&
            (!start->hi[v] || fmpq_cmp_si(start->hi[v]->value, own) >= (int)start->hi[v]->strict);
        check_that(check, within, "a bound excludes the point");
    }
    arena_free(arena);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    unsigned long seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 1120;
    state = seed;
    struct arena *arena = arena_new();
    struct question *q = question_new(arena, ring_new(arena), NULL, 0, 1000);
    for (int i = 0; i < 2000; i++) {
        range_round(&check, q);
        root_round(&check);
        round_round(&check);
        planted_round(&check);
    }
    arena_free(arena);
    for (size_t i = 0; i < sizeof refuted / sizeof *refuted; i++)
        refuted_check(&check, refuted[i].text, refuted[i].needed);
    growth_check(&check);
    printf("seed %lu\n", seed);
    return check_end(&check, "constraints_propagate");
}
