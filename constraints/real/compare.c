/* Order of roots. In: two roots of one variable over the same coordinates; out: their exact order,
   a simple number between them. Disjoint intervals decide; else the intervals are shrunk twice;
   then it is asked exactly whether the one is a root of the other's polynomial, by the separation
   bound. If not they differ, and shrinking ends; if it is, they are equal as soon as the one's
   interval is within the other's, which holds no other root. */
#include "constraints/real/real.h"

static int by_intervals(const struct root *a, const struct root *b)
{
    if (arf_cmp(&a->hi, &b->lo) <= 0)
        return -1;
    return arf_cmp(&b->hi, &a->lo) <= 0 ? 1 : SIGN_UNDECIDED;
}

static int compare_irrational(struct sample *sample, struct root *a, struct root *b)
{
    int order = by_intervals(a, b), sign;
    for (slong bits = 32; order == SIGN_UNDECIDED && bits <= 64; bits *= 2) {
        if (!root_refine(sample, a, bits) || !root_refine(sample, b, bits))
            return SIGN_UNDECIDED;
        order = by_intervals(a, b);
    }
    if (order != SIGN_UNDECIDED)
        return order;
    sign = root_sign(sample, a, family_dense(sample, b->family));
    bool same = sign == 0;
    for (slong bits = 128; sign != SIGN_UNDECIDED && order == SIGN_UNDECIDED; bits *= 2) {
        if (same && arf_cmp(&a->lo, &b->lo) >= 0 && arf_cmp(&a->hi, &b->hi) <= 0)
            return 0;
        if (bits > EVALUATION_LIMIT)
            budget_end(sample->g.budget,
                       "roots could not be separated within the limit of precision");
        if (sample->g.budget->spent || !root_refine(sample, a, bits) ||
            (!same && !root_refine(sample, b, bits)))
            return SIGN_UNDECIDED;
        order = by_intervals(a, b);
    }
    return order;
}

int root_compare(struct sample *sample, const struct root *a, const struct root *b)
{
    if (a == b)
        return 0;
    if (sample->g.budget->spent)
        return SIGN_UNDECIDED;
    if (b->rational)
        return root_compare_rational(sample, a, &b->value);
    if (a->rational) {
        int order = root_compare_rational(sample, b, &a->value);
        return order == SIGN_UNDECIDED ? order : -order;
    }
    if (a->batch == b->batch)
        return a < b ? -1 : 1;
    return compare_irrational(sample, (struct root *)a, (struct root *)b);
}

int arf_compare_integer(const arf_t x, const fmpz_t m)
{
    arf_t t;
    arf_init(t);
    arf_set_fmpz(t, m);
    int order = arf_cmp(x, t);
    arf_clear(t);
    return order;
}

/* Sign of x - q. */
static int arf_order(const arf_t x, const fmpq *q)
{
    arf_t t;
    if (fmpz_is_one(fmpq_denref(q)) && !COEFF_IS_MPZ(*fmpq_numref(q)))
        return arf_cmp_si(x, *fmpq_numref(q));
    arf_init(t);
    arf_mul_fmpz(t, x, fmpq_denref(q), ARF_PREC_EXACT, ARF_RND_DOWN);
    int order = arf_compare_integer(t, fmpq_numref(q));
    arf_clear(t);
    return (order > 0) - (order < 0);
}

/* Sign of the univariate polynomial f at q: of den(q)^deg(f) * f(q), by Horner's rule. */
static int univariate_sign(const fmpz_poly_t f, const fmpq *q)
{
    fmpz_t value, power;
    fmpz_init(value);
    fmpz_init_set_ui(power, 1);
    for (slong i = f->length - 1; i >= 0; i--) {
        fmpz_mul(value, value, fmpq_numref(q));
        fmpz_addmul(value, f->coeffs + i, power);
        fmpz_mul(power, power, fmpq_denref(q));
    }
    int sign = fmpz_sgn(value);
    fmpz_clear(value);
    fmpz_clear(power);
    return sign;
}

/* The same over irrational coordinates, exactly. */
static int dense_sign(struct sample *sample, const struct dense *d, const fmpq *q)
{
    const struct algebra *g = &sample->g;
    fmpz_mpoly_t value, term;
    fmpz_t power;
    fmpz_mpoly_init(value, g->ctx);
    fmpz_mpoly_init(term, g->ctx);
    fmpz_init_set_ui(power, 1);
    for (slong i = d->length - 1; i >= 0; i--) {
        fmpz_mpoly_scalar_mul_fmpz(value, value, fmpq_numref(q), g->ctx);
        fmpz_mpoly_scalar_mul_fmpz(term, &d->at[i], power, g->ctx);
        fmpz_mpoly_add(value, value, term, g->ctx);
        fmpz_mul(power, power, fmpq_denref(q));
    }
    int sign = sample_sign(sample, value);
    fmpz_mpoly_clear(value, g->ctx);
    fmpz_mpoly_clear(term, g->ctx);
    fmpz_clear(power);
    return sign;
}

/* Sign of the family's polynomial at q; over irrational coordinates by balls first. */
static int family_sign(struct sample *sample, struct family *family, const fmpq *q)
{
    uint64_t height = 1 + fmpq_height_bits((fmpq *)q) / 64;
    arb_t x, y;
    if (!budget_take(sample->g.budget, (uint64_t)family_degree(family) * height))
        return SIGN_UNDECIDED;
    if (family->univariate)
        return univariate_sign(family->f, q);
    arb_init(x);
    arb_init(y);
    arb_set_fmpq(x, (fmpq *)q, 2 * PRECISION_FIRST);
    arb_poly_evaluate(y, family_enclose(sample, family, PRECISION_FIRST), x, PRECISION_FIRST);
    int sign = sample->g.budget->spent || arb_contains_zero(y) ? SIGN_UNDECIDED
               : arb_is_positive(y)                            ? 1
                                                               : -1;
    arb_clear(x);
    arb_clear(y);
    if (sign != SIGN_UNDECIDED || sample->g.budget->spent)
        return sign;
    return dense_sign(sample, family_dense(sample, family), q);
}

/* The interval now ends at the dyadic number q. */
static void cut_at(struct root *root, const fmpq *q, bool below)
{
    arf_struct *end = below ? &root->lo : &root->hi;
    const fmpz *den = fmpq_denref(q);
    if (fmpz_val2(den) + 1 != fmpz_bits(den))
        return;
    arf_set_fmpz(end, fmpq_numref(q));
    arf_mul_2exp_si(end, end, -(slong)fmpz_val2(den));
}

int root_compare_rational(struct sample *sample, const struct root *a, const fmpq *q)
{
    struct root *root = (struct root *)a;
    if (sample->g.budget->spent)
        return SIGN_UNDECIDED;
    if (root->rational) {
        int order = fmpq_cmp(&root->value, q);
        return (order > 0) - (order < 0);
    }
    if (arf_order(&root->lo, q) >= 0)
        return 1;
    if (arf_order(&root->hi, q) <= 0)
        return -1;
    int sign = family_sign(sample, root->family, q);
    if (sign == SIGN_UNDECIDED)
        return sign;
    if (sign == 0) {
        root->rational = true;
        fmpq_set(&root->value, q);
        return 0;
    }
    cut_at(root, q, sign == root->sign);
    return sign == root->sign ? 1 : -1;
}

/* An end of an open interval of rationals. */
struct end {
    bool bounded;
    fmpq_t value;
};

/* An outer bound of the root. */
static void end_of(struct end *end, const struct root *root, bool lower)
{
    fmpq_init(end->value);
    end->bounded = root != NULL;
    if (!root)
        return;
    if (root->rational)
        fmpq_set(end->value, &root->value);
    else
        arf_get_fmpq(end->value, lower ? &root->lo : &root->hi);
}

/* The integer above l that is nearest to zero if l >= 0, or below u if u <= 0; zero if it is
   between. */
static void nearest_integer(fmpq_t value, const struct end *l, const struct end *u)
{
    fmpq_zero(value);
    if (l->bounded && fmpq_sgn(l->value) >= 0) {
        fmpz_fdiv_q(fmpq_numref(value), fmpq_numref(l->value), fmpq_denref(l->value));
        fmpz_add_ui(fmpq_numref(value), fmpq_numref(value), 1);
    } else if (u->bounded && fmpq_sgn(u->value) <= 0) {
        fmpz_cdiv_q(fmpq_numref(value), fmpq_numref(u->value), fmpq_denref(u->value));
        fmpz_sub_ui(fmpq_numref(value), fmpq_numref(value), 1);
    }
}

static bool strictly_inside(const fmpq_t value, const struct end *l, const struct end *u)
{
    return (!l->bounded || fmpq_cmp(l->value, value) < 0) &&
           (!u->bounded || fmpq_cmp(value, u->value) < 0);
}

/* The simplest number in the open interval, which is not empty (else the budget ends the search):
   nearest_integer, else the dyadic of least denominator, of which there is only one. */
static void simplest(fmpq_t value, const struct end *l, const struct end *u, struct budget *budget)
{
    fmpz_t num, den;
    fmpz_init(num);
    fmpz_init_set_ui(den, 1);
    nearest_integer(value, l, u);
    while (!strictly_inside(value, l, u) && budget_take(budget, 1 + fmpz_bits(den) / 64)) {
        fmpz_mul_2exp(den, den, 1);
        fmpz_mul(num, fmpq_numref(l->value), den);
        fmpz_fdiv_q(num, num, fmpq_denref(l->value));
        fmpz_add_ui(num, num, 1);
        fmpq_set_fmpz_frac(value, num, den);
    }
    fmpz_clear(num);
    fmpz_clear(den);
}

/* The simplest number between outer bounds is the answer if it is between the roots; else it is a
   better bound. Intervals are narrow first, so that few integers are tried. */
bool root_between(struct sample *sample, const struct root *a, const struct root *b, fmpq_t value)
{
    struct end l, u;
    bool found = false;
    if ((a && !root_narrow(sample, (struct root *)a, -1)) ||
        (b && !root_narrow(sample, (struct root *)b, -1)))
        return false;
    end_of(&l, a, true);
    end_of(&u, b, false);
    while (!found && budget_take(sample->g.budget, 4)) {
        simplest(value, &l, &u, sample->g.budget);
        int above = a ? root_compare_rational(sample, a, value) : -1;
        if (above == SIGN_UNDECIDED)
            break;
        if (above >= 0) {
            fmpq_set(l.value, value);
            continue;
        }
        int below = b ? root_compare_rational(sample, b, value) : 1;
        if (below == SIGN_UNDECIDED)
            break;
        if (below > 0)
            found = true;
        else
            fmpq_set(u.value, value);
    }
    fmpq_clear(l.value);
    fmpq_clear(u.value);
    return found && !sample->g.budget->spent;
}
