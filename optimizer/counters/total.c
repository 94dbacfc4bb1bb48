/* Sums over accesses, conditions and pieces for the counters of memory accesses (total.h).

   Invariant: a sum is never below what the accesses add up to; it is that exactly where `exactness`
   says so. Conditions are polynomials that are never negative at integer points of the initial
   system, so that a conjunction is one inequality: their sum is at most 0. */
#include "optimizer/counters/total.h"
#include "optimizer/counters/work.h"

enum { LINE_LEAST = 64 };

const struct poly *scope_line(struct scope *scope)
{
    const struct poly *words = scope_machine(scope, "C_L");
    return words ? poly_scale(words, 4, 1) : NULL;
}

bool access_is_global(const struct list_access *access)
{
    return access->reference.array->space == SPACE_GLOBAL;
}

const struct poly *access_rounds(struct scope *scope, const struct list_access *access)
{
    return access->rounds ? access->rounds : poly_integer(scope->ring, ROUNDS_GUESS);
}

struct total total_new(struct scope *scope)
{
    return (struct total){.scope = scope, .always = ratio_of(poly_integer(scope->ring, 0))};
}

void total_add(struct total *total, const struct list_access *access, struct ratio lines,
               bool exact)
{
    total->is_guarded |= !access->rounds || access->is_guarded || !access->rounds_exact ||
                         access->choices > 1;
    if (!access->rounds)
        total->exactness = COUNTER_ESTIMATE;
    else if ((!exact || access->is_guarded || !access->rounds_exact || access->choices > 1) &&
             total->exactness == COUNTER_EXACT)
        total->exactness = COUNTER_UPPER;
    if (!access->branch) {
        total->always = ratio_add(total->always, lines);
        return;
    }
    struct branch_sum *sum = NULL;
    for (size_t i = 0; i < total->branches.count; i++)
        if (expr_equal(total->branches.at[i].branch, access->branch))
            sum = &total->branches.at[i];
    if (!sum) {
        struct branch_sum first = {.branch = access->branch};
        vec_push(total->scope->store->ctx->arena, &total->branches, first);
        sum = &vec_last(&total->branches);
    }
    struct ratio *to = access->branch_negated ? &sum->other : &sum->taken;
    *to = to->numerator ? ratio_add(*to, lines) : lines;
}

struct ratio total_sum(struct total *total)
{
    struct ratio sum = total->always;
    for (size_t i = 0; i < total->branches.count; i++) {
        struct ratio a = total->branches.at[i].taken, b = total->branches.at[i].other;
        bool both = a.numerator && b.numerator;
        bool same = both &&
                    poly_equal(b.denominator ? poly_mul(a.numerator, b.denominator) : a.numerator,
                               a.denominator ? poly_mul(b.numerator, a.denominator) : b.numerator);
        total->is_guarded |= !same;
        if (!same && total->exactness == COUNTER_EXACT)
            total->exactness = COUNTER_UPPER;
        sum = a.numerator ? ratio_add(sum, a) : sum;
        sum = b.numerator && !same ? ratio_add(sum, b) : sum;
    }
    return sum;
}

/* The greatest common divisor of `with` and all coefficients of p; 1 if one of these is
   no integer. */
static int64_t poly_content(const struct poly *p, int64_t with)
{
    unsigned exponents[RING_CAPACITY];
    for (size_t i = 0; i < poly_terms(p); i++) {
        int64_t n, d;
        if (!poly_term(p, i, &n, &d, exponents) || d != 1 || n == INT64_MIN)
            return 1;
        for (n = n < 0 ? -n : n; n;) {
            int64_t rest = with % n;
            with = n;
            n = rest;
        }
    }
    return with;
}

/* Is it a polynomial with integer coefficients? */
static bool is_whole(const struct poly *p)
{
    unsigned exponents[RING_CAPACITY];
    bool whole = p != NULL;
    for (size_t i = 0; whole && i < poly_terms(p); i++) {
        int64_t n, d;
        whole = poly_term(p, i, &n, &d, exponents) && d == 1;
    }
    return whole;
}

const struct poly *rest_of(struct scope *scope, const struct poly *p, const struct poly *q)
{
    if (!p || !q)
        return NULL;
    int64_t content = poly_content(q, poly_content(p, 0));
    if (is_whole(poly_divide_exact(p, q)))
        return poly_integer(scope->ring, 0);
    if (content > 1)
        return poly_scale(rest_of(scope, poly_scale(p, 1, content), poly_scale(q, 1, content)),
                          content, 1);
    struct auxiliary definition = {.numerator = p, .denominator = q, .multiple = 1};
    const struct poly *times = scope_auxiliary(scope, "h", &definition);
    return times ? poly_sub(poly_mul(times, q), p) : NULL;
}

/* All that has to be whole is a multiple of unit / part bytes. */
static const struct poly *reach_multiples(struct scope *scope, const struct reach *reach,
                                          const struct poly *unit, const struct poly *part)
{
    const struct poly *sum = poly_integer(scope->ring, 0);
    for (size_t i = 0; i < reach->n_whole; i++)
        sum = poly_add(sum,
                       rest_of(scope, poly_mul(poly_scale(reach->whole[i], reach->bytes, 1), part),
                               unit));
    return sum;
}

const struct poly *reach_misalignment(struct scope *scope, const struct reach *reach,
                                      const struct poly *line, struct ratio row)
{
    const struct poly *one = poly_integer(scope->ring, 1),
                      *part = row.denominator ? row.denominator : one;
    const struct poly *lines = reach_multiples(scope, reach, line, one);
    if (!row.numerator || reach->n_small != 1 || reach->phase != 0 || !lines || poly_is_zero(lines))
        return lines;
    const struct poly *bytes = poly_scale(row.numerator, reach->bytes, 1);
    const struct poly *rows = poly_add(rest_of(scope, poly_mul(line, part), bytes),
                                       reach_multiples(scope, reach, bytes, part));
    return poly_mul(lines, rows);
}

/* Without the parameters that divide both. */
static struct ratio ratio_reduce(struct ratio value)
{
    struct ring *ring = poly_ring(value.numerator);
    int64_t one;
    for (int v = 0; value.denominator && v < ring_count(ring); v++) {
        const struct poly *x = poly_variable(ring, v);
        while (poly_uses(value.numerator, v) && poly_uses(value.denominator, v)) {
            const struct poly *a = poly_divide_exact(value.numerator, x),
                              *b = poly_divide_exact(value.denominator, x);
            if (!a || !b)
                break;
            value = (struct ratio){a, b};
        }
    }
    if (value.denominator && poly_get_integer(value.denominator, &one) && one == 1)
        value.denominator = NULL;
    return value;
}

void piece_add(struct scope *scope, struct pieces *pieces, struct sas guard, struct ratio value,
               enum exactness exactness)
{
    value = value.numerator ? ratio_reduce(value) : value;
    struct counter_piece piece = {guard, value.numerator, value.denominator, exactness};
    if (!value.numerator && !scope->reason)
        scope->reason = "a polynomial of too high a degree";
    if (value.numerator)
        vec_push(scope->store->ctx->arena, &pieces->list, piece);
}

struct thresholds thresholds_of(struct scope *scope, const struct list_access *list, size_t count,
                                const struct poly *line)
{
    struct arena *arena = scope->store->ctx->arena;
    struct thresholds thresholds = {.count = 1, .at = {LINE_LEAST - 1}};
    thresholds.guards[0] = sas_empty(scope->ring);
    for (int64_t above = 0; thresholds.count < THRESHOLDS_MAX;) {
        int64_t next = 0;
        for (size_t i = 0; i < count; i++) {
            int64_t own = access_is_global(&list[i]) ? reach_threshold(&list[i], LINE_LEAST, above)
                                                     : 0;
            next = own && (!next || own < next) ? own : next;
        }
        if (!next)
            break;
        int last = thresholds.count++;
        const struct poly *bound = poly_integer(scope->ring, next);
        thresholds.guards[last - 1] = sas_add(arena, thresholds.guards[last - 1],
                                              constraint_make(line, RELATION_LE, bound));
        thresholds.guards[last] = sas_add(arena, sas_empty(scope->ring),
                                          constraint_make(bound, RELATION_LT, line));
        thresholds.at[last] = next;
        above = next;
    }
    return thresholds;
}
