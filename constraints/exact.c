/* Exact numbers for output. In: witnesses and constants; out: values, each a qqbar of FLINT or
   Calcium, cleared with its arena. Everything here is exact, decides equality and may be slow: it
   stands behind get-value and get-model only. Degrees and sizes are limited before each operation,
   so that no resultant gets out of hand. */
#include "constraints/exact.h"
#include "constraints/ring.h"

enum { EXACT_DEGREE = 60, EXACT_BITS = 1 << 16 };

struct exact {
    qqbar_t number;
};

static void exact_clear(void *object)
{
    qqbar_clear(((struct exact *)object)->number);
}

static struct exact *exact_new(struct arena *arena)
{
    struct exact *value = ARENA_NEW(arena, struct exact);
    qqbar_init(value->number);
    arena_on_free(arena, exact_clear, value);
    return value;
}

const struct exact *exact_fraction(struct arena *arena, int64_t numerator, int64_t denominator)
{
    struct exact *value = exact_new(arena);
    fmpq_t q;
    fmpq_init(q);
    fmpz_set_si(fmpq_numref(q), numerator);
    fmpz_set_si(fmpq_denref(q), denominator);
    fmpq_canonicalise(q);
    qqbar_set_fmpq(value->number, q);
    fmpq_clear(q);
    return value;
}

const struct exact *exact_constant(struct arena *arena, const struct poly *p)
{
    struct exact *value = exact_new(arena);
    fmpq_t q;
    fmpq_init(q);
    fmpq_mpoly_get_fmpq(q, p->value, p->ring->ctx);
    qqbar_set_fmpq(value->number, q);
    fmpq_clear(q);
    return value;
}

/* The text of a polynomial in x, as coefficients. */
static bool univariate_read(fmpz_poly_t coefficients, const char *text)
{
    struct arena *scratch = arena_new();
    struct ring *ring = ring_new(scratch);
    const char *error = NULL;
    ring_variable(ring, "x");
    const struct poly *p = poly_read(ring, text, &error);
    bool ok = p && ring_count(ring) == 1;
    for (slong i = 0; ok && i < p->value->zpoly->length; i++) {
        ulong exponents[RING_CAPACITY];
        mpoly_exponents(exponents, p->value->zpoly, i, ring->ctx->zctx);
        fmpz_poly_set_coeff_fmpz(coefficients, (slong)exponents[0], p->value->zpoly->coeffs + i);
    }
    arena_free(scratch);
    return ok;
}

/* lo <= x <= hi for numbers as text? */
static bool between(const qqbar_t x, const char *lo, const char *hi)
{
    fmpq_t q;
    qqbar_t bound;
    fmpq_init(q);
    qqbar_init(bound);
    bool ok = fmpq_set_str(q, lo, 10) == 0;
    qqbar_set_fmpq(bound, q);
    ok = ok && qqbar_cmp_re(bound, x) <= 0 && fmpq_set_str(q, hi, 10) == 0;
    qqbar_set_fmpq(bound, q);
    ok = ok && qqbar_cmp_re(x, bound) <= 0;
    qqbar_clear(bound);
    fmpq_clear(q);
    return ok;
}

const struct exact *exact_algebraic(struct arena *arena, const struct algebraic *a)
{
    struct exact *value = NULL;
    fmpz_poly_t p;
    fmpz_poly_init(p);
    slong degree = univariate_read(p, a->polynomial) ? fmpz_poly_degree(p) : 0;
    if (degree > 0) {
        qqbar_ptr roots = _qqbar_vec_init(degree);
        qqbar_roots_fmpz_poly(roots, p, QQBAR_ROOTS_UNSORTED);
        for (slong i = 0; i < degree && !value; i++)
            if (qqbar_is_real(roots + i) && between(roots + i, a->lo, a->hi)) {
                value = exact_new(arena);
                qqbar_set(value->number, roots + i);
            }
        _qqbar_vec_clear(roots, degree);
    }
    fmpz_poly_clear(p);
    return value;
}

const struct exact *exact_witness(struct arena *arena, const struct witness *witness, int variable)
{
    size_t v = (size_t)variable;
    if (v >= witness->count)
        return exact_fraction(arena, 0, 1);
    if (witness->algebraic && witness->algebraic[v])
        return exact_algebraic(arena, witness->algebraic[v]);
    return exact_fraction(arena, witness->numerator[v], witness->denominator[v]);
}

/* --- arithmetic ------------------------------------------------------------------------------ */

typedef void (*binary_operation)(qqbar_t result, const qqbar_t a, const qqbar_t b);

static const struct exact *binary(struct arena *arena, binary_operation operation,
                                  const struct exact *a, const struct exact *b)
{
    if (!a || !b || !qqbar_binop_within_limits(a->number, b->number, EXACT_DEGREE, EXACT_BITS))
        return NULL;
    struct exact *value = exact_new(arena);
    operation(value->number, a->number, b->number);
    return value;
}

const struct exact *exact_add(struct arena *arena, const struct exact *a, const struct exact *b)
{
    return binary(arena, qqbar_add, a, b);
}

const struct exact *exact_sub(struct arena *arena, const struct exact *a, const struct exact *b)
{
    return binary(arena, qqbar_sub, a, b);
}

const struct exact *exact_mul(struct arena *arena, const struct exact *a, const struct exact *b)
{
    return binary(arena, qqbar_mul, a, b);
}

const struct exact *exact_div(struct arena *arena, const struct exact *a, const struct exact *b)
{
    return b && !qqbar_is_zero(b->number) ? binary(arena, qqbar_div, a, b) : NULL;
}

const struct exact *exact_power(struct arena *arena, const struct exact *a, unsigned exponent)
{
    if (!a || (uint64_t)exponent * (uint64_t)qqbar_height_bits(a->number) > EXACT_BITS)
        return NULL;
    struct exact *value = exact_new(arena);
    qqbar_pow_ui(value->number, a->number, exponent);
    return value;
}

const struct exact *exact_floor(struct arena *arena, const struct exact *a)
{
    if (!a)
        return NULL;
    struct exact *value = exact_new(arena);
    fmpz_t n;
    fmpz_init(n);
    qqbar_floor(n, a->number);
    qqbar_set_fmpz(value->number, n);
    fmpz_clear(n);
    return value;
}

int exact_sign(const struct exact *a)
{
    return qqbar_sgn_re(a->number);
}

int exact_compare(const struct exact *a, const struct exact *b)
{
    return qqbar_cmp_re(a->number, b->number);
}

bool exact_is_integer(const struct exact *a)
{
    return qqbar_is_integer(a->number);
}

static const struct exact *term_at(struct arena *arena, const struct poly *p, slong term,
                                   const struct exact *const *point)
{
    ulong exponents[RING_CAPACITY];
    fmpq_t q;
    fmpq_init(q);
    struct exact *coefficient = exact_new(arena);
    fmpq_mpoly_get_term_coeff_fmpq(q, p->value, term, p->ring->ctx);
    mpoly_exponents(exponents, p->value->zpoly, term, p->ring->ctx->zctx);
    qqbar_set_fmpq(coefficient->number, q);
    fmpq_clear(q);
    const struct exact *product = coefficient;
    for (int v = 0; v < RING_CAPACITY; v++)
        if (exponents[v])
            product =
                exact_mul(arena, product, exact_power(arena, point[v], (unsigned)exponents[v]));
    return product;
}

const struct exact *exact_at(struct arena *arena, const struct poly *p,
                             const struct exact *const *point)
{
    const struct exact *sum = exact_fraction(arena, 0, 1);
    for (slong i = 0; p && i < fmpq_mpoly_length(p->value, p->ring->ctx); i++)
        sum = exact_add(arena, sum, term_at(arena, p, i, point));
    return p ? sum : NULL;
}

/* --- printing -------------------------------------------------------------------------------- */

static void integer_print(struct str *out, const fmpz_t n, const char *suffix)
{
    char *text = fmpz_get_str(NULL, 10, n);
    str_addf(out, fmpz_sgn(n) < 0 ? "(- %s%s)" : "%s%s", text + (fmpz_sgn(n) < 0), suffix);
    flint_free(text);
}

static void rational_print(struct str *out, const fmpq_t q, bool real)
{
    if (fmpz_is_one(fmpq_denref(q))) {
        integer_print(out, fmpq_numref(q), real ? ".0" : "");
        return;
    }
    char *text = fmpz_get_str(NULL, 10, fmpq_numref(q)),
         *below = fmpz_get_str(NULL, 10, fmpq_denref(q));
    bool negative = fmpq_sgn(q) < 0;
    str_addf(out, negative ? "(- (/ %s %s))" : "(/ %s %s)", text + negative, below);
    flint_free(text);
    flint_free(below);
}

static void power_print(struct str *out, const fmpz_t coefficient, slong exponent)
{
    bool unit = fmpz_is_one(coefficient) && exponent;
    if (exponent && !unit)
        str_add(out, "(* ");
    if (!unit)
        integer_print(out, coefficient, "");
    if (exponent)
        str_addf(out, exponent > 1 ? "%s(^ x %ld)" : "%sx", unit ? "" : " ", (long)exponent);
    if (exponent && !unit)
        str_char(out, ')');
}

/* How many real roots of its polynomial are not greater? */
static slong root_index(const qqbar_t x)
{
    slong degree = qqbar_degree(x), index = 0;
    qqbar_ptr roots = _qqbar_vec_init(degree);
    qqbar_conjugates(roots, x);
    for (slong i = 0; i < degree; i++)
        index += qqbar_is_real(roots + i) && qqbar_cmp_re(roots + i, x) <= 0;
    _qqbar_vec_clear(roots, degree);
    return index;
}

static void root_print(struct str *out, const qqbar_t x)
{
    const fmpz_poly_struct *p = QQBAR_POLY(x);
    str_add(out, "(root-obj (+");
    for (slong i = fmpz_poly_degree(p); i >= 0; i--)
        if (!fmpz_is_zero(p->coeffs + i)) {
            str_char(out, ' ');
            power_print(out, p->coeffs + i, i);
        }
    str_addf(out, ") %ld)", (long)root_index(x));
}

void exact_print(struct str *out, const struct exact *a, bool real)
{
    if (!qqbar_is_rational(a->number)) {
        root_print(out, a->number);
        return;
    }
    fmpq_t q;
    fmpq_init(q);
    qqbar_get_fmpq(q, a->number);
    rational_print(out, q, real);
    fmpq_clear(q);
}
