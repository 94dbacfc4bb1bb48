/* Balls around values at the sample. In: a polynomial, a sample, a working precision; out: balls
   that contain its coefficients' values. A root is enclosed by its interval, which is shrunk by
   Newton's interval step while the derivative does not vanish on it (Moore; Neumaier, Interval
   Methods for Systems of Equations, 5.1) and by bisection otherwise. Invariant: the interval's ends
   are no roots of its polynomial, its root is simple and alone in it, zero is not inside.
   Precisions grow until the question is decided; at PRECISION_LIMIT the budget is declared spent.
 */
#include "constraints/real/real.h"

static uint64_t words(slong bits)
{
    return 1 + (uint64_t)bits / 64;
}

static void powers_fit(struct powers *p, slong count)
{
    if (count <= p->capacity)
        return;
    p->at = flint_realloc(p->at, (size_t)count * sizeof *p->at);
    for (; p->capacity < count; p->capacity++)
        arb_init(p->at + p->capacity);
}

static struct powers *powers_of(struct coordinate *c, slong bits)
{
    return bits <= PRECISION_FIRST ? &c->low : &c->high;
}

static bool powers_ready(const struct powers *p, slong degree, slong bits)
{
    return p->precision >= bits && p->precision <= 2 * bits + 128 && p->count > degree;
}

static void powers_extend(struct sample *sample, struct coordinate *c, slong degree, slong bits)
{
    struct powers *p = powers_of(c, bits);
    powers_fit(p, degree + 2);
    if (p->precision < bits || p->precision > 2 * bits + 128) {
        bool known = !c->root || root_refine(sample, c->root, bits);
        arb_one(p->at);
        if (!known)
            arb_indeterminate(p->at + 1);
        else if (c->root && c->root->rational)
            arb_set_fmpq(p->at + 1, &c->root->value, bits + 16);
        else if (c->root)
            arb_set_interval_arf(p->at + 1, &c->root->lo, &c->root->hi, bits + 16);
        else
            arb_set_fmpq(p->at + 1, &c->value, bits + 16);
        p->precision = known ? bits : 0;
        p->count = 2;
    }
    for (; p->count <= degree; p->count++)
        arb_mul(p->at + p->count, p->at + p->count - 1, p->at + 1, bits + 16);
}

/* t = the powers of the coordinates in the term with these exponents; false if there are none. */
static bool term_enclose(struct sample *sample, arb_t t, const ulong *exponents, slong bits)
{
    arb_srcptr first = NULL;
    bool product = false;
    for (size_t i = 0; i < sample->used; i++) {
        struct coordinate *c = sample->use[i];
        ulong e = exponents[c->variable];
        if (e == 0)
            continue;
        arb_srcptr power = powers_of(c, bits)->at + e;
        if (product)
            arb_mul(t, t, power, bits);
        else if (first)
            arb_mul(t, first, power, bits);
        product = first != NULL;
        first = power;
    }
    if (first && !product)
        arb_set(t, first);
    return first != NULL;
}

/* Makes the powers of the coordinates that occur; that may look at other polynomials. */
static void powers_prepare(struct sample *sample, const fmpz_mpoly_struct *p, slong bits)
{
    for (size_t i = 0; i < sample->used; i++) {
        struct coordinate *c = sample->use[i];
        slong degree = sample->degrees[c->variable];
        if (powers_ready(powers_of(c, bits), degree, bits))
            continue;
        powers_extend(sample, c, degree, bits);
        sample_look(sample, p);
    }
}

void sample_enclose(struct sample *sample, arb_ptr at, slong length, const fmpz_mpoly_struct *p,
                    int variable, slong bits)
{
    arb_t t;
    _arb_vec_zero(at, length);
    budget_take(sample->g.budget, (uint64_t)p->length * words(bits));
    sample_look(sample, p);
    powers_prepare(sample, p, bits);
    arb_init(t);
    for (slong i = 0; i < p->length; i++) {
        const ulong *exponents = sample->exponents + i * sample->variables;
        arb_ptr to = at + (variable < 0 ? 0 : exponents[variable]);
        if (term_enclose(sample, t, exponents, bits))
            arb_addmul_fmpz(to, t, p->coeffs + i, bits);
        else
            arb_add_fmpz(to, to, p->coeffs + i, bits);
    }
    arb_clear(t);
}

const arb_poly_struct *family_enclose(struct sample *sample, struct family *family, slong bits)
{
    if (family->precision >= bits && family->precision <= 2 * bits + 128)
        return family->enclosure;
    if (family->univariate) {
        arb_poly_set_fmpz_poly(family->enclosure, family->f, bits);
    } else {
        dense_enclose(sample, family->enclosure, &family->d, bits);
    }
    family->precision = sample->g.budget->spent ? 0 : bits;
    return family->enclosure;
}

/* f(x) */
static void value_at(arb_t y, const arb_poly_struct *f, const arf_t x, slong bits)
{
    arb_t point;
    arb_init(point);
    arb_set_arf(point, x);
    arb_poly_evaluate(y, f, point, bits);
    arb_clear(point);
}

/* f'(X) on the interval */
static void slope_on(arb_t y, const arb_poly_struct *f, const arf_t lo, const arf_t hi, slong bits)
{
    arb_t x, c;
    arb_init(x);
    arb_init(c);
    arb_set_interval_arf(x, lo, hi, bits);
    arb_zero(y);
    for (slong i = f->length - 1; i > 0; i--) {
        arb_mul(y, y, x, bits);
        arb_mul_si(c, f->coeffs + i, i, bits);
        arb_add(y, y, c, bits);
    }
    arb_clear(x);
    arb_clear(c);
}

/* Widens the ball by a little more than its rounding, so that what it contains is inside. */
static void outward(arf_t lo, arf_t hi, const arb_t ball, slong bits)
{
    arb_t wider;
    arb_init(wider);
    arb_set(wider, ball);
    mag_t extra;
    mag_init(extra);
    arf_get_mag(extra, arb_midref(ball));
    mag_mul_2exp_si(extra, extra, -bits);
    mag_add(arb_radref(wider), arb_radref(wider), extra);
    arb_get_lbound_arf(lo, wider, bits + 8);
    arb_get_ubound_arf(hi, wider, bits + 8);
    mag_clear(extra);
    arb_clear(wider);
}

/* Newton's step from the middle; true if the interval has at most half its width afterwards. */
static bool newton(struct root *root, const arb_poly_struct *f, const arf_t middle, slong bits)
{
    arb_t slope, value;
    arf_t lo, hi, before, after;
    bool good = false;
    arb_init(slope);
    arb_init(value);
    arf_init(lo);
    arf_init(hi);
    arf_init(before);
    arf_init(after);
    slope_on(slope, f, &root->lo, &root->hi, bits);
    if (!arb_contains_zero(slope)) {
        value_at(value, f, middle, bits);
        arb_div(value, value, slope, bits);
        arb_neg(value, value);
        arb_add_arf(value, value, middle, bits);
        if (arb_is_finite(value)) {
            outward(lo, hi, value, bits);
            arf_sub(before, &root->hi, &root->lo, 30, ARF_RND_DOWN);
            if (arf_cmp(lo, &root->lo) > 0)
                arf_set(&root->lo, lo);
            if (arf_cmp(hi, &root->hi) < 0)
                arf_set(&root->hi, hi);
            arf_sub(after, &root->hi, &root->lo, 30, ARF_RND_UP);
            arf_mul_2exp_si(after, after, 1);
            good = arf_cmp(after, before) <= 0;
        }
    }
    arb_clear(slope);
    arb_clear(value);
    arf_clear(lo);
    arf_clear(hi);
    arf_clear(before);
    arf_clear(after);
    return good;
}

/* Cuts at one of three points where the sign is certain; false if it is at none of them. */
static bool bisect(struct root *root, const arb_poly_struct *f, slong bits)
{
    static const int eighths[] = {4, 3, 5};
    arf_t at, width;
    arb_t value;
    bool good = false;
    arf_init(at);
    arf_init(width);
    arb_init(value);
    arf_sub(width, &root->hi, &root->lo, ARF_PREC_EXACT, ARF_RND_DOWN);
    for (size_t i = 0; i < sizeof eighths / sizeof *eighths && !good; i++) {
        arf_mul_si(at, width, eighths[i], ARF_PREC_EXACT, ARF_RND_DOWN);
        arf_mul_2exp_si(at, at, -3);
        arf_add(at, at, &root->lo, ARF_PREC_EXACT, ARF_RND_DOWN);
        value_at(value, f, at, bits);
        good = !arb_contains_zero(value);
    }
    if (good)
        arf_swap((arb_is_positive(value) ? 1 : -1) == root->sign ? &root->lo : &root->hi, at);
    arf_clear(at);
    arf_clear(width);
    arb_clear(value);
    return good;
}

static bool shrink(struct sample *sample, struct root *root, slong bits)
{
    arf_t middle;
    bool good;
    if (!budget_take(sample->g.budget, 8 * words(bits)))
        return false;
    const arb_poly_struct *f = family_enclose(sample, root->family, bits);
    arf_init(middle);
    arf_add(middle, &root->lo, &root->hi, bits, ARF_RND_NEAR);
    arf_mul_2exp_si(middle, middle, -1);
    good = arf_cmp(middle, &root->lo) > 0 && arf_cmp(middle, &root->hi) < 0 &&
           newton(root, f, middle, bits);
    arf_clear(middle);
    return good || bisect(root, f, bits);
}

/* Is the width at most 2^-bits times the least absolute value? */
static bool relative(const struct root *root, slong bits)
{
    arf_t width;
    arf_init(width);
    arf_sub(width, &root->hi, &root->lo, 30, ARF_RND_UP);
    arf_mul_2exp_si(width, width, bits);
    const arf_struct *least = arf_sgn(&root->lo) >= 0 ? &root->lo : &root->hi;
    bool good = arf_cmpabs(width, least) <= 0;
    arf_clear(width);
    return good;
}

static bool absolute(const struct root *root, slong exponent)
{
    arf_t width;
    arf_init(width);
    arf_sub(width, &root->hi, &root->lo, 30, ARF_RND_UP);
    bool good = arf_cmp_2exp_si(width, exponent) < 0;
    arf_clear(width);
    return good;
}

/* How many bits of the root are known. */
static slong accuracy(const struct root *root)
{
    const arf_struct *least = arf_sgn(&root->lo) >= 0 ? &root->lo : &root->hi;
    arf_t width;
    if (arf_is_zero(least))
        return 0;
    arf_init(width);
    arf_sub(width, &root->hi, &root->lo, 30, ARF_RND_UP);
    slong bits = arf_abs_bound_lt_2exp_si(least) - arf_abs_bound_lt_2exp_si(width);
    arf_clear(width);
    return bits > 0 ? bits : 0;
}

/* Working precisions follow what is known already, as each of Newton's steps doubles that, and grow
   where a step fails. */
static bool refine(struct sample *sample, struct root *root,
                   bool (*reached)(const struct root *, slong), slong goal, slong most)
{
    slong extra = PRECISION_FIRST;
    while (!reached(root, goal)) {
        slong known = 2 * accuracy(root);
        if (shrink(sample, root, extra + (known < most ? known : most)))
            continue;
        if (sample->g.budget->spent)
            return false;
        extra *= 2;
        if (extra > 4 * EVALUATION_LIMIT) {
            budget_end(sample->g.budget,
                       "a root could not be enclosed within the limit of precision");
            return false;
        }
    }
    return true;
}

bool root_refine(struct sample *sample, struct root *root, slong bits)
{
    return root->rational || refine(sample, root, relative, bits, bits);
}

bool root_narrow(struct sample *sample, struct root *root, slong exponent)
{
    return root->rational || refine(sample, root, absolute, exponent, EVALUATION_LIMIT);
}

bool root_enclose(struct sample *sample, const struct root *root, slong bits, arb_t ball)
{
    if (root->rational) {
        arb_set_fmpq(ball, &root->value, bits + 8);
        return true;
    }
    if (!root_refine(sample, (struct root *)root, bits + 2))
        return false;
    arb_set_interval_arf(ball, &root->lo, &root->hi, bits + 16);
    return true;
}

void dense_enclose(struct sample *sample, arb_poly_t f, const struct dense *a, slong bits)
{
    arb_poly_fit_length(f, a->length);
    for (slong i = 0; i < a->length; i++)
        sample_enclose(sample, f->coeffs + i, 1, &a->at[i], -1, bits);
    _arb_poly_set_length(f, a->length);
}

void root_polish(struct root *root, const arb_poly_t f, slong bits)
{
    arf_t middle;
    arf_init(middle);
    while (!relative(root, bits)) {
        arf_add(middle, &root->lo, &root->hi, bits, ARF_RND_NEAR);
        arf_mul_2exp_si(middle, middle, -1);
        bool inside = arf_cmp(middle, &root->lo) > 0 && arf_cmp(middle, &root->hi) < 0;
        if (!(inside && newton(root, f, middle, bits)) && !bisect(root, f, bits))
            break;
    }
    arf_clear(middle);
}

int family_sign_at(struct sample *sample, struct family *family, const arf_t x)
{
    int sign = SIGN_UNDECIDED;
    arb_t value;
    arb_init(value);
    for (slong bits = 2 * PRECISION_FIRST; sign == SIGN_UNDECIDED && !sample->g.budget->spent;
         bits *= 2) {
        if (bits > EVALUATION_LIMIT) {
            budget_end(sample->g.budget,
                       "a sign could not be decided within the limit of precision");
            break;
        }
        value_at(value, family_enclose(sample, family, bits), x, bits);
        if (!arb_contains_zero(value) && !sample->g.budget->spent)
            sign = arb_is_positive(value) ? 1 : -1;
    }
    arb_clear(value);
    return sign;
}
