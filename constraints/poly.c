/* Polynomials: a thin, immutable face of FLINT's fmpq_mpoly. In: polynomials of one ring; out: a
   new one in the ring's arena, cleared by a registered clean-up. Temporaries that no caller sees
   are cleared on the way out, so the arena holds results only. Guards stand in front of every
   operation that can grow: FLINT would go on until memory is gone, here the result is NULL (see
   poly.h). Degrees stay below POLY_DEGREE_LIMIT, hence the unsigned and signed word versions of
   FLINT's exponent functions never throw. Source: FLINT 2.9 manual, fmpq_mpoly. */
#include "constraints/ring.h"
#include <assert.h>

const struct poly *poly_integer(struct ring *ring, int64_t value)
{
    bool is_kept = value == 0 || value == 1;
    if (is_kept && ring->kept[value])
        return ring->kept[value];
    struct poly *p = poly_new(ring);
    fmpq_mpoly_set_si(p->value, value, ring->ctx);
    if (is_kept)
        ring->kept[value] = p;
    return p;
}

/* numerator / denominator in lowest terms; the denominator may be negative, not zero. */
static void rational_set(fmpq_t q, int64_t numerator, int64_t denominator)
{
    assert(denominator != 0);
    fmpz_set_si(fmpq_numref(q), numerator);
    fmpz_set_si(fmpq_denref(q), denominator);
    fmpq_canonicalise(q);
}

const struct poly *poly_rational(struct ring *ring, int64_t numerator, int64_t denominator)
{
    struct poly *p = poly_new(ring);
    fmpq_t q;
    fmpq_init(q);
    rational_set(q, numerator, denominator);
    fmpq_mpoly_set_fmpq(p->value, q, ring->ctx);
    fmpq_clear(q);
    return p;
}

const struct poly *poly_variable(struct ring *ring, int variable)
{
    if (ring->variables[variable])
        return ring->variables[variable];
    struct poly *p = poly_new(ring);
    fmpq_mpoly_gen(p->value, variable, ring->ctx);
    ring->variables[variable] = p;
    return p;
}

struct ring *poly_ring(const struct poly *p)
{
    return p->ring;
}

const struct poly *poly_add(const struct poly *p, const struct poly *q)
{
    if (!p || !q)
        return NULL;
    if (p->ring == q->ring && poly_is_zero(q))
        return p;
    if (p->ring == q->ring && poly_is_zero(p))
        return q;
    struct poly *sum = poly_new(p->ring);
    fmpq_mpoly_add(sum->value, p->value, q->value, p->ring->ctx);
    return sum;
}

const struct poly *poly_sub(const struct poly *p, const struct poly *q)
{
    if (!p || !q)
        return NULL;
    if (poly_is_zero(q))
        return p;
    struct poly *difference = poly_new(p->ring);
    fmpq_mpoly_sub(difference->value, p->value, q->value, p->ring->ctx);
    return difference;
}

static bool product_fits(const fmpq_mpoly_t p, const fmpq_mpoly_t q, const fmpq_mpoly_ctx_t ctx)
{
    slong products = fmpq_mpoly_length(p, ctx) * fmpq_mpoly_length(q, ctx);
    slong degree =
        mpoly_total_degree(p->zpoly, ctx->zctx) + mpoly_total_degree(q->zpoly, ctx->zctx);
    return products <= POLY_PRODUCT_LIMIT && degree <= POLY_DEGREE_LIMIT;
}

const struct poly *poly_mul(const struct poly *p, const struct poly *q)
{
    if (!p || !q || !product_fits(p->value, q->value, p->ring->ctx))
        return NULL;
    if (fmpq_mpoly_is_one(q->value, q->ring->ctx))
        return p;
    if (p->ring == q->ring && fmpq_mpoly_is_one(p->value, p->ring->ctx))
        return q;
    struct poly *product = poly_new(p->ring);
    if (poly_is_constant(q))
        fmpq_mpoly_scalar_mul_fmpq(product->value, p->value, q->value->content, p->ring->ctx);
    else if (poly_is_constant(p))
        fmpq_mpoly_scalar_mul_fmpq(product->value, q->value, p->value->content, p->ring->ctx);
    else
        fmpq_mpoly_mul(product->value, p->value, q->value, p->ring->ctx);
    return product;
}

/* Does p live as long as its ring's results? */
static bool is_lasting(const struct poly *p)
{
    return p->arena == p->ring->arena;
}

const struct poly *poly_neg(const struct poly *p)
{
    return poly_scale(p, -1, 1);
}

const struct poly *poly_scale(const struct poly *p, int64_t numerator, int64_t denominator)
{
    if (!p)
        return NULL;
    if (numerator == denominator && denominator != 0 && is_lasting(p))
        return p;
    struct poly *scaled = poly_new(p->ring);
    fmpq_t q;
    fmpq_init(q);
    rational_set(q, numerator, denominator);
    fmpq_mpoly_scalar_mul_fmpq(scaled->value, p->value, q, p->ring->ctx);
    fmpq_clear(q);
    return scaled;
}

/* *power = base^exponent by repeated multiplication with a guard before each; false beyond the
   limits. */
static bool power_set(fmpq_mpoly_t power, const fmpq_mpoly_t base, unsigned exponent,
                      const fmpq_mpoly_ctx_t ctx)
{
    fmpq_mpoly_one(power, ctx);
    if (fmpq_mpoly_length(base, ctx) <= 1) {
        slong degree = mpoly_total_degree(base->zpoly, ctx->zctx);
        return (degree <= 0 ? (slong)exponent : degree * (slong)exponent) <= POLY_DEGREE_LIMIT &&
               fmpq_mpoly_pow_ui(power, base, exponent, ctx);
    }
    for (unsigned i = 0; i < exponent; i++) {
        if (!product_fits(power, base, ctx))
            return false;
        fmpq_mpoly_mul(power, power, base, ctx);
    }
    return true;
}

const struct poly *poly_power(const struct poly *p, unsigned exponent)
{
    if (!p || (exponent == 1 && is_lasting(p)))
        return p;
    if (exponent == 0)
        return poly_integer(p->ring, 1);
    struct poly *power = poly_new(p->ring);
    return power_set(power->value, p->value, exponent, p->ring->ctx) ? power : NULL;
}

static void coefficient_set(fmpq_mpoly_t coefficient, const struct poly *p, int variable,
                            unsigned exponent)
{
    mpoly_take_coefficient(coefficient->zpoly, p->value->zpoly, variable, exponent,
                           p->ring->ctx->zctx);
    fmpq_set(coefficient->content, p->value->content);
    fmpq_mpoly_reduce(coefficient, p->ring->ctx);
}

/* Horner's scheme over the coefficients of `variable`. */
const struct poly *poly_substitute(const struct poly *p, int variable, const struct poly *q)
{
    if (!p || !q)
        return NULL;
    struct ring *ring = p->ring;
    unsigned degree = poly_degree(p, variable);
    if (degree == 0 && is_lasting(p))
        return p;
    struct poly *result = poly_new(ring);
    fmpq_mpoly_t coefficient;
    fmpq_mpoly_init(coefficient, ring->ctx);
    bool fits = true;
    coefficient_set(result->value, p, variable, degree);
    for (unsigned k = degree; fits && k-- > 0;) {
        fits = product_fits(result->value, q->value, ring->ctx);
        if (!fits)
            break;
        fmpq_mpoly_mul(result->value, result->value, q->value, ring->ctx);
        coefficient_set(coefficient, p, variable, k);
        fmpq_mpoly_add(result->value, result->value, coefficient, ring->ctx);
        fits = mpoly_total_degree(result->value->zpoly, ring->ctx->zctx) <= POLY_DEGREE_LIMIT;
    }
    fmpq_mpoly_clear(coefficient, ring->ctx);
    return fits ? result : NULL;
}

/* Does every variable of p keep its number? */
static bool keeps_variables(const struct poly *p, const int *at)
{
    for (int v = 0; v < ring_count(p->ring); v++)
        if (at[v] != v && poly_uses(p, v))
            return false;
    return true;
}

/* A constant, whose value is its content, needs no exponents: most coefficients are constants. */
static bool constant_copy(struct poly *to, const struct poly *p)
{
    if (!fmpq_mpoly_is_fmpq(p->value, p->ring->ctx))
        return false;
    fmpq_mpoly_set_fmpq(to->value, p->value->content, to->ring->ctx);
    return true;
}

/* The terms in order, like ones as one; the first coefficient is made positive, the content takes
   the sign. */
static void terms_sort(fmpq_mpoly_t value, const fmpq_mpoly_ctx_t ctx)
{
    if (mpoly_is_sorted(value->zpoly, ctx->zctx))
        return;
    fmpz_mpoly_sort_terms(value->zpoly, ctx->zctx);
    fmpz_mpoly_combine_like_terms(value->zpoly, ctx->zctx);
    fmpq_mpoly_reduce(value, ctx);
}

/* The order of terms may change with the names, and with it which coefficient leads. */
const struct poly *poly_rename(struct ring *to, const struct poly *p, const int *at)
{
    ulong before[RING_CAPACITY];
    if (!p || (p->ring == to && keeps_variables(p, at)))
        return p;
    struct poly *renamed = poly_new(to);
    if (constant_copy(renamed, p))
        return renamed;
    fmpq_mpoly_struct *value = renamed->value;
    const fmpz_mpoly_struct *from = p->value->zpoly;
    for (slong i = 0; i < from->length; i++) {
        ulong after[RING_CAPACITY] = {0};
        mpoly_exponents(before, from, i, p->ring->ctx->zctx);
        for (int v = 0; v < RING_CAPACITY; v++)
            if (before[v] > 0)
                after[at[v]] += before[v];
        mpoly_push(value->zpoly, from->coeffs + i, after, to->ctx->zctx);
    }
    fmpq_set(value->content, p->value->content);
    terms_sort(value, to->ctx);
    return renamed;
}

const struct poly *poly_divide_exact(const struct poly *p, const struct poly *q)
{
    if (!p || !q || poly_is_zero(q))
        return NULL;
    if (poly_is_constant(q)) {
        struct poly *part = poly_new(p->ring);
        fmpq_mpoly_scalar_div_fmpq(part->value, p->value, q->value->content, p->ring->ctx);
        return part;
    }
    if (!mpoly_may_divide(q->value->zpoly, p->value->zpoly, p->ring->ctx->zctx))
        return NULL;
    struct poly *quotient = poly_new(p->ring);
    return fmpq_mpoly_divides(quotient->value, p->value, q->value, p->ring->ctx) ? quotient : NULL;
}

bool poly_equal(const struct poly *p, const struct poly *q)
{
    return p == q || (p->value->zpoly->length == q->value->zpoly->length &&
                      fmpq_mpoly_equal(p->value, q->value, p->ring->ctx));
}

bool poly_is_zero(const struct poly *p)
{
    return fmpq_mpoly_is_zero(p->value, p->ring->ctx);
}

bool poly_is_constant(const struct poly *p)
{
    return fmpq_mpoly_is_fmpq(p->value, p->ring->ctx);
}

bool poly_get_integer(const struct poly *p, int64_t *value)
{
    if (!poly_is_constant(p))
        return false;
    fmpq_t q;
    fmpq_init(q);
    fmpq_mpoly_get_fmpq(q, p->value, p->ring->ctx);
    bool fits = fmpz_is_one(fmpq_denref(q)) && fmpz_fits_si(fmpq_numref(q));
    if (fits)
        *value = fmpz_get_si(fmpq_numref(q));
    fmpq_clear(q);
    return fits;
}

unsigned poly_degree(const struct poly *p, int variable)
{
    slong degree = mpoly_degree_in(p->value->zpoly, variable, p->ring->ctx->zctx);
    return degree > 0 ? (unsigned)degree : 0;
}

unsigned poly_total_degree(const struct poly *p)
{
    slong degree = mpoly_total_degree(p->value->zpoly, p->ring->ctx->zctx);
    return degree > 0 ? (unsigned)degree : 0;
}

bool poly_uses(const struct poly *p, int variable)
{
    return poly_degree(p, variable) > 0;
}

const struct poly *poly_coefficient(const struct poly *p, int variable, unsigned exponent)
{
    struct poly *coefficient = poly_new(p->ring);
    coefficient_set(coefficient->value, p, variable, exponent);
    return coefficient;
}

/* p is its content times a primitive polynomial. */
int64_t poly_denominator(const struct poly *p)
{
    const fmpz *denominator = fmpq_denref(p->value->content);
    return fmpz_fits_si(denominator) ? fmpz_get_si(denominator) : 0;
}

size_t poly_terms(const struct poly *p)
{
    return (size_t)fmpq_mpoly_length(p->value, p->ring->ctx);
}

bool poly_term(const struct poly *p, size_t i, int64_t *numerator, int64_t *denominator,
               unsigned exponents[RING_CAPACITY])
{
    mpoly_exponents_small(exponents, p->value->zpoly, (slong)i, p->ring->ctx->zctx);
    const fmpz *coefficient = p->value->zpoly->coeffs + i;
    if (fmpq_is_one(p->value->content) && fmpz_fits_si(coefficient)) {
        *numerator = fmpz_get_si(coefficient);
        *denominator = 1;
        return true;
    }
    fmpq_t q;
    fmpq_init(q);
    fmpq_mpoly_get_term_coeff_fmpq(q, p->value, (slong)i, p->ring->ctx);
    bool fits = fmpz_fits_si(fmpq_numref(q)) && fmpz_fits_si(fmpq_denref(q));
    if (fits) {
        *numerator = fmpz_get_si(fmpq_numref(q));
        *denominator = fmpz_get_si(fmpq_denref(q));
    }
    fmpq_clear(q);
    return fits;
}

const struct poly *poly_map(struct ring *ring, const struct poly *p, const int *variables)
{
    const fmpz_mpoly_struct *from = p->value->zpoly;
    struct poly *mapped = poly_new(ring);
    fmpq_mpoly_struct *value = mapped->value;
    if (constant_copy(mapped, p))
        return mapped;
    for (slong i = 0; i < from->length; i++) {
        ulong exponents[RING_CAPACITY], moved[RING_CAPACITY] = {0};
        mpoly_exponents(exponents, from, i, p->ring->ctx->zctx);
        for (int v = 0; v < p->ring->count; v++)
            if (exponents[v])
                moved[variables[v]] += exponents[v];
        mpoly_push(value->zpoly, from->coeffs + i, moved, ring->ctx->zctx);
    }
    fmpq_set(value->content, p->value->content);
    terms_sort(value, ring->ctx);
    return mapped;
}

/* Value at a point with the given numerators and denominators (NULL: all 1). */
static bool value_set(fmpq_t value, const struct poly *p, const int64_t *numerators,
                      const int64_t *denominators)
{
    fmpq at[RING_CAPACITY];
    fmpq *pointers[RING_CAPACITY];
    for (int v = 0; v < RING_CAPACITY; v++) {
        pointers[v] = &at[v];
        fmpq_init(&at[v]);
        if (v < p->ring->count)
            rational_set(&at[v], numerators[v], denominators ? denominators[v] : 1);
    }
    bool done = fmpq_mpoly_evaluate_all_fmpq(value, p->value, pointers, p->ring->ctx);
    for (int v = 0; v < RING_CAPACITY; v++)
        fmpq_clear(&at[v]);
    return done;
}

/* The value where p has integer coefficients and no step leaves 64 bits. */
static bool word_evaluate(const struct poly *p, const int64_t *point, int64_t *value)
{
    const fmpq *content = p->value->content;
    return fmpz_is_one(fmpq_denref(content)) && fmpz_fits_si(fmpq_numref(content)) &&
           poly_primitive_value(p, point, value) &&
           !__builtin_mul_overflow(*value, fmpz_get_si(fmpq_numref(content)), value);
}

bool poly_evaluate(const struct poly *p, const int64_t *point, int64_t *value)
{
    if (word_evaluate(p, point, value))
        return true;
    fmpq_t q;
    fmpq_init(q);
    bool fits =
        value_set(q, p, point, NULL) && fmpz_is_one(fmpq_denref(q)) && fmpz_fits_si(fmpq_numref(q));
    if (fits)
        *value = fmpz_get_si(fmpq_numref(q));
    fmpq_clear(q);
    return fits;
}

int poly_sign_at(const struct poly *p, const int64_t *numerators, const int64_t *denominators)
{
    fmpq_t q;
    fmpq_init(q);
    value_set(q, p, numerators, denominators);
    int sign = fmpq_sgn(q);
    fmpq_clear(q);
    return sign;
}

void poly_primitive(fmpz_mpoly_t primitive, const struct poly *p)
{
    const fmpz_mpoly_ctx_struct *ctx = p->ring->ctx->zctx;
    if (fmpq_sgn(p->value->content) < 0)
        fmpz_mpoly_neg(primitive, p->value->zpoly, ctx);
    else
        fmpz_mpoly_set(primitive, p->value->zpoly, ctx);
}
