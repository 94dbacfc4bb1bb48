/* Points and roots. In: a polynomial and a point that sets its variables (or all but one); out: its
   exact sign, or its distinct real roots. Rational coordinates are put in. Signs at algebraic ones
   are decided by Arb's balls, which exclude zero or become smaller than Liouville's bound for
   values other than zero. Roots over algebraic coordinates are found among those of the norm, the
   product over all conjugates, by such signs. docs/certificates.md has both in detail. */
#include "constraints/check/checker.h"

enum {
    ROOT_DEGREE_LIMIT = 160,
    ROOT_BITS_LIMIT = 1 << 16,
    SIGN_BITS_LIMIT = 1 << 17,
    FIELD_LIMIT = 1 << 11
};

static const char *const too_hard = "an algebraic number is beyond the checker's limits";

static void number_clear(void *number)
{
    qqbar_clear(number);
}

qqbar_struct *number_new(struct checker *checker)
{
    qqbar_struct *number = ARENA_NEW(checker->arena, qqbar_struct);
    qqbar_init(number);
    arena_on_free(checker->arena, number_clear, number);
    return number;
}

void point_add(struct point *point, int variable, const qqbar_struct *number)
{
    point->at[point->count].variable = variable;
    point->at[point->count++].number = number;
}

bool point_sets(const struct point *point, const struct item *item, int except)
{
    for (int v = 0; v < point->checker->variables; v++) {
        bool set = v == except;
        for (size_t i = 0; !set && i < point->count; i++)
            set = point->at[i].variable == v;
        if (!set && item_degree(point->checker, item, v) > 0)
            return false;
    }
    return true;
}

/* part = a positive multiple of p with the point's rational coordinates put in. */
static bool rational_part(const struct point *point, const fmpz_mpoly_t p, fmpz_mpoly_t part)
{
    const fmpq_mpoly_ctx_struct *ctx = point->checker->ctx;
    fmpq_mpoly_t q;
    fmpq_t value;
    fmpq_init(value);
    fmpq_mpoly_init(q, ctx);
    fmpz_mpoly_set(q->zpoly, p, ctx->zctx);
    fmpq_one(q->content);
    fmpq_mpoly_reduce(q, ctx);
    for (size_t k = 0; k < point->count; k++)
        if (qqbar_is_rational(point->at[k].number)) {
            qqbar_get_fmpq(value, point->at[k].number);
            fmpq_mpoly_evaluate_one_fmpq(q, q, point->at[k].variable, value, ctx);
        }
    fmpz_mpoly_scalar_mul_si(part, q->zpoly, fmpq_sgn(q->content), ctx->zctx);
    fmpq_mpoly_clear(q, ctx);
    fmpq_clear(value);
    return checker_step(point->checker, (uint64_t)p->length * 8 + 8);
}

/* f at the point is 0 or at least 2^-bits; -1 beyond the limits. Sums are bounded by their greatest
   term. */
static slong liouville_bits(const struct point *point, const fmpz_mpoly_t f)
{
    slong field = 1, share = FLINT_ABS(fmpz_mpoly_max_bits(f)) + (slong)FLINT_BIT_COUNT(f->length);
    for (size_t k = 0; k < point->count && field <= FIELD_LIMIT; k++) {
        const fmpz_poly_struct *minimal = QQBAR_POLY(point->at[k].number);
        slong degree = fmpz_mpoly_degree_si(f, point->at[k].variable, point->checker->ctx->zctx),
              d = fmpz_poly_degree(minimal);
        slong norm = FLINT_ABS(fmpz_poly_max_bits(minimal)) + (slong)FLINT_BIT_COUNT(d + 1);
        field *= degree > 0 ? d : 1;
        share += degree > 0 ? degree * norm / d + 1 : 0;
    }
    return field > FIELD_LIMIT || field * share > SIGN_BITS_LIMIT ? -1 : field * share;
}

static void ball_evaluate(const struct point *point, const fmpz_mpoly_t f, slong precision,
                          arb_t sum)
{
    const fmpz_mpoly_ctx_struct *ctx = point->checker->ctx->zctx;
    ulong exponents[RING_CAPACITY + 1];
    slong count = (slong)point->count;
    arb_ptr balls = _arb_vec_init(count + 2), term = balls + count, power = term + 1;
    for (slong k = 0; k < count; k++)
        qqbar_get_arb(balls + k, point->at[k].number, precision);
    arb_zero(sum);
    for (slong i = 0; i < f->length; i++) {
        fmpz_mpoly_get_term_exp_ui(exponents, f, i, ctx);
        arb_set_fmpz(term, f->coeffs + i);
        for (slong k = 0; k < count; k++) {
            arb_pow_ui(power, balls + k, exponents[point->at[k].variable], precision);
            arb_mul(term, term, power, precision);
        }
        arb_add(sum, sum, term, precision);
    }
    _arb_vec_clear(balls, count + 2);
}

static int algebraic_sign(const struct point *point, const fmpz_mpoly_t f)
{
    slong bound = liouville_bits(point, f), last = bound < 0 ? 1024 : 4 * SIGN_BITS_LIMIT;
    int sign = UNKNOWN_SIGN;
    arb_t ball;
    mag_t size;
    arb_init(ball);
    mag_init(size);
    for (slong precision = 64; sign == UNKNOWN_SIGN && precision <= last; precision *= 2) {
        if (!checker_step(point->checker, (uint64_t)(f->length * precision) / 8 + 200))
            break;
        ball_evaluate(point, f, precision, ball);
        arb_get_mag(size, ball);
        if (!arb_contains_zero(ball))
            sign = arb_is_positive(ball) ? 1 : -1;
        else if (bound >= 0 && mag_cmp_2exp_si(size, -bound) < 0)
            sign = 0;
    }
    if (sign == UNKNOWN_SIGN)
        checker_give_up(point->checker, too_hard);
    mag_clear(size);
    arb_clear(ball);
    return sign;
}

int point_sign(const struct point *point, const fmpz_mpoly_t p)
{
    const fmpz_mpoly_ctx_struct *ctx = point->checker->ctx->zctx;
    fmpz_mpoly_t part;
    fmpz_mpoly_init(part, ctx);
    int sign = UNKNOWN_SIGN;
    if (rational_part(point, p, part))
        sign = !part->length                   ? 0
               : fmpz_mpoly_is_fmpz(part, ctx) ? fmpz_sgn(part->coeffs)
                                               : algebraic_sign(point, part);
    fmpz_mpoly_clear(part, ctx);
    return sign;
}

/* r = its resultant with the minimal polynomials of the point's algebraic coordinates that it
   contains. */
static bool resultants(const struct point *point, fmpz_mpoly_t r)
{
    const fmpz_mpoly_ctx_struct *ctx = point->checker->ctx->zctx;
    fmpz_mpoly_t minimal;
    fmpz_mpoly_init(minimal, ctx);
    bool ok = true;
    for (size_t k = 0; ok && k < point->count; k++) {
        int variable = point->at[k].variable;
        if (fmpz_mpoly_degree_si(r, variable, ctx) <= 0)
            continue;
        slong degree = qqbar_degree(point->at[k].number), terms = r->length * degree;
        fmpz_mpoly_set_fmpz_poly(minimal, QQBAR_POLY(point->at[k].number), variable, ctx);
        ok = fmpz_mpoly_total_degree_si(r, ctx) * degree <= 2 * ROOT_DEGREE_LIMIT &&
             checker_step(point->checker, (uint64_t)(terms * terms) + 100) &&
             fmpz_mpoly_resultant(r, r, minimal, variable, ctx);
    }
    fmpz_mpoly_clear(minimal, ctx);
    return ok;
}

/* f = p if p has no other variable, else false. */
static bool univariate_set(const fmpz_mpoly_ctx_struct *ctx, fmpz_poly_t f, const fmpz_mpoly_t p,
                           int variable)
{
    return fmpz_mpoly_is_fmpz_poly(p, variable, ctx) &&
           fmpz_mpoly_get_fmpz_poly(f, p, variable, ctx);
}

/* norm: a polynomial over Q whose roots include those of p over the point, where p does not vanish
   identically. If a conjugate of p vanishes, the spare variable is added to p and the trailing
   coefficient in it taken. */
static bool norm_set(const struct point *point, const fmpz_mpoly_t p, int variable,
                     fmpz_poly_t norm)
{
    const fmpz_mpoly_ctx_struct *ctx = point->checker->ctx->zctx;
    const slong spare[1] = {point->checker->variables};
    fmpz_mpoly_t r, c;
    fmpz_mpoly_init(r, ctx);
    fmpz_mpoly_init(c, ctx);
    bool ok = true;
    for (int pass = 0; ok && !c->length && pass < 2; pass++) {
        fmpz_mpoly_gen(r, spare[0], ctx);
        fmpz_mpoly_scalar_mul_si(r, r, pass, ctx);
        fmpz_mpoly_add(r, r, p, ctx);
        ok = resultants(point, r);
        for (ulong k = 0; ok && r->length && !c->length; k++)
            fmpz_mpoly_get_coeff_vars_ui(c, r, spare, &k, 1, ctx);
    }
    ok = ok && c->length && univariate_set(ctx, norm, c, variable);
    fmpz_mpoly_clear(c, ctx);
    fmpz_mpoly_clear(r, ctx);
    return ok || checker_give_up(point->checker, too_hard);
}

/* Real roots of all irreducible factors, ascending: they are different, and no complex ones need be
   put in order. */
static bool univariate_roots(struct checker *checker, const fmpz_poly_t f, struct roots *roots)
{
    slong degree = fmpz_poly_degree(f), count = 0;
    if (degree < 1)
        return true;
    if (degree > ROOT_DEGREE_LIMIT || FLINT_ABS(fmpz_poly_max_bits(f)) > ROOT_BITS_LIMIT ||
        !checker_step(checker, (uint64_t)(degree * degree * degree) * 64 + 16))
        return checker_give_up(checker, too_hard);
    fmpz_poly_factor_t factor;
    fmpz_poly_factor_init(factor);
    fmpz_poly_factor(factor, f);
    qqbar_ptr all = _qqbar_vec_init(degree);
    for (slong i = 0; i < factor->num; count += fmpz_poly_degree(factor->p + i++))
        qqbar_roots_fmpz_poly(all + count, factor->p + i,
                              QQBAR_ROOTS_IRREDUCIBLE | QQBAR_ROOTS_UNSORTED);
    fmpz_poly_factor_clear(factor);
    for (slong i = 0; i < count; i++) {
        if (!qqbar_is_real(all + i))
            continue;
        qqbar_struct *number = number_new(checker);
        qqbar_swap(number, all + i);
        vec_push(checker->arena, &roots->at, number);
        for (size_t k = roots->at.count - 1; k > 0 && qqbar_cmp_re(roots->at.at[k - 1], number) > 0;
             k--) {
            roots->at.at[k] = roots->at.at[k - 1];
            roots->at.at[k - 1] = number;
        }
    }
    _qqbar_vec_clear(all, degree);
    return true;
}

/* Over the point; -1 if p vanishes identically, -2 if that is not known. */
static slong degree_over(const struct point *point, const fmpz_mpoly_t p, int variable)
{
    const fmpz_mpoly_ctx_struct *ctx = point->checker->ctx->zctx;
    const slong variables[1] = {variable};
    ulong exponent = (ulong)fmpz_mpoly_degree_si(p, variable, ctx) + 1;
    int sign = 0;
    fmpz_mpoly_t c;
    fmpz_mpoly_init(c, ctx);
    while (!sign && exponent-- > 0) {
        fmpz_mpoly_get_coeff_vars_ui(c, p, variables, &exponent, 1, ctx);
        sign = point_sign(point, c);
    }
    fmpz_mpoly_clear(c, ctx);
    return sign == UNKNOWN_SIGN ? -2 : sign ? (slong)exponent : -1;
}

/* Keeps those of the candidates that are roots of p over the point. */
static bool roots_filter(const struct point *point, const fmpz_mpoly_t p, int variable,
                         struct roots *roots)
{
    struct point extended = *point;
    size_t count = roots->at.count;
    roots->at.count = 0;
    for (size_t i = 0; i < count; i++) {
        extended.count = point->count;
        point_add(&extended, variable, roots->at.at[i]);
        int sign = point_sign(&extended, p);
        if (sign == UNKNOWN_SIGN)
            return false;
        if (!sign)
            roots->at.at[roots->at.count++] = roots->at.at[i];
    }
    return true;
}

bool point_roots(const struct point *point, const fmpz_mpoly_t p, int variable, struct roots *roots)
{
    const fmpz_mpoly_ctx_struct *ctx = point->checker->ctx->zctx;
    fmpz_mpoly_t part;
    fmpz_poly_t f;
    *roots = (struct roots){0};
    fmpz_mpoly_init(part, ctx);
    fmpz_poly_init(f);
    bool ok = rational_part(point, p, part);
    if (ok && univariate_set(ctx, f, part, variable)) {
        roots->degree = fmpz_poly_degree(f);
        ok = univariate_roots(point->checker, f, roots);
    } else if (ok) {
        roots->degree = degree_over(point, part, variable);
        ok = roots->degree > -2;
        if (roots->degree > 0)
            ok = norm_set(point, part, variable, f) && univariate_roots(point->checker, f, roots) &&
                 roots_filter(point, part, variable, roots);
    }
    fmpz_poly_clear(f);
    fmpz_mpoly_clear(part, ctx);
    return ok;
}
