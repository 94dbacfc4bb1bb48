/* Intervals of the real line with exact ends. In: a line cut at roots, a formula in one variable;
   out: the intervals where it holds, each end as an algebraic number (irreducible polynomial and
   isolating interval) and as a ball of Arb's. An irrational end's interval is halved until it is
   narrow and holds no integer, so that the nearest integers can be read off its ends. */
#include "constraints/project/axis.h"
#include <flint/fmpz_poly_factor.h>
#include <stdlib.h>

enum { WIDTH_BITS = 64, DIGITS = 15 };

static const char *rational_text(struct arena *arena, const fmpq_t q)
{
    char *text = fmpq_get_str(NULL, 10, q);
    const char *copy = arena_strdup(arena, text);
    flint_free(text);
    return copy;
}

/* As poly_print writes it, in the variable x. */
static const char *univariate_text(struct arena *arena, const fmpz_poly_struct *p)
{
    struct arena *scratch = arena_new();
    struct ring *ring = ring_new(scratch);
    int x = ring_variable(ring, "x");
    struct poly *poly = poly_new(ring);
    ulong exponents[RING_CAPACITY] = {0};
    fmpq_mpoly_t value;
    fmpq_mpoly_init(value, ring->ctx);
    for (slong i = p->length; i-- > 0;) {
        if (fmpz_is_zero(p->coeffs + i))
            continue;
        exponents[x] = (ulong)i;
        mpoly_push(value->zpoly, p->coeffs + i, exponents, ring->ctx->zctx);
    }
    fmpq_one(value->content);
    fmpq_mpoly_reduce(value, ring->ctx);
    fmpq_mpoly_swap(poly->value, value, ring->ctx);
    fmpq_mpoly_clear(value, ring->ctx);
    const char *text = poly_text(arena, poly);
    arena_free(scratch);
    return text;
}

static const char *ball_text(struct arena *arena, const fmpq_t lo, const fmpq_t hi)
{
    arb_t ball, end;
    arb_init(ball);
    arb_init(end);
    arb_set_fmpq(ball, lo, 2 * WIDTH_BITS);
    arb_set_fmpq(end, hi, 2 * WIDTH_BITS);
    arb_union(ball, ball, end, 2 * WIDTH_BITS);
    char *text = arb_get_str(ball, DIGITS, 0);
    const char *copy = arena_strdup(arena, text);
    flint_free(text);
    arb_clear(ball);
    arb_clear(end);
    return copy;
}

/* Is there no integer in the closed interval? */
static bool integer_free(const fmpq_t lo, const fmpq_t hi)
{
    fmpz_t below, above;
    fmpz_init(below);
    fmpz_init(above);
    fmpz_cdiv_q(below, fmpq_numref(lo), fmpq_denref(lo));
    fmpz_fdiv_q(above, fmpq_numref(hi), fmpq_denref(hi));
    bool none = fmpz_cmp(below, above) > 0;
    fmpz_clear(below);
    fmpz_clear(above);
    return none;
}

/* The only root of p, irrational, in (lo, hi). */
static void narrow(const fmpz_poly_struct *p, fmpq_t lo, fmpq_t hi)
{
    fmpq_t middle, width;
    fmpq_init(middle);
    fmpq_init(width);
    int left = univariate_sign(p, lo);
    for (;;) {
        fmpq_sub(width, hi, lo);
        fmpq_mul_2exp(width, width, WIDTH_BITS);
        if (fmpz_cmp(fmpq_numref(width), fmpq_denref(width)) <= 0 && integer_free(lo, hi))
            break;
        fmpq_add(middle, lo, hi);
        fmpq_div_2exp(middle, middle, 1);
        fmpq_swap(univariate_sign(p, middle) == left ? lo : hi, middle);
    }
    fmpq_clear(middle);
    fmpq_clear(width);
}

static struct algebraic *rational(struct arena *arena, const fmpq *q, const char **decimal)
{
    struct algebraic *value = ARENA_NEW(arena, struct algebraic);
    fmpz_poly_t p;
    fmpz_t c;
    fmpz_poly_init(p);
    fmpz_init(c);
    fmpz_neg(c, fmpq_numref(q));
    fmpz_poly_set_coeff_fmpz(p, 0, c);
    fmpz_poly_set_coeff_fmpz(p, 1, fmpq_denref(q));
    const char *text = rational_text(arena, q);
    *value = (struct algebraic){univariate_text(arena, p), text, text};
    *decimal = ball_text(arena, q, q);
    fmpz_clear(c);
    fmpz_poly_clear(p);
    return value;
}

/* The factor of the line's product whose root lies between the ends, which are no roots. */
static const fmpz_poly_struct *factor_between(const fmpz_poly_factor_t factors,
                                              const struct root *root)
{
    slong i = 0;
    while (i + 1 < factors->num &&
           univariate_sign(factors->p + i, &root->lo) == univariate_sign(factors->p + i, &root->hi))
        i++;
    return factors->p + i;
}

static struct algebraic *irrational(struct arena *arena, const fmpz_poly_struct *p,
                                    const struct root *root, const char **decimal)
{
    struct algebraic *value = ARENA_NEW(arena, struct algebraic);
    fmpq_t lo, hi;
    fmpq_init(lo);
    fmpq_init(hi);
    fmpq_set(lo, &root->lo);
    fmpq_set(hi, &root->hi);
    narrow(p, lo, hi);
    *value = (struct algebraic){univariate_text(arena, p), rational_text(arena, lo),
                                rational_text(arena, hi)};
    *decimal = ball_text(arena, lo, hi);
    fmpq_clear(lo);
    fmpq_clear(hi);
    return value;
}

/* A root that the line has not seen to be rational. */
static struct algebraic *isolated(struct arena *arena, const struct line *line,
                                  const struct root *root, const char **decimal)
{
    fmpz_poly_factor_t factors;
    fmpq_t q;
    fmpz_poly_factor_init(factors);
    fmpq_init(q);
    fmpz_poly_factor(factors, line->product);
    const fmpz_poly_struct *p = factor_between(factors, root);
    struct algebraic *value;
    if (fmpz_poly_degree(p) == 1) {
        fmpq_set_fmpz_frac(q, p->coeffs, p->coeffs + 1);
        fmpq_neg(q, q);
        value = rational(arena, q, decimal);
    } else {
        value = irrational(arena, p, root, decimal);
    }
    fmpq_clear(q);
    fmpz_poly_factor_clear(factors);
    return value;
}

struct endpoint endpoint_of(struct arena *arena, const struct line *line, size_t i, bool infinite,
                            bool open)
{
    struct endpoint end = {.open = open};
    if (infinite)
        return end;
    const struct root *root = line->roots + i;
    end.value = root->rational ? rational(arena, &root->lo, &end.decimal)
                               : isolated(arena, line, root, &end.decimal);
    return end;
}

const struct interval *formula_range(struct arena *arena, struct ring *ring,
                                     const struct formula *f, int variable, size_t *count)
{
    (void)ring;
    VEC(struct interval) list = {0};
    struct arena *scratch = arena_new();
    struct axis *axis = axis_new(scratch, f, variable, -1, NULL);
    axis_cut(axis, NULL, 0, -1, NULL);
    size_t cells = 2 * axis->line->count + 1;
    for (size_t first = 0; first < cells; first++) {
        if (!axis_holds(axis, first))
            continue;
        size_t last = first;
        while (last + 1 < cells && axis_holds(axis, last + 1))
            last++;
        struct interval interval = {
            endpoint_of(arena, axis->line, first % 2 ? first / 2 : first / 2 - 1, !first,
                        first % 2 == 0),
            endpoint_of(arena, axis->line, last / 2, last == cells - 1, last % 2 == 0)};
        vec_push(arena, &list, interval);
        first = last;
    }
    arena_free(scratch);
    *count = list.count;
    return list.at;
}

/* --- integers -------------------------------------------------------------------------------- */

/* The least integer >= (`up`) or the greatest <= the end, one further if that is the end itself and
   it is open. */
static bool nearest(const struct endpoint *end, bool up, int64_t *value)
{
    if (!end->value)
        return false;
    fmpq_t q;
    fmpz_t n;
    fmpq_init(q);
    fmpz_init(n);
    fmpq_set_str(q, up ? end->value->hi : end->value->lo, 10);
    if (up)
        fmpz_cdiv_q(n, fmpq_numref(q), fmpq_denref(q));
    else
        fmpz_fdiv_q(n, fmpq_numref(q), fmpq_denref(q));
    if (end->open && fmpz_is_one(fmpq_denref(q)))
        fmpz_add_si(n, n, up ? 1 : -1);
    bool fits = fmpz_fits_si(n);
    if (fits)
        *value = fmpz_get_si(n);
    fmpq_clear(q);
    fmpz_clear(n);
    return fits;
}

bool interval_first(const struct interval *interval, int64_t *value)
{
    return nearest(&interval->lo, true, value);
}

bool interval_last(const struct interval *interval, int64_t *value)
{
    return nearest(&interval->hi, false, value);
}
