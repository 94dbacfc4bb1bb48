/* What a conjunction of atoms says about signs. In: atoms; out: for each shape (a polynomial
   without its constant) the interval and the holes of its value, so that x - 3 > 0 is known from x
   - 5 >= 0; for other polynomials the sign rule on the positive orthant: every variable is counted
   from its bound, and if then all coefficients have one sign, so has the polynomial. Bounds are
   remembered as the polynomials they came from, so that they can be written as atoms again. */
#include "constraints/project/work.h"
#include <string.h>

enum { SHIFT_TERMS = 24, SHIFT_DEGREE = 12 };

struct theory *theory_copy(struct work *w, const struct theory *theory)
{
    struct theory *copy = ARENA_NEW(w->arena, struct theory);
    if (!theory)
        return copy;
    for (size_t i = 0; i < theory->known.count; i++)
        vec_push(w->arena, &copy->known, theory->known.at[i]);
    for (size_t i = 0; i < theory->products.count; i++)
        vec_push(w->arena, &copy->products, theory->products.at[i]);
    work_charge(w, theory->known.count);
    return copy;
}

static struct known *theory_find(const struct theory *theory, const struct polynomial *shape)
{
    for (size_t i = 0; theory && i < theory->known.count; i++)
        if (theory->known.at[i].shape == shape)
            return theory->known.at + i;
    return NULL;
}

const struct known *theory_known(const struct theory *theory, const struct polynomial *shape)
{
    return theory_find(theory, shape);
}

static int compare(const struct polynomial *a, const struct polynomial *b)
{
    return fmpq_cmp(a->threshold, b->threshold);
}

static void bound_raise(struct known *known, const struct polynomial *bound, bool strict)
{
    int order = known->lo ? compare(bound, known->lo) : 1;
    if (order > 0 || (order == 0 && strict)) {
        known->lo = bound;
        known->lo_strict = strict;
    }
}

static void bound_lower(struct known *known, const struct polynomial *bound, bool strict)
{
    int order = known->hi ? compare(bound, known->hi) : -1;
    if (order < 0 || (order == 0 && strict)) {
        known->hi = bound;
        known->hi_strict = strict;
    }
}

/* Holes at an end make it strict. False if no value is left. */
static bool settle(struct known *known)
{
    for (size_t i = 0; i < known->holes.count; i++) {
        known->lo_strict |= known->lo && compare(known->holes.at[i], known->lo) == 0;
        known->hi_strict |= known->hi && compare(known->holes.at[i], known->hi) == 0;
    }
    if (!known->lo || !known->hi)
        return true;
    int order = compare(known->lo, known->hi);
    return order < 0 || (order == 0 && !known->lo_strict && !known->hi_strict);
}

/* Holes are copied before they change: copies of a theory share them. */
static void hole_add(struct work *w, struct known *known, const struct polynomial *hole)
{
    const struct polynomial **holes =
        ARENA_ARRAY(w->arena, const struct polynomial *, known->holes.count + 1);
    if (known->holes.count)
        memcpy(holes, known->holes.at, known->holes.count * sizeof *holes);
    holes[known->holes.count] = hole;
    known->holes.at = holes;
    known->holes.capacity = ++known->holes.count;
}

bool theory_add(struct work *w, struct theory *theory, const struct node *atom)
{
    if (atom->kind != NODE_ATOM)
        return atom->kind != NODE_FALSE;
    if (atom->count > 1) {
        vec_push(w->arena, &theory->products, atom);
        return true;
    }
    const struct polynomial *p = atom->factors[0];
    struct known *known = theory_find(theory, p->shape);
    if (!known) {
        vec_push(w->arena, &theory->known, ((struct known){.shape = p->shape}));
        known = &vec_last(&theory->known);
    }
    if (!(atom->signs & SIGN_NEGATIVE))
        bound_raise(known, p, !(atom->signs & SIGN_ZERO));
    if (!(atom->signs & SIGN_POSITIVE))
        bound_lower(known, p, !(atom->signs & SIGN_ZERO));
    if (atom->signs == (SIGN_NEGATIVE | SIGN_POSITIVE))
        hole_add(w, known, p);
    return settle(known);
}

static unsigned known_signs(const struct known *known, const struct polynomial *p)
{
    int lo = known->lo ? compare(known->lo, p) : -1, hi = known->hi ? compare(known->hi, p) : 1;
    unsigned signs = (lo < 0 ? SIGN_NEGATIVE : 0u) | (hi > 0 ? SIGN_POSITIVE : 0u);
    bool zero =
        (lo < 0 || (lo == 0 && !known->lo_strict)) && (hi > 0 || (hi == 0 && !known->hi_strict));
    for (size_t i = 0; zero && i < known->holes.count; i++)
        zero = compare(known->holes.at[i], p) != 0;
    return signs | (zero ? SIGN_ZERO : 0u);
}

unsigned theory_signs(const struct theory *theory, const struct polynomial *factor)
{
    const struct known *known = theory_find(theory, factor->shape);
    return known ? known_signs(known, factor) : SIGN_ANY;
}

/* --- the sign rule --------------------------------------------------------------------------- */

struct shift {
    struct work *w;
    const struct known *bound[RING_CAPACITY];   /* by variable; NULL = unbounded */
    bool strict[RING_CAPACITY], mirrored[RING_CAPACITY];
};

/* *p at x = (x' + n) / d or (n - x') / d, n / d the bound; at x = n / d where both bounds are the
   same. */
static void shift_variable(struct shift *shift, fmpz_mpoly_t p, int v)
{
    struct work *w = shift->w;
    const struct known *known = shift->bound[v];
    const fmpq *value = known->lo ? known->lo->threshold : known->hi->threshold;
    bool fixed = known->lo && known->hi && fmpq_equal(known->lo->threshold, known->hi->threshold);
    shift->strict[v] = !fixed && (known->lo ? known->lo_strict : known->hi_strict);
    if (known->lo && fmpq_is_zero(value) && !fixed)
        return;
    fmpz_mpoly_t x, term, sum;
    fmpz_mpoly_init(x, w->ctx);
    fmpz_mpoly_init(term, w->ctx);
    fmpz_mpoly_init(sum, w->ctx);
    if (!fixed)
        fmpz_mpoly_gen(x, v, w->ctx);
    if (!known->lo)
        fmpz_mpoly_neg(x, x, w->ctx);
    fmpz_mpoly_add_fmpz(x, x, fmpq_numref(value), w->ctx);
    fmpz_t power;
    fmpz_init_set_ui(power, 1);
    for (unsigned k = work_degree(w, p, v) + 1; k-- > 0;) {
        work_mul(w, sum, sum, x);
        work_coefficient(w, term, p, v, k);
        fmpz_mpoly_scalar_mul_fmpz(term, term, power, w->ctx);
        fmpz_mpoly_add(sum, sum, term, w->ctx);
        fmpz_mul(power, power, fmpq_denref(value));
    }
    fmpz_mpoly_swap(p, sum, w->ctx);
    fmpz_clear(power);
    fmpz_mpoly_clear(x, w->ctx);
    fmpz_mpoly_clear(term, w->ctx);
    fmpz_mpoly_clear(sum, w->ctx);
}

/* The signs of a polynomial whose bounded variables are not negative, or not positive where
   mirrored. */
static unsigned orthant_signs(const struct shift *shift, const fmpz_mpoly_t p)
{
    unsigned signs = SIGN_ZERO;
    ulong exponents[RING_CAPACITY];
    for (slong i = 0; i < p->length; i++) {
        mpoly_exponents(exponents, p, i, shift->w->ctx);
        bool strict = true;
        int sign = fmpz_sgn(p->coeffs + i);
        for (int v = 0; v < shift->w->variables; v++) {
            if (exponents[v] & 1 && !shift->bound[v])
                return SIGN_ANY;
            strict &= !exponents[v] || (shift->bound[v] && shift->strict[v]);
            sign = exponents[v] & 1 && shift->mirrored[v] ? -sign : sign;
        }
        signs |= sign > 0 ? SIGN_POSITIVE : SIGN_NEGATIVE;
        if (strict)
            signs &= ~(unsigned)SIGN_ZERO;
    }
    return (signs & SIGN_POSITIVE) && (signs & SIGN_NEGATIVE) ? SIGN_ANY : signs;
}

/* By the signs of the variables alone; one without a sign counts as unbounded. */
static unsigned plain_signs(const struct shift *shift, const fmpz_mpoly_t p)
{
    struct shift plain = {.w = shift->w};
    for (int v = 0; v < shift->w->variables; v++) {
        const struct known *known = shift->bound[v];
        int lo = known && known->lo ? fmpq_sgn(known->lo->threshold) : -1;
        int hi = known && known->hi ? fmpq_sgn(known->hi->threshold) : 1;
        if (lo < 0 && hi > 0)
            continue;
        plain.bound[v] = known;
        plain.mirrored[v] = lo < 0;
        plain.strict[v] = lo >= 0 ? lo > 0 || known->lo_strict : hi < 0 || known->hi_strict;
    }
    return orthant_signs(&plain, p);
}

unsigned theory_signs_bounds(struct work *w, const struct theory *theory,
                             const struct polynomial *factor)
{
    struct shift shift = {.w = w};
    if (factor->variable >= 0 || factor->p->length > SHIFT_TERMS ||
        mpoly_total_degree(factor->p, w->ctx) > SHIFT_DEGREE)
        return SIGN_ANY;
    for (size_t i = 0; theory && i < theory->known.count; i++) {
        const struct known *known = theory->known.at + i;
        if (known->shape->variable >= 0 && (known->lo || known->hi))
            shift.bound[known->shape->variable] = known;
    }
    fmpz_mpoly_t p;
    fmpz_mpoly_init(p, w->ctx);
    fmpz_mpoly_set(p, factor->p, w->ctx);
    unsigned signs = plain_signs(&shift, p);
    for (int v = 0; v < w->variables && signs & SIGN_ZERO; v++)
        if (factor->uses >> v & 1 && shift.bound[v])
            shift_variable(&shift, p, v);
    if (signs & SIGN_ZERO)
        signs &= orthant_signs(&shift, p);
    fmpz_mpoly_clear(p, w->ctx);
    return signs;
}

unsigned theory_signs_deep(struct work *w, const struct theory *theory,
                           const struct polynomial *factor)
{
    unsigned signs = theory_signs(theory, factor);
    bool decided = signs == SIGN_NEGATIVE || signs == SIGN_ZERO || signs == SIGN_POSITIVE || !signs;
    return decided ? signs : signs & theory_signs_bounds(w, theory, factor);
}

unsigned theory_product_signs(struct work *w, const struct theory *theory,
                              const struct product *product)
{
    unsigned signs = product->sign > 0   ? SIGN_POSITIVE
                     : product->sign < 0 ? SIGN_NEGATIVE
                                         : SIGN_ZERO;
    for (size_t i = 0; i < product->at.count; i++) {
        unsigned own = theory_signs_deep(w, theory, product->at.at[i]);
        if (product->multiplicity.at[i] == 2)
            own = (own & SIGN_ZERO) | (own & ~(unsigned)SIGN_ZERO ? SIGN_POSITIVE : 0u);
        unsigned all = (signs | own) & SIGN_ZERO;
        all |= signs & SIGN_POSITIVE ? own & ~(unsigned)SIGN_ZERO : 0;
        all |= signs & SIGN_NEGATIVE ? signs_mirror(own) & ~(unsigned)SIGN_ZERO : 0;
        signs = all;
    }
    return signs;
}
