/* Isolation of real roots over Q and signs on the cells between them. In: integer polynomials in
   one variable; out: the roots of their product in ascending order, each in an interval of its own,
   rational ones exactly where they are seen (as linear factors up to FACTOR_DEGREE, or as the
   middle of an interval). Intervals are halved until the rule of signs finds no root or one in them
   (Vincent, Collins and Akritas). The sign of a polynomial at a root that is known by its interval
   is zero if the greatest common divisor with the product changes sign over the interval, and
   otherwise the sign at the interval's end, since all roots of the polynomial are among those
   isolated. */
#include "constraints/front/question.h"
#include "constraints/front/univariate.h"

enum { FACTOR_DEGREE = 24 };

static void line_clear(void *object)
{
    struct line *line = object;
    fmpz_poly_clear(line->product);
    for (size_t i = 0; i < line->count; i++) {
        fmpq_clear(&line->roots[i].lo);
        fmpq_clear(&line->roots[i].hi);
    }
}

int univariate_sign(const fmpz_poly_struct *p, const fmpq *at)
{
    fmpq_t value;
    fmpq_init(value);
    fmpz_poly_evaluate_fmpq(value, p, at);
    int sign = fmpq_sgn(value);
    fmpq_clear(value);
    return sign;
}

/* Sign variations of the coefficients of (1 + y)^n p((lo + hi y) / (1 + y)): at least as many as p
   has roots in (lo, hi), and exactly as many if there are none or one (Descartes). */
static slong variations(const fmpz_poly_struct *p, const fmpq *lo, const fmpq *hi)
{
    fmpz_poly_t g;
    fmpz_t den, left, width, power;
    fmpz_poly_init(g);
    fmpz_init(den);
    fmpz_init(left);
    fmpz_init(width);
    fmpz_init_set_ui(power, 1);
    fmpz_lcm(den, fmpq_denref(lo), fmpq_denref(hi));
    fmpz_divexact(left, den, fmpq_denref(lo));
    fmpz_mul(left, left, fmpq_numref(lo));
    fmpz_divexact(width, den, fmpq_denref(hi));
    fmpz_mul(width, width, fmpq_numref(hi));
    fmpz_sub(width, width, left);
    fmpz_poly_set(g, p);
    for (slong i = fmpz_poly_degree(p); i >= 0; i--, fmpz_mul(power, power, den))
        fmpz_mul(g->coeffs + i, g->coeffs + i, power);
    fmpz_poly_taylor_shift(g, g, left);
    fmpz_one(power);
    for (slong i = 0; i < g->length; i++, fmpz_mul(power, power, width))
        fmpz_mul(g->coeffs + i, g->coeffs + i, power);
    fmpz_poly_reverse(g, g, g->length);
    fmpz_one(power);
    fmpz_poly_taylor_shift(g, g, power);
    slong count = 0;
    for (slong i = 0, last = 0; i < g->length; i++) {
        int sign = fmpz_sgn(g->coeffs + i);
        count += sign && sign == -last;
        last = sign ? sign : last;
    }
    fmpz_poly_clear(g);
    fmpz_clear(den);
    fmpz_clear(left);
    fmpz_clear(width);
    fmpz_clear(power);
    return count;
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

/* The rational root of the product in (lo, hi), where it has one root; false if that is
   irrational. */
static bool rational_root(const fmpz_poly_factor_t factors, const fmpq *lo, const fmpq *hi,
                          fmpq_t root)
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

/* Roots in the open interval, whose ends may be roots themselves; an end that is one is moved
   inwards by the halving. */
static void isolate(struct line *line, const fmpz_poly_factor_t factors, const fmpq *lo,
                    const fmpq *hi)
{
    slong count = variations(line->product, lo, hi);
    if (!count)
        return;
    fmpq_t middle;
    fmpq_init(middle);
    if (count == 1 && rational_root(factors, lo, hi, middle)) {
        root_add(line, true, middle, middle);
    } else if (count == 1 && univariate_sign(line->product, lo) &&
               univariate_sign(line->product, hi)) {
        root_add(line, false, lo, hi);
    } else {
        fmpq_add(middle, lo, hi);
        fmpq_div_2exp(middle, middle, 1);
        isolate(line, factors, lo, middle);
        if (!univariate_sign(line->product, middle))
            root_add(line, true, middle, middle);
        isolate(line, factors, middle, hi);
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
    if (fmpz_poly_degree(line->product) <= FACTOR_DEGREE)
        fmpz_poly_factor(factors, line->product);
    fmpq_t lo, hi;
    fmpq_init(lo);
    fmpq_init(hi);
    fmpz_poly_bound_roots(fmpq_numref(hi), line->product);
    fmpz_add_ui(fmpq_numref(hi), fmpq_numref(hi), 1);
    fmpq_neg(lo, hi);
    isolate(line, factors, lo, hi);
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
    const struct root *below = i ? &line->roots[i - 1] : NULL,
                      *above = i < line->count ? &line->roots[i] : NULL;
    return rational_between(value, below ? &below->hi : NULL, below && below->rational,
                            above ? &above->lo : NULL, above && above->rational);
}

/* Has p, which is not zero, the root of the interval? A common divisor has at most that one there,
   and a simple one. */
static bool root_shared(const struct line *line, const fmpz_poly_struct *p, const struct root *root)
{
    fmpz_poly_t common;
    fmpz_poly_init(common);
    fmpz_poly_gcd(common, line->product, p);
    bool shared = univariate_sign(common, &root->lo) != univariate_sign(common, &root->hi);
    fmpz_poly_clear(common);
    return shared;
}

int line_sign(const struct line *line, const fmpz_poly_struct *p, size_t cell)
{
    fmpq_t value;
    fmpq_init(value);
    int sign;
    if (line_sample(line, cell, value))
        sign = univariate_sign(p, value);
    else
        sign = root_shared(line, p, &line->roots[cell / 2])
                   ? 0
                   : univariate_sign(p, &line->roots[cell / 2].lo);
    fmpq_clear(value);
    return sign;
}
