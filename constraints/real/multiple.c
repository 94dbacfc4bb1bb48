/* Multiple roots over irrational coordinates, without algebra over the point. In: a polynomial a
   over the sample whose roots could not be separated at the first precisions; out: its distinct
   real roots. The principal subresultants of a and its derivative are determinants; they are
   enclosed by balls and tested for zero by the separation bound of such a determinant (its degrees
   and length are at most those of its rows added and multiplied). The first that does not vanish
   belongs to the greatest common divisor, whose other coefficients are determinants too; a divided
   by it has the same roots, all simple, and is isolated by balls. The multiplicity m of a root is
   the first m such that the m-th derivative does not vanish there; balls give bounds from above,
   which are exact when they add up to what the degree of the divisor says. The root is then known
   as a simple root of the derivative of order m - 1, which is as short as a. */
#include "constraints/real/real.h"
#include <limits.h>

enum { START_LIMIT = 2048 };

struct multiple {
    struct sample *sample;
    struct batch *batch;
    const struct dense *a;
    struct dense derivative;
    slong common;                 /* degree of the greatest common divisor */
    slong excess;                 /* bounds of multiplicities less one, added up */
    struct family **families;     /* of the derivatives that have roots, by order; NULL = none
                                     yet */
    arb_poly_t f, g, divisor, quotient, rest;
};

/* Where zero is likely, the precision that should prove it at once, unless that is high. */
static slong precision_start(double separation)
{
    if (separation > (double)START_LIMIT)
        return 2 * PRECISION_FIRST;
    return PRECISION_FIRST + (slong)separation;
}

/* The determinant of the rows x^i * f (i < n-1-j) and x^i * g (i < n-j), n = deg f, in the columns
   of the highest exponents and, last, of x^e. */
static void minor_enclose(struct multiple *m, arb_t value, slong j, slong e, slong bits)
{
    slong n = m->f->length - 1, size = 2 * n - 1 - 2 * j;
    arb_mat_t matrix;
    arb_mat_init(matrix, size, size);
    for (slong row = 0; row < size; row++) {
        bool first = row < n - 1 - j;
        const arb_poly_struct *p = first ? m->f : m->g;
        slong shift = first ? n - 2 - j - row : size - 1 - row;
        for (slong column = 0; column < size; column++) {
            slong exponent = (column < size - 1 ? 2 * n - 2 - j - column : e) - shift;
            if (exponent >= 0 && exponent < p->length)
                arb_set(arb_mat_entry(matrix, row, column), p->coeffs + exponent);
        }
    }
    budget_take(m->sample->g.budget, (uint64_t)(size * size * size) * (uint64_t)(1 + bits / 64));
    arb_mat_det(value, matrix, bits);
    arb_mat_clear(matrix);
}

/* The separation bound of the j-th principal subresultant. */
static double minor_separation(struct multiple *m, slong j)
{
    struct sample *sample = m->sample;
    slong n = m->a->length - 1;
    struct size row, size;
    size_init(sample, &row);
    size_init(sample, &size);
    for (slong i = 0; i <= n; i++)
        size_add(sample, &row, &m->a->at[i]);
    double rows = (double)(2 * n - 1 - 2 * j);
    size.bits = rows * row.bits + (double)(n - j) * (double)FLINT_BIT_COUNT(n);
    for (int v = 0; v < sample->variables; v++)
        size.degrees[v] = rows * row.degrees[v];
    double separation = size_separation(sample, &size);
    size_clear(&row);
    size_clear(&size);
    return separation;
}

static void enclose_both(struct multiple *m, slong bits)
{
    dense_enclose(m->sample, m->f, m->a, bits);
    dense_enclose(m->sample, m->g, &m->derivative, bits);
}

/* The degree of the greatest common divisor of a and its derivative. */
static void find_common(struct multiple *m)
{
    struct budget *budget = m->sample->g.budget;
    arb_t value;
    int sign = 0;
    arb_init(value);
    for (m->common = 0; m->common < m->a->length - 2 && !budget->spent; m->common++) {
        double separation = minor_separation(m, m->common);
        sign = SIGN_UNDECIDED;
        for (slong bits = precision_start(separation); sign == SIGN_UNDECIDED && !budget->spent;) {
            enclose_both(m, bits);
            minor_enclose(m, value, m->common, m->common, bits);
            sign = budget->spent ? SIGN_UNDECIDED : ball_sign(value, separation);
            if (sign == SIGN_UNDECIDED)
                bits = precision_next(budget, bits, value, separation);
        }
        if (sign != 0)
            break;
    }
    arb_clear(value);
}

/* The derivative of the given order, divided by its factorial. */
static void dense_taylor(const struct algebra *g, struct dense *r, const struct dense *a,
                         slong order)
{
    fmpz_t binomial;
    fmpz_init(binomial);
    dense_zero(g, r);
    dense_fit(g, r, a->length - order);
    for (slong i = order; i < a->length; i++) {
        fmpz_bin_uiui(binomial, (ulong)i, (ulong)order);
        fmpz_mpoly_scalar_mul_fmpz(&r->at[i - order], &a->at[i], binomial, g->ctx);
    }
    r->length = a->length - order;
    fmpz_clear(binomial);
}

/* The first order from 1 on of a derivative that certainly does not vanish on the ball: not less
   than the multiplicity of the root inside. */
static slong multiplicity_most(struct multiple *m, const acb_t x, slong bits)
{
    slong order = 0, n = m->f->length - 1;
    acb_poly_t shifted;
    acb_poly_init(shifted);
    acb_poly_set_arb_poly(shifted, m->f);
    acb_poly_taylor_shift(shifted, shifted, x, bits);
    do
        order++;
    while (order < n && acb_contains_zero(shifted->coeffs + order));
    acb_poly_clear(shifted);
    return order;
}

/* Knows the root from now on as a simple root of the derivative of that order. False if its sign at
   the interval's lower end is uncertain. */
static bool settle(struct multiple *m, struct root *root, slong order, slong bits)
{
    struct sample *sample = m->sample;
    struct family **family = &m->families[order];
    arb_t x, y;
    if (!*family) {
        *family = family_new(m->batch->arena, sample->g.ctx, m->batch->variable);
        dense_taylor(&sample->g, &(*family)->d, m->a, order);
    }
    arb_init(x);
    arb_init(y);
    arb_set_arf(x, &root->lo);
    arb_poly_evaluate(y, family_enclose(sample, *family, bits), x, bits);
    bool certain = !arb_contains_zero(y) && !sample->g.budget->spent;
    root->family = *family;
    root->sign = arb_is_positive(y) ? 1 : -1;
    arb_clear(x);
    arb_clear(y);
    return certain;
}

/* The root in the interval of the quotient: shrunk, with a bound of its multiplicity. */
static bool place(struct multiple *m, struct root *root, slong bits)
{
    acb_t x;
    acb_init(x);
    root_polish(root, m->quotient, bits / 2);
    arb_set_interval_arf(acb_realref(x), &root->lo, &root->hi, bits);
    slong order = multiplicity_most(m, x, bits);
    acb_clear(x);
    m->excess += order - 1;
    return settle(m, root, order - 1, bits);
}

/* Adds the bounds of the roots that are not real. */
static bool add_complex(struct multiple *m, slong bits)
{
    slong n = m->quotient->length - 1;
    acb_ptr roots = _acb_vec_init(n);
    acb_poly_t q;
    acb_poly_init(q);
    acb_poly_set_arb_poly(q, m->quotient);
    budget_take(m->sample->g.budget, (uint64_t)(n * n * 16) * (uint64_t)(1 + bits / 64));
    bool good = acb_poly_find_roots(roots, q, NULL, 0, bits) == n &&
                acb_poly_validate_real_roots(roots, q, bits);
    for (slong i = 0; i < n && good; i++)
        if (!arb_contains_zero(acb_imagref(roots + i)))
            m->excess += multiplicity_most(m, roots + i, bits) - 1;
    acb_poly_clear(q);
    _acb_vec_clear(roots, n);
    return good;
}

/* The multiplicities less one add up to the degree of the common divisor, those of conjugate roots
   in pairs: are the bounds found for the real ones what they are? */
static bool bounds_exact(struct multiple *m, slong bits)
{
    if (m->excess == 0 || (m->excess == 1 && m->common % 2 == 1))
        return true;
    return add_complex(m, bits) && m->excess == m->common;
}

/* Everything at one precision; false if something stayed uncertain. */
static bool attempt(struct multiple *m, bool zero, slong bits, int number)
{
    struct interval *at;
    size_t count;
    bool good = true;
    arb_t value;
    enclose_both(m, bits);
    arb_init(value);
    arb_poly_zero(m->divisor);
    for (slong e = 0; e <= m->common; e++) {
        minor_enclose(m, value, m->common, e, bits);
        arb_poly_set_coeff_arb(m->divisor, e, value);
    }
    arb_clear(value);
    if (!arb_poly_divrem(m->quotient, m->rest, m->f, m->divisor, bits) ||
        !roots_isolate(m->sample->g.budget, &at, &count, m->quotient, bits, number))
        return false;
    struct batch *found = batch_new(m->batch->arena, m->batch->asked, m->batch->variable, count);
    batch_intervals(found, NULL, at, count, false);
    intervals_clear(at, count);
    m->excess = 0;
    for (size_t i = 0; i < count && good; i++)
        good = place(m, &found->roots[i], bits);
    good = good && bounds_exact(m, bits);
    for (size_t i = 0; i < count && good; i++)
        batch_move(m->batch, &found->roots[i], &zero);
    if (good && zero)
        batch_rational(m->batch);
    return good;
}

static bool attempts(struct multiple *m, bool zero)
{
    slong bits = 4 * PRECISION_FIRST;
    for (int number = 0; !m->sample->g.budget->spent; number++, bits *= 2) {
        if (attempt(m, zero, bits, number))
            return true;
        if (bits > EVALUATION_LIMIT)
            budget_end(m->sample->g.budget,
                       "roots could not be separated within the limit of precision");
    }
    return false;
}

bool batch_multiple(struct sample *sample, struct batch *batch, struct dense *a, bool zero)
{
    struct multiple m = {.sample = sample, .batch = batch, .a = a};
    bool good = false;
    dense_init(&m.derivative);
    dense_derivative(&sample->g, &m.derivative, a);
    m.families = flint_calloc((size_t)a->length, sizeof *m.families);
    arb_poly_init(m.f);
    arb_poly_init(m.g);
    arb_poly_init(m.divisor);
    arb_poly_init(m.quotient);
    arb_poly_init(m.rest);
    find_common(&m);
    if (m.common == 0 && !sample->g.budget->spent) {
        struct family *family = family_new(batch->arena, sample->g.ctx, batch->variable);
        dense_swap(&family->d, a);
        good = batch_isolate(sample, batch, family, zero, INT_MAX);
    } else {
        good = attempts(&m, zero);
    }
    dense_clear(&sample->g, &m.derivative);
    flint_free(m.families);
    arb_poly_clear(m.f);
    arb_poly_clear(m.g);
    arb_poly_clear(m.divisor);
    arb_poly_clear(m.quotient);
    arb_poly_clear(m.rest);
    return good && !sample->g.budget->spent;
}
