/* Values of counters: constants, polynomials, and bounded auxiliary integers.

   A ceiling or a maximum is no polynomial. It becomes an auxiliary integer with an exact
   definition, which the dispatcher computes, and with polynomial bounds, which the solver knows
   (spec X-03). The same definition is the same variable; rational coefficients are cleared, so that
   a definition has a value at every integer point.
   Invariant: the bounds hold at every integer point of the initial system where the definition is
   evaluated exactly. */
#include "optimizer/store.h"
#include <string.h>

struct counter_value value_poly(struct store *store, const struct poly *value,
                                enum exactness exactness)
{
    struct counter_piece *piece = ARENA_NEW(store->ctx->arena, struct counter_piece);
    piece->guard = sas_empty(store->space->ring);
    piece->numerator = space_poly(store->space, value);
    piece->exactness = exactness;
    return (struct counter_value){.count = 1, .pieces = piece};
}

struct counter_value value_constant(struct store *store, int64_t value, enum exactness exactness)
{
    return value_poly(store, poly_integer(store->space->ring, value), exactness);
}

static char *operand_text(struct arena *arena, const struct poly *p)
{
    char *text = poly_text(arena, p);
    bool is_simple = poly_is_constant(p) || (poly_terms(p) == 1 && poly_total_degree(p) == 1);
    return is_simple ? text : arena_printf(arena, "(%s)", text);
}

/* What stands behind a division: a product is in parentheses too. */
static char *divisor_text(struct arena *arena, const struct poly *p)
{
    char *text = poly_text(arena, p);
    return strpbrk(text, "*+- /") ? arena_printf(arena, "(%s)", text) : text;
}

/* floor(n/d) has the numerator n - d + 1. */
static const char *quotient_text(struct arena *arena, const struct auxiliary *a)
{
    const struct poly *less = poly_sub(a->denominator, poly_integer(poly_ring(a->numerator), 1));
    return arena_printf(arena, "floor(%s/%s)", operand_text(arena, poly_add(a->numerator, less)),
                        divisor_text(arena, a->denominator));
}

/* "max(24, 8*ceil(r/8))", "min(N_M, max(1, floor(T_M/W_B)))", "min(n, B0*q)" */
static const char *auxiliary_text(struct arena *arena, const struct auxiliary *a)
{
    const struct poly *dividend =
        poly_add(a->numerator, poly_sub(a->denominator, poly_integer(poly_ring(a->numerator), 1)));
    const char *form = a->least == INT64_MIN ? "max(0, floor(%s/%s))" : "floor(%s/%s)";
    bool divides = a->multiple != 1 || !poly_is_constant(a->denominator) ||
                   !poly_equal(dividend, a->numerator);
    if (a->floor == 0 && !divides && !a->cap)
        return arena_printf(arena, "max(0, %s)", poly_text(arena, a->numerator));
    if (a->floor == 0 && a->multiple == 1 && poly_terms(dividend) < poly_terms(a->numerator))
        return arena_printf(arena, form, operand_text(arena, dividend),
                            divisor_text(arena, a->denominator));
    const struct poly *divisor = poly_scale(a->denominator, a->multiple, 1);
    struct str text = str_new(arena);
    bool is_quotient = a->form == AUXILIARY_QUOTIENT,
         clamped = a->floor > a->multiple || a->least == INT64_MIN;
    clamped = is_quotient ? a->floor > 0 : clamped;
    if (a->cap)
        str_addf(&text, "min(%s, ", poly_text(arena, a->cap));
    if (clamped)
        str_addf(&text, "max(%lld, ", (long long)a->floor);
    if (a->multiple != 1)
        str_addf(&text, "%lld*", (long long)a->multiple);
    if (is_quotient)
        str_add(&text, quotient_text(arena, a));
    else if (!divides)
        str_add(&text, poly_text(arena, a->numerator));
    else
        str_addf(&text, "ceil(%s/%s)", operand_text(arena, a->numerator),
                 divisor_text(arena, divisor));
    str_add(&text, clamped ? ")" : "");
    str_add(&text, a->cap ? ")" : "");
    return text.text;
}

/* What denominator*v exceeds the numerator by at most: multiple*denominator - 1 where the ceiling
   decides (in integers), floor*denominator - least where the floor does. */
static const struct poly *auxiliary_slack(const struct auxiliary *a)
{
    int64_t one;
    struct ring *ring = poly_ring(a->numerator);
    const struct poly *ceiling = poly_sub(poly_scale(a->denominator, a->multiple, 1),
                                          poly_integer(ring, 1));
    if (a->floor <= 0 || (a->floor <= a->multiple && a->least >= 1))
        return ceiling;
    if (poly_get_integer(a->denominator, &one) && one == 1 &&
        a->floor - a->least <= a->multiple - 1)
        return ceiling;
    return poly_add(poly_scale(a->denominator, a->floor + a->multiple, 1),
                    poly_integer(ring, -a->least));
}

/* floor <= v, numerator <= denominator*v <= numerator + slack; under a cap floor <= v <= cap. */
static struct sas auxiliary_bounds(struct arena *arena, const struct auxiliary *a)
{
    struct ring *ring = poly_ring(a->numerator);
    const struct poly *v = poly_variable(ring, a->variable), *scaled = poly_mul(a->denominator, v);
    struct sas facts = sas_empty(ring);
    facts = sas_add(arena, facts, constraint_make(poly_integer(ring, a->floor), RELATION_LE, v));
    if (a->cap)
        return sas_add(arena, facts, constraint_make(v, RELATION_LE, a->cap));
    facts = sas_add(arena, facts, constraint_make(a->numerator, RELATION_LE, scaled));
    if (a->least == INT64_MIN)
        return facts;
    return sas_add(arena, facts,
                   constraint_make(scaled, RELATION_LE,
                                   poly_add(a->numerator, auxiliary_slack(a))));
}

/* floor(n/d): 0 <= v, n - d + 1 <= d*v. */
static void quotient_define(struct arena *arena, struct auxiliary *a)
{
    struct ring *ring = poly_ring(a->numerator);
    const struct poly *v = poly_variable(ring, a->variable);
    a->facts = sas_add(arena, sas_empty(ring),
                       constraint_make(poly_integer(ring, 0), RELATION_LE, v));
    a->facts = sas_add(arena, a->facts,
                       constraint_make(a->numerator, RELATION_LE, poly_mul(a->denominator, v)));
    a->text = quotient_text(arena, a);
}

/* Only the sign of ceil(log2(n)) is a fact. */
static void halvings_define(struct arena *arena, struct auxiliary *a)
{
    struct ring *ring = poly_ring(a->numerator);
    const struct poly *v = poly_variable(ring, a->variable);
    a->facts = sas_add(arena, sas_empty(ring),
                       constraint_make(poly_integer(ring, 0), RELATION_LE, v));
    a->text = arena_printf(arena, "ceil(log2(%s))", poly_text(arena, a->numerator));
}

void auxiliary_define(struct arena *arena, struct auxiliary *auxiliary)
{
    if (auxiliary->form == AUXILIARY_HALVINGS) {
        halvings_define(arena, auxiliary);
        return;
    }
    if (auxiliary->form != AUXILIARY_CEILING && !auxiliary->cap) {
        quotient_define(arena, auxiliary);
        return;
    }
    auxiliary->text = auxiliary_text(arena, auxiliary);
    auxiliary->facts = auxiliary_bounds(arena, auxiliary);
}

bool auxiliary_uses(const struct auxiliary *a, int variable)
{
    return poly_uses(a->numerator, variable) || poly_uses(a->denominator, variable) ||
           (a->cap && poly_uses(a->cap, variable));
}

bool auxiliary_equal(const struct auxiliary *a, const struct auxiliary *b)
{
    bool same_cap = a->cap == b->cap || (a->cap && b->cap && poly_equal(a->cap, b->cap));
    return same_cap && a->form == b->form && a->multiple == b->multiple && a->floor == b->floor &&
           poly_equal(a->numerator, b->numerator) && poly_equal(a->denominator, b->denominator);
}

/* Is a machine parameter in p that is unlimited at the point? */
static bool is_unlimited(const struct poly *p, uint64_t machine, const int64_t *point)
{
    for (int v = 0; v < ring_count(poly_ring(p)); v++)
        if ((machine >> v & 1) && point[v] == INT64_MAX && poly_uses(p, v))
            return true;
    return false;
}

static bool divide_up(int64_t a, int64_t b, int64_t *quotient)
{
    if (b <= 0)
        return false;
    *quotient = a / b + (a % b > 0);
    return true;
}

/* Without the cap. */
static bool quotient_evaluate(const struct auxiliary *a, const int64_t *point, int64_t *value)
{
    int64_t numerator, denominator, quotient;
    *value = a->floor;
    if (is_unlimited(a->numerator, a->machine, point) ||
        is_unlimited(a->denominator, a->machine, point))
        return true;
    if (!poly_evaluate(a->numerator, point, &numerator) ||
        !poly_evaluate(a->denominator, point, &denominator))
        return false;
    if (denominator > INT64_MAX / a->multiple ||
        !divide_up(numerator, denominator * a->multiple, &quotient))
        return false;
    if (quotient > INT64_MAX / a->multiple)
        return false;
    if (quotient * a->multiple > a->floor)
        *value = quotient * a->multiple;
    return true;
}

static bool halvings_evaluate(const struct auxiliary *a, const int64_t *point, int64_t *value)
{
    int64_t left;
    if (!poly_evaluate(a->numerator, point, &left))
        return false;
    *value = 0;
    while (left > 1) {
        left -= left / 2;
        (*value)++;
    }
    return true;
}

bool auxiliary_evaluate(const struct auxiliary *a, const int64_t *point, int64_t *value)
{
    int64_t cap;
    if (a->form == AUXILIARY_HALVINGS)
        return halvings_evaluate(a, point, value);
    if (!quotient_evaluate(a, point, value))
        return false;
    if (!a->cap || is_unlimited(a->cap, a->machine, point))
        return true;
    if (!poly_evaluate(a->cap, point, &cap))
        return false;
    *value = *value < cap ? *value : cap;
    return true;
}

bool counter_value_uses(const struct counter_value *value, int variable)
{
    bool used = false;
    for (size_t i = 0; i < value->count; i++) {
        const struct counter_piece *piece = &value->pieces[i];
        used |= poly_uses(piece->numerator, variable) ||
                (piece->denominator && poly_uses(piece->denominator, variable));
        for (size_t k = 0; k < piece->guard.count; k++)
            used |= poly_uses(piece->guard.at[k].poly, variable);
    }
    for (size_t i = 0; i < value->n_auxiliary; i++) {
        const struct auxiliary *a = value->auxiliaries[i];
        if (a->variable != variable &&
            (poly_uses(a->numerator, variable) || poly_uses(a->denominator, variable)))
            used |= counter_value_uses(value, a->variable);
    }
    return used;
}
