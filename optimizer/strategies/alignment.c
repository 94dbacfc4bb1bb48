/* Divisibility of addresses, as conditions on parameters.

   In: polynomials over the names of a kernel (numbers of elements, extents). Out: a condition on
   the parameters alone under which they are divisible by a power of two, whatever threads, blocks
   and loops do. Such a polynomial, written in thread, block and loop variables, is divisible for
   all their values if all its coefficients are. Coefficients are reduced modulo the power of two; a
   product that shall be divisible makes every multiple of it divisible, so that `n % 4 == 0 && B %
   4 == 0` is left of n*B*i + n*r + B*k.
   Invariant: the condition implies each sum that was added; it may ask more than necessary (a
   coefficient may be divisible at the values that occur only). */
#include "ir/async.h"
#include "ir/walk.h"
#include "optimizer/strategies/alignment.h"

/* The names of scalars that are set again, or have no value at first. */
static struct map *assigned_names(struct arena *arena, const struct stmt *body)
{
    struct map *assigned = map_new(arena);
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, arena, body); s; s = stmt_next(&walk))
        if (s->kind == STMT_SET || (s->kind == STMT_LET && !s->value))
            map_put(assigned, s->var->name, (void *)s);
    return assigned;
}

static bool is_fixed(const struct map *assigned, const struct expr *e)
{
    if (e->kind == EXPR_VAR && map_get(assigned, e->var->name))
        return false;
    for (int i = 0; i < e->n_arguments; i++)
        if (!is_fixed(assigned, e->arguments[i]))
            return false;
    return true;
}

/* Does s define an integer once and for all? */
static bool is_definition(const struct map *assigned, const struct stmt *s)
{
    if (s->kind != STMT_LET || !s->value || type_is_floating(s->var->type))
        return false;
    return !map_get(assigned, s->var->name) && is_fixed(assigned, s->value);
}

struct alignment alignment_new(struct arena *arena, const struct kernel *kernel)
{
    struct alignment alignment = {arena, kernel, ring_new(arena), map_new(arena), map_new(arena),
                                  0, NULL};
    const struct map *assigned = assigned_names(arena, kernel->body);
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, arena, kernel->body); s; s = stmt_next(&walk))
        if (is_definition(assigned, s))
            map_put(alignment.values, s->var->name, (void *)s);
    return alignment;
}

void alignment_assume(struct alignment *alignment)
{
    const struct kernel *k = alignment->kernel;
    int at[RING_CAPACITY];
    for (int v = 0; v < ring_count(k->ring); v++)
        at[v] = ring_variable(alignment->ring, ring_name(k->ring, v));
    alignment->facts = ARENA_ARRAY(alignment->arena, struct divisible, k->n_divisible + 1);
    for (int i = 0; i < k->n_divisible; i++)
        alignment->facts[alignment->n_facts++] = (struct divisible){
            poly_map(alignment->ring, k->divisible[i].value, at), k->divisible[i].divisor};
}

/* The variable of a fact that says that a single one is divisible; -1 of any other. */
static int fact_variable(const struct divisible *fact)
{
    struct ring *ring = poly_ring(fact->value);
    for (int v = 0; v < ring_count(ring); v++)
        if (poly_equal(fact->value, poly_variable(ring, v)))
            return v;
    return -1;
}

/* p with d times a number of its own for every parameter that d divides. */
static const struct poly *facts_use(struct alignment *alignment, const struct poly *p)
{
    for (int i = 0; i < alignment->n_facts; i++) {
        const struct divisible *fact = &alignment->facts[i];
        int v = fact_variable(fact), quotient;
        if (v < 0 || !poly_uses(p, v))
            continue;
        quotient = ring_variable(alignment->ring,
                                 arena_printf(alignment->arena, "%s / %lld",
                                              ring_name(alignment->ring, v),
                                              (long long)fact->divisor));
        if (quotient >= 0)
            p = poly_substitute(p, v, poly_scale(poly_variable(alignment->ring, quotient),
                                                 fact->divisor, 1));
    }
    return p;
}

/* The polynomial that defines the variable; NULL if it stands for itself. */
static const struct poly *value_of(struct alignment *alignment, int variable)
{
    const char *name = ring_name(alignment->ring, variable);
    const struct stmt *let = map_get(alignment->values, name);
    if (!let)
        return NULL;
    const struct poly *known = map_get(alignment->fixed, name);
    if (!known) {
        known = alignment_poly(alignment, let->value);
        known = known ? known : poly_variable(alignment->ring, variable);
        map_put(alignment->fixed, name, (void *)known);
    }
    return poly_equal(known, poly_variable(alignment->ring, variable)) ? NULL : known;
}

const struct poly *alignment_poly(struct alignment *alignment, const struct expr *e)
{
    const struct poly *p = expr_poly_exact(alignment->ring, e, alignment->n_facts,
                                           alignment->facts);
    for (int v = 0; p && v < ring_count(alignment->ring); v++) {
        const struct poly *value = poly_uses(p, v) ? value_of(alignment, v) : NULL;
        if (value && poly_total_degree(p) + poly_total_degree(value) > 12)
            return NULL;
        p = value ? poly_substitute(p, v, value) : p;
    }
    return p ? facts_use(alignment, p) : NULL;
}

const struct poly *alignment_flat(struct alignment *alignment, const struct array *array,
                                  const struct expr *const *indices)
{
    const struct poly *flat = poly_integer(alignment->ring, 0);
    for (int d = 0; d < array->n_dims && flat; d++) {
        const struct poly *index = alignment_poly(alignment, indices[d]);
        const struct poly *extent = d ? alignment_poly(alignment, array->dims[d])
                                      : poly_integer(alignment->ring, 0);
        flat = index && extent ? poly_add(poly_mul(flat, extent), index) : NULL;
    }
    return flat;
}

const struct poly *alignment_unit(struct alignment *alignment, const struct poly *flat,
                                  const struct var *var)
{
    int variable = ring_variable(alignment->ring, var->name);
    if (variable < 0 || !flat)
        return NULL;
    const struct poly *rest = poly_sub(flat, poly_variable(alignment->ring, variable));
    return poly_uses(rest, variable) ? NULL : rest;
}

static bool is_parameter(const struct divisibility *d, int variable)
{
    return kernel_param(d->alignment->kernel, ring_name(d->alignment->ring, variable)) != NULL;
}

/* coefficient * product of the variables, those that are parameters (or not). */
static const struct poly *monomial(const struct divisibility *d, int64_t coefficient,
                                   const unsigned *exponents, bool parameters)
{
    struct ring *ring = d->alignment->ring;
    const struct poly *p = poly_integer(ring, coefficient);
    for (int v = 0; v < ring_count(ring); v++)
        if (exponents[v] && is_parameter(d, v) == parameters)
            p = poly_mul(p, poly_power(poly_variable(ring, v), exponents[v]));
    return p;
}

/* Is term an integer multiple of the sum? */
static bool is_multiple(const struct poly *term, const struct poly *sum)
{
    unsigned exponents[RING_CAPACITY];
    int64_t numerator, denominator;
    const struct poly *quotient = poly_terms(sum) == 1 ? poly_divide_exact(term, sum) : NULL;
    return quotient && poly_term(quotient, 0, &numerator, &denominator, exponents) &&
           denominator == 1;
}

/* p with its coefficients between 0 and the modulus, without terms that a condition makes
   divisible; NULL if a coefficient is no integer. */
static const struct poly *remainder_of(const struct divisibility *d, const struct poly *p,
                                       size_t but)
{
    struct ring *ring = d->alignment->ring;
    const struct poly *rest = poly_integer(ring, 0);
    for (size_t i = 0; i < poly_terms(p); i++) {
        unsigned exponents[RING_CAPACITY] = {0};
        int64_t numerator, denominator;
        if (!poly_term(p, i, &numerator, &denominator, exponents) || denominator != 1)
            return NULL;
        numerator = (numerator % d->modulus + d->modulus) % d->modulus;
        const struct poly *term = poly_mul(monomial(d, numerator, exponents, true),
                                           monomial(d, 1, exponents, false));
        bool vanishes = numerator == 0;
        for (size_t k = 0; k < d->sums.count && !vanishes; k++)
            vanishes = k != but && is_multiple(term, d->sums.at[k]);
        rest = vanishes ? rest : poly_add(rest, term);
    }
    return rest;
}

static void sum_add(struct divisibility *d, const struct poly *sum)
{
    for (size_t i = 0; i < d->sums.count; i++)
        if (poly_equal(d->sums.at[i], sum))
            return;
    vec_push(d->alignment->arena, &d->sums, sum);
}

struct divisibility divisions_copy(const struct divisibility *d)
{
    struct divisibility copy = {.alignment = d->alignment,
                                .modulus = d->modulus,
                                .impossible = d->impossible};
    for (size_t i = 0; i < d->sums.count; i++)
        vec_push(d->alignment->arena, &copy.sums, d->sums.at[i]);
    return copy;
}

void divisions_add(struct divisibility *d, const struct poly *p)
{
    VEC(const struct poly *) places = {0}, sums = {0};
    for (size_t i = 0; i < poly_terms(p); i++) {
        unsigned exponents[RING_CAPACITY] = {0};
        int64_t numerator, denominator;
        if (!poly_term(p, i, &numerator, &denominator, exponents) || denominator != 1) {
            d->impossible = true;
            return;
        }
        const struct poly *place = monomial(d, 1, exponents, false),
                          *sum = monomial(d, numerator, exponents, true);
        size_t at = 0;
        while (at < places.count && !poly_equal(places.at[at], place))
            at++;
        if (at == places.count) {
            vec_push(d->alignment->arena, &places, place);
            vec_push(d->alignment->arena, &sums, sum);
        } else {
            sums.at[at] = poly_add(sums.at[at], sum);
        }
    }
    for (size_t i = 0; i < sums.count; i++)
        sum_add(d, sums.at[i]);
}

bool divisions_add_offset(struct divisibility *d, const struct array *array)
{
    if (array->space != SPACE_SHARED || !array->offset)
        return true;
    const struct poly *bytes = alignment_poly(d->alignment, array->offset);
    if (bytes)
        divisions_add(d, poly_scale(bytes, 1, type_bytes(array->element)));
    return bytes != NULL;
}

bool divisions_reduce(struct divisibility *d)
{
    bool changed = true;
    while (changed && !d->impossible) {
        changed = false;
        for (size_t i = 0; i < d->sums.count; i++) {
            const struct poly *rest = remainder_of(d, d->sums.at[i], i);
            d->impossible |= !rest || (poly_is_constant(rest) && !poly_is_zero(rest));
            if (!rest || poly_equal(rest, d->sums.at[i]))
                continue;
            changed = true;
            d->sums.at[i] = rest;
            if (poly_is_zero(rest))
                d->sums.at[i--] = d->sums.at[--d->sums.count];
        }
    }
    return !d->impossible;
}

bool divisions_imply(const struct divisibility *d, const struct poly *p)
{
    const struct poly *rest = remainder_of(d, p, SIZE_MAX);
    return rest && poly_is_zero(rest);
}

const struct expr *divisions_condition(const struct divisibility *d)
{
    struct arena *arena = d->alignment->arena;
    const struct expr *all = NULL;
    for (size_t i = 0; i < d->sums.count; i++) {
        const struct expr *sum = kernel_poly_expr(arena, d->alignment->kernel, d->sums.at[i],
                                                  TYPE_I64);
        if (!sum)
            return expr_integer(arena, TYPE_I32, 0);
        if (sum->kind == EXPR_CAST && sum->arguments[0]->kind == EXPR_VAR)
            sum = sum->arguments[0];
        const struct expr *rest = expr_binary(arena, OP_REM, sum,
                                              expr_integer(arena, sum->type, d->modulus));
        const struct expr *divides = expr_binary(arena, OP_EQ, rest,
                                                 expr_integer(arena, sum->type, 0));
        all = all ? expr_binary(arena, OP_LAND, all, divides) : divides;
    }
    return all;
}

static bool has_vectors(const struct stmt *s, bool private)
{
    if (s->kind == STMT_STORE && s->width) {
        bool is_private = s->array->space == SPACE_PRIVATE ||
                          vector_source(s)->space == SPACE_PRIVATE;
        return is_private == private;
    }
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i] && has_vectors(s->children[i], private))
            return true;
    return false;
}

bool alignment_has_vectors(const struct kernel *kernel, bool private)
{
    return has_vectors(kernel->body, private);
}
