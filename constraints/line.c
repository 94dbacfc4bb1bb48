/* Isolation of real roots over Q and signs on the cells between them. In: integer polynomials in one variable; out: the
   roots of their product in ascending order, rational ones exactly (they are the linear factors), each other one in an
   interval of its own. Roots are counted by Sturm's theorem (FLINT), above a point after shifting it to zero, and
   separated by bisection. The sign of a polynomial at an irrational root is zero if its greatest common divisor with
   the product still has that root, and otherwise its sign at the interval's end, since all its roots are among those
   isolated. */
#include "constraints/question.h"
#include "constraints/univariate.h"
#include <flint/fmpz_poly_factor.h>

static void line_clear(void *object)
{
    struct line *line = object;
    fmpz_poly_clear(line->product);
    for (size_t i = 0; i < line->count; i++) {
        fmpq_clear(&line->roots[i].lo);
        fmpq_clear(&line->roots[i].hi);
    }
}

static int value_sign(const fmpz_poly_struct *p, const fmpq *at)
{
    fmpq_t value;
    fmpq_init(value);
    fmpz_poly_evaluate_fmpq(value, p, at);
    int sign = fmpq_sgn(value);
    fmpq_clear(value);
    return sign;
}

/* The number of roots of a squarefree p greater than `at`: those of d^n p((x + n) / d) greater than zero. */
static slong roots_above(const fmpz_poly_struct *p, const fmpq *at)
{
    fmpz_poly_t shifted;
    fmpz_t power;
    fmpz_poly_init(shifted);
    fmpz_init(power);
    fmpz_one(power);
    fmpz_poly_set(shifted, p);
    for (slong i = fmpz_poly_degree(p); i >= 0; i--) {
        fmpz_mul(shifted->coeffs + i, shifted->coeffs + i, power);
        fmpz_mul(power, power, fmpq_denref(at));
    }
    fmpz_poly_taylor_shift(shifted, shifted, fmpq_numref(at));
    if (fmpz_is_zero(shifted->coeffs))
        fmpz_poly_shift_right(shifted, shifted, 1);
    slong negative = 0, positive = 0;
    if (fmpz_poly_degree(shifted) > 0)
        _fmpz_poly_num_real_roots_sturm(&negative, &positive, shifted->coeffs, shifted->length);
    fmpz_poly_clear(shifted);
    fmpz_clear(power);
    return positive;
}

static void root_add(struct line *line, bool rational, const fmpq *lo, const fmpq *hi)
{
    struct root *root = &line->roots[line->count++];
    root->rational = rational;
    fmpq_init(&root->lo);
    fmpq_init(&root->hi);
    fmpq_set(&root->lo, lo);
    fmpq_set(&root->hi, hi);
}

/* The rational root of the product in (lo, hi), where it has one root; false if that is irrational. */
static bool rational_root(const fmpz_poly_factor_t factors, const fmpq *lo, const fmpq *hi, fmpq_t root)
{
    for (slong i = 0; i < factors->num; i++) {
        const fmpz_poly_struct *p = factors->p + i;
        if (fmpz_poly_degree(p) != 1)
            continue;
        fmpz_neg(fmpq_numref(root), p->coeffs);
        fmpz_set(fmpq_denref(root), p->coeffs + 1);
        fmpq_canonicalise(root);
        if (fmpq_cmp(root, lo) > 0 && fmpq_cmp(root, hi) < 0)
            return true;
    }
    return false;
}

/* Roots in (lo, hi]; above_lo, above_hi: how many there are above the ends. */
static void isolate(struct line *line, const fmpz_poly_factor_t factors, const fmpq *lo, slong above_lo, const fmpq *hi,
                    slong above_hi)
{
    if (above_lo == above_hi)
        return;
    bool at_hi = !value_sign(line->product, hi);
    fmpq_t middle;
    fmpq_init(middle);
    if (above_lo - above_hi == 1 && at_hi) {
        root_add(line, true, hi, hi);
    } else if (above_lo - above_hi == 1 && rational_root(factors, lo, hi, middle)) {
        root_add(line, true, middle, middle);
    } else if (above_lo - above_hi == 1 && value_sign(line->product, lo)) {
        root_add(line, false, lo, hi);
    } else {
        fmpq_add(middle, lo, hi);
        fmpq_div_2exp(middle, middle, 1);
        slong above_middle = roots_above(line->product, middle);
        isolate(line, factors, lo, above_lo, middle, above_middle);
        isolate(line, factors, middle, above_middle, hi, above_hi);
    }
    fmpq_clear(middle);
}

static void product_make(struct line *line, const fmpz_poly_struct *polynomials, size_t count)
{
    fmpz_poly_t common;
    fmpz_poly_init(common);
    fmpz_poly_one(line->product);
    for (size_t i = 0; i < count; i++)
        fmpz_poly_lcm(line->product, line->product, polynomials + i);
    fmpz_poly_derivative(common, line->product);
    fmpz_poly_gcd(common, line->product, common);
    if (fmpz_poly_degree(common) > 0)
        fmpz_poly_div(line->product, line->product, common);
    fmpz_poly_primitive_part(line->product, line->product);
    fmpz_poly_clear(common);
}

struct line *line_new(struct arena *arena, const fmpz_poly_struct *polynomials, size_t count)
{
    struct line *line = ARENA_NEW(arena, struct line);
    line->arena = arena;
    fmpz_poly_init(line->product);
    arena_on_free(arena, line_clear, line);
    product_make(line, polynomials, count);
    line->roots = ARENA_ARRAY(arena, struct root, fmpz_poly_degree(line->product) + 1);
    if (fmpz_poly_degree(line->product) < 1)
        return line;
    fmpz_poly_factor_t factors;
    fmpz_poly_factor_init(factors);
    fmpz_poly_factor(factors, line->product);
    fmpq_t lo, hi;
    fmpq_init(lo);
    fmpq_init(hi);
    fmpz_poly_bound_roots(fmpq_numref(hi), line->product);
    fmpz_add_ui(fmpq_numref(hi), fmpq_numref(hi), 1);
    fmpq_neg(lo, hi);
    isolate(line, factors, lo, roots_above(line->product, lo), hi, 0);
    fmpq_clear(lo);
    fmpq_clear(hi);
    fmpz_poly_factor_clear(factors);
    return line;
}

bool line_sample(const struct line *line, size_t cell, fmpq_t value)
{
    size_t i = cell / 2;
    if (cell % 2) {
        fmpq_set(value, &line->roots[i].lo);
        return line->roots[i].rational;
    }
    const struct root *below = i ? &line->roots[i - 1] : NULL, *above = i < line->count ? &line->roots[i] : NULL;
    return rational_between(value, below ? &below->hi : NULL, below && below->rational, above ? &above->lo : NULL,
                            above && above->rational);
}

/* Has p, which is not zero, the irrational root? */
static bool root_shared(const struct line *line, const fmpz_poly_struct *p, const struct root *root)
{
    fmpz_poly_t common;
    fmpz_poly_init(common);
    fmpz_poly_gcd(common, line->product, p);
    bool shared = fmpz_poly_degree(common) > 0 && roots_above(common, &root->lo) > roots_above(common, &root->hi);
    fmpz_poly_clear(common);
    return shared;
}

int line_sign(const struct line *line, const fmpz_poly_struct *p, size_t cell)
{
    fmpq_t value;
    fmpq_init(value);
    int sign;
    if (line_sample(line, cell, value))
        sign = value_sign(p, value);
    else
        sign = root_shared(line, p, &line->roots[cell / 2]) ? 0 : value_sign(p, &line->roots[cell / 2].lo);
    fmpq_clear(value);
    return sign;
}
