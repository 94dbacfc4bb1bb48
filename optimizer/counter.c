/* Values of counters: constants, polynomials, and bounded auxiliary integers.

   A ceiling or a maximum is no polynomial. It becomes an auxiliary integer with an exact definition, which the dispatcher
   computes, and with polynomial bounds, which the solver knows (spec X-03). The same definition is the same variable.
   Invariant: the bounds hold at every integer point of the initial system where the definition is evaluated exactly. */
#include "optimizer/optimizer.h"

struct counter_value value_poly(struct optimizer *optimizer, const struct poly *value, enum exactness exactness)
{
    struct counter_piece *piece = ARENA_NEW(optimizer->ctx->arena, struct counter_piece);
    piece->guard = sas_empty(optimizer->ring);
    piece->numerator = value;
    piece->exactness = exactness;
    return (struct counter_value){.count = 1, .pieces = piece};
}

struct counter_value value_constant(struct optimizer *optimizer, int64_t value, enum exactness exactness)
{
    return value_poly(optimizer, poly_integer(optimizer->ring, value), exactness);
}

static char *operand_text(struct arena *arena, const struct poly *p)
{
    char *text = poly_text(arena, p);
    bool is_simple = poly_is_constant(p) || (poly_terms(p) == 1 && poly_total_degree(p) == 1);
    return is_simple ? text : arena_printf(arena, "(%s)", text);
}

/* "max(24, 8*ceil(r/8))" */
static const char *auxiliary_text(struct arena *arena, const struct auxiliary *a)
{
    const struct poly *divisor = poly_scale(a->denominator, a->multiple, 1);
    struct str text = str_new(arena);
    bool clamped = a->floor > a->multiple || a->least == INT64_MIN;
    if (clamped)
        str_addf(&text, "max(%lld, ", (long long)a->floor);
    if (a->multiple != 1)
        str_addf(&text, "%lld*", (long long)a->multiple);
    str_addf(&text, "ceil(%s/%s)", operand_text(arena, a->numerator), operand_text(arena, divisor));
    str_add(&text, clamped ? ")" : "");
    return text.text;
}

/* What denominator*v exceeds the numerator by at most: multiple*denominator - 1 where the ceiling decides (in integers),
   floor*denominator - least where the floor does. */
static const struct poly *auxiliary_slack(const struct auxiliary *a)
{
    int64_t one;
    struct ring *ring = poly_ring(a->numerator);
    const struct poly *ceiling = poly_sub(poly_scale(a->denominator, a->multiple, 1), poly_integer(ring, 1));
    if (a->floor <= 0 || (a->floor <= a->multiple && a->least >= 1))
        return ceiling;
    if (poly_get_integer(a->denominator, &one) && one == 1 && a->floor - a->least <= a->multiple - 1)
        return ceiling;
    return poly_add(poly_scale(a->denominator, a->floor + a->multiple, 1), poly_integer(ring, -a->least));
}

/* floor <= v, numerator <= denominator*v <= numerator + slack. */
static struct sas auxiliary_bounds(struct arena *arena, const struct auxiliary *a)
{
    struct ring *ring = poly_ring(a->numerator);
    const struct poly *v = poly_variable(ring, a->variable), *scaled = poly_mul(a->denominator, v);
    struct sas facts = sas_empty(ring);
    facts = sas_add(arena, facts, constraint_make(poly_integer(ring, a->floor), RELATION_LE, v));
    facts = sas_add(arena, facts, constraint_make(a->numerator, RELATION_LE, scaled));
    if (a->least == INT64_MIN)
        return facts;
    return sas_add(arena, facts, constraint_make(scaled, RELATION_LE, poly_add(a->numerator, auxiliary_slack(a))));
}

void auxiliary_define(struct arena *arena, struct auxiliary *auxiliary)
{
    auxiliary->text = auxiliary_text(arena, auxiliary);
    auxiliary->facts = auxiliary_bounds(arena, auxiliary);
}

const struct auxiliary *optimizer_auxiliary(struct optimizer *optimizer, const char *stem, const struct auxiliary *definition)
{
    struct arena *arena = optimizer->ctx->arena;
    for (size_t i = 0; i < optimizer->auxiliaries.count; i++) {
        const struct auxiliary *old = optimizer->auxiliaries.at[i];
        if (old->multiple == definition->multiple && old->floor == definition->floor &&
            poly_equal(old->numerator, definition->numerator) && poly_equal(old->denominator, definition->denominator))
            return old;
    }
    const char *name = stem;
    const struct kernel *kernel = optimizer->region->kernel;
    for (int i = 2; ring_find(optimizer->ring, name) >= 0 || kernel_param(kernel, name) || kernel_array(kernel, name); i++)
        name = arena_printf(arena, "%s_%d", stem, i);
    struct auxiliary *new = ARENA_NEW(arena, struct auxiliary);
    *new = *definition;
    new->name = name;
    new->variable = ring_variable(optimizer->ring, name);
    if (new->variable < 0) {
        diag_error(optimizer->ctx, optimizer->region->loc, "too many parameters in one region");
        return NULL;
    }
    auxiliary_define(arena, new);
    vec_push(arena, &optimizer->auxiliaries, new);
    return new;
}

static bool divide_up(int64_t a, int64_t b, int64_t *quotient)
{
    if (b <= 0)
        return false;
    *quotient = a / b + (a % b > 0);
    return true;
}

bool auxiliary_evaluate(const struct auxiliary *a, const int64_t *point, int64_t *value)
{
    int64_t numerator, denominator, quotient;
    if (!poly_evaluate(a->numerator, point, &numerator) || !poly_evaluate(a->denominator, point, &denominator))
        return false;
    if (denominator > INT64_MAX / a->multiple || !divide_up(numerator, denominator * a->multiple, &quotient))
        return false;
    if (quotient > INT64_MAX / a->multiple)
        return false;
    *value = quotient * a->multiple > a->floor ? quotient * a->multiple : a->floor;
    return true;
}
