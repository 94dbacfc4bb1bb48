/* Interval propagation. In: facts and bounds of variables; out: better bounds, or a contradiction
   with its origins. A fact p >= 0 says of each term that it is at least minus the sum of what the
   others can be at most; for a term c x^e m that bounds x^e by the ranges of c and m, and so x.
   Facts p = 0 are used for -p too. Bounds are rounded outwards to short numbers; a bound that gains
   less than an eighth of the range, or of its size, is not worth a change, so that rounds come to
   an end (they are limited too). Source: the HC4 contractor, Benhamou, Goualard, Granvilliers,
   Puget, 1999. */
#include "constraints/front/propagate.h"
#include "constraints/front/range.h"

enum { ROUND_LIMIT = 12, GAIN = 8 };

/* One reading of a fact: p >= 0 or > 0, or the same of -p. */
struct reading {
    struct propagation *p;
    size_t fact;
    bool negated, strict;
    slong terms;
    struct range *ranges;               /* by term */
    ulong (*exponents)[RING_CAPACITY];  /* by term */
};

/* The range of a monomial without variable `skip`, times a coefficient. */
static void monomial_range(struct propagation *p, struct range *range, const fmpz *coefficient,
                           const ulong *exponents, int skip)
{
    struct range power;
    range_init(&power);
    range_set(range, coefficient);
    for (int v = 0; v < p->q->variables; v++) {
        if (v == skip || !exponents[v])
            continue;
        range_bounds(&power, p->lo[v], p->hi[v]);
        range_power(p->q, &power, exponents[v]);
        range_multiply(p->q, range, &power);
    }
    range_clear(&power);
}

static void coefficient_take(fmpz_t coefficient, const struct reading *r, slong i)
{
    fmpz_set(coefficient, r->p->facts[r->fact]->p->coeffs + i);
    if (r->negated)
        fmpz_neg(coefficient, coefficient);
}

static void reading_open(struct reading *r)
{
    const struct fact *fact = r->p->facts[r->fact];
    struct arena *arena = r->p->q->arena;
    fmpz_t coefficient;
    fmpz_init(coefficient);
    r->strict = fact->relation == FACT_GT;
    r->terms = fact->p->length;
    r->ranges = ARENA_ARRAY(arena, struct range, r->terms + 1);
    r->exponents = arena_alloc(arena, (size_t)(r->terms + 1) * sizeof *r->exponents);
    for (slong i = 0; i < r->terms; i++) {
        range_init(&r->ranges[i]);
        mpoly_exponents(r->exponents[i], fact->p, i, r->p->q->ctx);
        coefficient_take(coefficient, r, i);
        monomial_range(r->p, &r->ranges[i], coefficient, r->exponents[i], -1);
    }
    fmpz_clear(coefficient);
}

static void reading_close(struct reading *r)
{
    for (slong i = 0; i < r->terms; i++)
        range_clear(&r->ranges[i]);
}

/* What all terms but `skip` can be at most. */
static void rest_most(const struct reading *r, slong skip, struct end *most)
{
    most->infinite = most->strict = false;
    most->origins = NULL;
    fmpq_zero(&most->value);
    for (slong i = 0; i < r->terms && !most->infinite; i++)
        if (i != skip)
            end_add(r->p->q, most, &r->ranges[i].hi, true);
}

/* Is the new bound worth having? */
static bool bound_gains(const struct propagation *p, int v, bool upper, const struct end *end)
{
    const struct bound *own = upper ? p->hi[v] : p->lo[v], *other = upper ? p->lo[v] : p->hi[v];
    if (!own)
        return true;
    fmpq_t gain, size;
    fmpq_init(gain);
    fmpq_init(size);
    fmpq_sub(gain, upper ? own->value : &end->value, upper ? &end->value : own->value);
    if (other)
        fmpq_sub(size, upper ? own->value : other->value, upper ? other->value : own->value);
    else
        fmpq_abs(size, own->value);
    fmpz_mul_ui(fmpq_numref(gain), fmpq_numref(gain), GAIN);
    fmpq_canonicalise(gain);
    bool gains = fmpq_sgn(gain) > 0 &&
                 (fmpq_cmp(gain, size) >= 0 || fmpq_sgn(own->value) != fmpq_sgn(&end->value));
    gains |= fmpq_equal(own->value, &end->value) && end->strict && !own->strict;
    fmpq_clear(gain);
    fmpq_clear(size);
    return gains;
}

/* Moves a closed end outwards a little and opens it. */
static void end_widen(struct end *end, bool upper)
{
    fmpq_t little;
    fmpq_init(little);
    fmpq_abs(little, &end->value);
    fmpz_add(fmpq_numref(little), fmpq_numref(little), fmpq_denref(little));
    fmpq_div_2exp(little, little, 10);
    (upper ? fmpq_add : fmpq_sub)(&end->value, &end->value, little);
    end->strict = true;
    fmpq_clear(little);
}

/* Installs an end as a bound of v; false if the two bounds of v now exclude each other. */
static bool bound_install(const struct reading *r, int v, bool upper, struct end *end,
                          bool *changed)
{
    struct propagation *p = r->p;
    if (p->strict && !end->strict)
        end_widen(end, upper);
    end_round(end, upper);
    if (end->infinite || !bound_gains(p, v, upper, end))
        return true;
    struct bound *bound = ARENA_NEW(p->q->arena, struct bound);
    fmpq *value = rational_new(p->q);
    fmpq_set(value, &end->value);
    *bound = (struct bound){value, end->strict,
                            origins_union(p->q, end->origins, p->facts[r->fact]->origins)};
    if (p->accept && !p->accept(p, r->fact, v, upper, bound))
        return true;
    (upper ? p->hi : p->lo)[v] = bound;
    *changed = true;
    if (!p->lo[v] || !p->hi[v])
        return true;
    int order = fmpq_cmp(p->lo[v]->value, p->hi[v]->value);
    if (order < 0 || (order == 0 && !p->lo[v]->strict && !p->hi[v]->strict))
        return true;
    p->q->conflict = origins_union(p->q, p->lo[v]->origins, p->hi[v]->origins);
    return false;
}

/* x^e >= end (or <= end, upper): the bounds that follow for x. */
static bool power_bound(const struct reading *r, int v, ulong e, bool upper, struct end *end,
                        bool *changed)
{
    struct propagation *p = r->p;
    int sign = fmpq_sgn(&end->value);
    if (e & 1) {
        end_root(end, e, upper);
        return bound_install(r, v, upper, end, changed);
    }
    bool positive = p->lo[v] && fmpq_sgn(p->lo[v]->value) >= 0,
         negative = p->hi[v] && fmpq_sgn(p->hi[v]->value) <= 0;
    if (upper ? sign < 0 : sign <= 0)
        return true;   /* a contradiction is seen in the fact itself; x^e >= 0 says nothing */
    end_root(end, e, upper);
    if (!upper && !positive && !negative)
        return true;
    bool good = true;
    struct end mirrored;
    end_init(&mirrored);
    end_copy(&mirrored, end);
    fmpq_neg(&mirrored.value, &mirrored.value);
    if (!upper) {
        const struct bound *side = positive ? p->lo[v] : p->hi[v];
        struct end *taken = positive ? end : &mirrored;
        taken->origins = origins_union(p->q, taken->origins, side->origins);
        good = bound_install(r, v, negative && !positive, taken, changed);
    } else {
        good = bound_install(r, v, true, end, changed) &&
               bound_install(r, v, false, &mirrored, changed);
    }
    end_clear(&mirrored);
    return good;
}

/* factor * x^e >= least, the factor not changing its sign: what follows for x^e. */
static bool factor_bound(const struct reading *r, int v, ulong e, const struct range *factor,
                         const struct end *least, bool *changed)
{
    int sign = range_sign(factor);
    if (!sign)
        return true;
    struct end end;
    end_init(&end);
    end_copy(&end, least);
    bool wide = fmpq_sgn(&least->value) > 0;   /* then the quotient is least where the factor is
                                                  farthest from zero */
    const struct end *divisor = (sign > 0) == wide ? &factor->hi : &factor->lo;
    end.origins = origins_union(r->p->q, origins_union(r->p->q, least->origins, factor->lo.origins),
                                factor->hi.origins);
    bool good = true;
    if (divisor->infinite) {
        fmpq_zero(&end.value);   /* only the sign is left; the quotient may come as near to zero as
                                    it likes */
        end.strict = true;
        good = !wide || power_bound(r, v, e, sign < 0, &end, changed);
    } else if (!fmpq_is_zero(&divisor->value)) {
        fmpq_div(&end.value, &end.value, &divisor->value);
        bool closed = fmpq_is_zero(&end.value) || !divisor->strict;
        end.strict |= !closed;
        good = power_bound(r, v, e, sign < 0, &end, changed);
    } else if (fmpq_is_zero(&least->value)) {
        good = power_bound(r, v, e, sign < 0, &end, changed);
    }
    end_clear(&end);
    return good;
}

/* Term i is at least minus what the rest can be at most. */
static bool term_narrow(const struct reading *r, slong i, bool *changed)
{
    struct propagation *p = r->p;
    struct end least;
    struct range factor;
    fmpz_t coefficient;
    end_init(&least);
    range_init(&factor);
    fmpz_init(coefficient);
    rest_most(r, i, &least);
    fmpq_neg(&least.value, &least.value);
    least.strict |= r->strict;
    bool good = true;
    coefficient_take(coefficient, r, i);
    for (int v = 0; good && !least.infinite && v < p->q->variables; v++) {
        if (!r->exponents[i][v])
            continue;
        monomial_range(p, &factor, coefficient, r->exponents[i], v);
        good = factor_bound(r, v, r->exponents[i][v], &factor, &least, changed);
    }
    end_clear(&least);
    range_clear(&factor);
    fmpz_clear(coefficient);
    return good;
}

/* Does the fact contradict the bounds? */
static bool reading_contradicts(const struct reading *r)
{
    struct end most;
    end_init(&most);
    rest_most(r, -1, &most);
    int sign = most.infinite ? 1 : fmpq_sgn(&most.value);
    bool contradicts = sign < 0 || (sign == 0 && (most.strict || r->strict));
    if (contradicts)
        r->p->q->conflict = origins_union(r->p->q, most.origins, r->p->facts[r->fact]->origins);
    end_clear(&most);
    return contradicts;
}

/* False on a contradiction. */
static bool fact_propagate(struct propagation *p, size_t i, bool negated, bool *changed,
                           size_t *last)
{
    struct reading r = {.p = p, .fact = i, .negated = negated};
    if (!question_charge(p->q, 1 + (uint64_t)(p->facts[i]->p->length * p->facts[i]->p->length)))
        return true;
    reading_open(&r);
    *last = i;
    bool good = !reading_contradicts(&r);
    if (!good) {
        reading_close(&r);
        return false;
    }
    *last = SIZE_MAX;
    for (slong t = 0; good && t < r.terms; t++)
        good = term_narrow(&r, t, changed);
    reading_close(&r);
    return good;
}

bool propagate(struct propagation *p, size_t *last)
{
    bool changed = true;
    for (int round = 0; changed && round < ROUND_LIMIT && !p->q->broken; round++) {
        changed = false;
        for (size_t i = 0; i < p->count && !p->q->broken; i++) {
            enum fact_relation relation = p->facts[i]->relation;
            if (relation == FACT_NE)
                continue;
            for (int negated = 0; negated <= (relation == FACT_EQ); negated++)
                if (!fact_propagate(p, i, negated, &changed, last))
                    return true;
        }
    }
    return false;
}

enum verdict state_propagate(struct question *q, const struct state *state)
{
    struct state *copy = state_copy(q, state);
    struct propagation p = {
        .q = q, .facts = state->facts, .count = state->count, .lo = copy->lo, .hi = copy->hi};
    size_t last;
    return propagate(&p, &last) && !q->broken ? SAS_EMPTY : SAS_UNKNOWN;
}
