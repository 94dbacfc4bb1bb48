/* Samples and roots against a numerical oracle and against qqbar. Random towers of coordinates,
   each a rational or a root of a random polynomial over the ones before it; on them signs (of
   values made to be zero too), root counts, order and enclosures, comparisons of roots of different
   polynomials, multiple roots, numbers between roots. The oracle works with balls of ORACLE_BITS
   bits and complex root finding, takes a value whose ball holds zero for zero, and knows nothing of
   the sample's methods. Minimal polynomials are compared with qqbar's roots. Every seventh round
   has a small budget. The first argument sets the seed, the second the number of rounds, the third
   the first of them. */
#include "constraints_real.h"
#include <stdlib.h>
#include <string.h>

enum { ORACLE_BITS = 3000 };

/* The coefficients of p in `variable` (-1: its value) at the oracle's point. */
static void oracle_coefficients(struct bench *b, arb_poly_t f, const fmpz_mpoly_struct *p,
                                int variable)
{
    arb_t term, power;
    arb_init(term);
    arb_init(power);
    arb_poly_zero(f);
    for (slong i = 0; i < p->length; i++) {
        ulong exponents[VARIABLES];
        fmpz_mpoly_get_term_exp_ui(exponents, p, i, b->ctx);
        arb_set_fmpz(term, p->coeffs + i);
        for (int v = 0; v < VARIABLES; v++) {
            if (v == variable)
                continue;
            arb_pow_ui(power, b->point + v, exponents[v], ORACLE_BITS);
            arb_mul(term, term, power, ORACLE_BITS);
        }
        slong e = variable < 0 ? 0 : (slong)exponents[variable];
        arb_poly_get_coeff_arb(power, f, e);
        arb_add(power, power, term, ORACLE_BITS);
        arb_poly_set_coeff_arb(f, e, power);
    }
    while (f->length > 0 && arb_contains_zero(f->coeffs + f->length - 1))
        _arb_poly_set_length(f, f->length - 1);
    arb_clear(term);
    arb_clear(power);
}

static int oracle_sign(struct bench *b, const fmpz_mpoly_struct *p)
{
    arb_poly_t value;
    arb_poly_init(value);
    oracle_coefficients(b, value, p, -1);
    int sign = value->length == 0 ? 0 : arb_is_positive(value->coeffs) ? 1 : -1;
    arb_poly_clear(value);
    return sign;
}

static int order_real(const void *x, const void *y)
{
    return arb_lt((const arb_struct *)x, (const arb_struct *)y) ? -1 : 1;
}

/* Real roots, ascending; -1 if p vanishes at the point, -2 if the oracle cannot tell (multiple
   roots). */
static slong oracle_roots(struct bench *b, arb_ptr *roots, const fmpz_mpoly_struct *p)
{
    arb_poly_t f;
    acb_poly_t g;
    slong count = 0;
    arb_poly_init(f);
    acb_poly_init(g);
    oracle_coefficients(b, f, p, X);
    acb_poly_set_arb_poly(g, f);
    slong n = f->length - 1;
    acb_ptr all = _acb_vec_init(n > 0 ? n : 1);
    *roots = _arb_vec_init(fmpz_mpoly_degree_si(p, X, b->ctx) + 2);
    if (n < 0)
        count = -1;
    else if (n > 0 && (acb_poly_find_roots(all, g, NULL, 0, ORACLE_BITS) != n ||
                       !acb_poly_validate_real_roots(all, g, ORACLE_BITS)))
        count = -2;
    for (slong i = 0; i < n && count >= 0; i++)
        if (arb_contains_zero(acb_imagref(all + i)))
            arb_set(*roots + count++, acb_realref(all + i));
    if (count > 0)
        qsort(*roots, (size_t)count, sizeof(arb_struct), order_real);
    _acb_vec_clear(all, n > 0 ? n : 1);
    arb_poly_clear(f);
    acb_poly_clear(g);
    return count;
}

static void oracle_free(struct bench *b, arb_ptr roots, const fmpz_mpoly_struct *p)
{
    _arb_vec_clear(roots, fmpz_mpoly_degree_si(p, X, b->ctx) + 2);
}

/* A random polynomial in the variables below `variables` and in x up to `degree`; it has x^degree
   if degree > 0. */
static fmpz_mpoly_struct *mpoly_random(struct bench *b, int variables, int degree, int terms)
{
    fmpz_mpoly_struct *p = mpoly_new(b);
    fmpz_mpoly_t t;
    fmpz_mpoly_init(t, b->ctx);
    for (int i = 0; i < terms; i++) {
        ulong exponents[VARIABLES] = {0};
        for (int v = 0; v < variables; v++)
            exponents[v] = (ulong)(below(b, 2) ? below(b, 3) : 0);
        exponents[X] = (ulong)(i == 0 ? degree : below(b, degree + 1));
        slong c = below(b, 9) - 4;
        fmpz_mpoly_zero(t, b->ctx);
        fmpz_mpoly_push_term_si_ui(t, c ? c : 5, exponents, b->ctx);
        fmpz_mpoly_add(p, p, t, b->ctx);
    }
    fmpz_mpoly_clear(t, b->ctx);
    return p;
}

/* p with x replaced by variable v. */
static const fmpz_mpoly_struct *renamed(struct bench *b, const fmpz_mpoly_struct *p, int v)
{
    fmpz_mpoly_struct *r = mpoly_new(b);
    for (slong i = 0; i < p->length; i++) {
        ulong exponents[VARIABLES];
        fmpz_mpoly_get_term_exp_ui(exponents, p, i, b->ctx);
        exponents[v] = exponents[X];
        exponents[X] = v == X ? exponents[X] : 0;
        fmpz_mpoly_push_term_fmpz_ui(r, p->coeffs + i, exponents, b->ctx);
    }
    fmpz_mpoly_sort_terms(r, b->ctx);
    return r;
}

/* The roots of p over the sample against the oracle's; count, -1 if there is nothing to go on
   with. */
static slong check_roots(struct bench *b, const fmpz_mpoly_struct *p, int variable,
                         const struct root ***roots, arb_ptr *expected)
{
    const fmpz_mpoly_struct *own = renamed(b, p, variable);
    size_t count;
    slong want = oracle_roots(b, expected, p);
    bool good = sample_roots(b->sample, b->arena, own, variable, roots, &count);
    const char *text = text_of(b, own);
    arb_t ball;
    if (b->budget.spent)
        return -1;
    check_that(b->check, good == (want != -1), "%s vanishes at the sample or not", text);
    if (want < 0)
        return -1;
    if (!check_that(b->check, (slong)count == want, "%s has %d roots, not %d", text, (int)want,
                    (int)count))
        return -1;
    arb_init(ball);
    for (size_t i = 0; i < count; i++) {
        size_t index;
        bool known = root_enclose(b->sample, (*roots)[i], 200, ball);
        check_that(b->check, b->budget.spent || (known && arb_overlaps(ball, *expected + i) &&
                                                 arb_rel_accuracy_bits(ball) >= 200),
                   "root %d of %s is not where it should be", (int)i, text);
        check_that(b->check, root_polynomial((*roots)[i], &index) == own && index == i + 1,
                   "origin of root %d", (int)i);
        for (size_t j = 0; j < count; j++) {
            int order = root_compare(b->sample, (*roots)[i], (*roots)[j]);
            check_that(b->check, order == (i > j) - (i < j) || b->budget.spent,
                       "order of roots %d, %d of %s: %d", (int)i, (int)j, text, order);
        }
    }
    arb_clear(ball);
    return b->budget.spent ? -1 : want;
}

static void push_rational(struct bench *b, int variable, int num, int den)
{
    fmpq_t q;
    fmpq_init(q);
    fmpq_set_si(q, num, (ulong)den);
    sample_push_rational(b->sample, variable, q);
    arb_set_fmpq(b->point + variable, q, ORACLE_BITS);
    fmpq_clear(q);
}

/* A coordinate for the next variable: a root of a random polynomial, if it has one, else a
   rational. */
static void push_random(struct bench *b, int variable)
{
    const struct root **roots;
    arb_ptr expected;
    if (below(b, 4) > 0) {
        fmpz_mpoly_struct *p = mpoly_random(b, variable, 1 + below(b, 4), 3 + below(b, 3));
        if (below(b, 3) == 0)
            fmpz_mpoly_mul(p, p, mpoly_random(b, variable, 1 + below(b, 2), 3), b->ctx);
        slong count = check_roots(b, p, variable, &roots, &expected);
        if (count > 0) {
            int i = below(b, (int)count);
            sample_push_root(b->sample, roots[i]);
            arb_set(b->point + variable, expected + i);
            b->vanishing[b->vanish++] = renamed(b, p, variable);
        }
        oracle_free(b, expected, p);
        if (count > 0)
            return;
    }
    push_rational(b, variable, below(b, 9) - 4, 1 + below(b, 3));
}

static void check_sign(struct bench *b, const fmpz_mpoly_struct *p)
{
    int want = oracle_sign(b, p), got = sample_sign(b->sample, p);
    check_that(b->check, got == want || (got == SIGN_UNDECIDED && b->budget.spent),
               "sign of %s is %d, not %d", text_of(b, p), want, got);
}

/* Signs of random polynomials and of combinations of those that vanish at the point. */
static void random_signs(struct bench *b, int height)
{
    for (int i = 0; i < 4; i++)
        check_sign(b, mpoly_random(b, height, 0, 1 + below(b, 5)));
    if (b->vanish == 0)
        return;
    for (int i = 0; i < 4; i++) {
        fmpz_mpoly_struct *sum = mpoly_new(b);
        for (size_t j = 0; j < b->vanish; j++) {
            fmpz_mpoly_struct *r = mpoly_random(b, height, 0, 2);
            fmpz_mpoly_mul(r, r, b->vanishing[j], b->ctx);
            fmpz_mpoly_add(sum, sum, r, b->ctx);
        }
        check_sign(b, sum);
        fmpz_mpoly_factor_t factors;
        fmpz_mpoly_factor_init(factors, b->ctx);
        if (fmpz_mpoly_factor(factors, sum, b->ctx))
            for (slong j = 0; j < factors->num; j++)
                check_sign(b, &factors->poly[j]);
        fmpz_mpoly_factor_clear(factors, b->ctx);
    }
}

/* Polynomials with roots known by construction: products of (x - g)^m over polynomials g in the
   coordinates. */
static void random_multiple(struct bench *b, int height)
{
    enum { COUNT = 3 };
    fmpz_mpoly_struct *p = mpoly_read(b, "1"), *x = mpoly_read(b, "x"), *q = mpoly_read(b, "1");
    arb_t values[COUNT], ball;
    arb_init(ball);
    for (int i = 0; i < COUNT; i++) {
        fmpz_mpoly_struct *g = mpoly_random(b, height, 0, 1 + below(b, 2));
        arb_poly_t value;
        arb_poly_init(value);
        oracle_coefficients(b, value, g, -1);
        arb_init(values[i]);
        arb_poly_get_coeff_arb(values[i], value, 0);
        arb_poly_clear(value);
        fmpz_mpoly_sub(g, x, g, b->ctx);
        for (int m = below(b, 2); m >= 0; m--)
            fmpz_mpoly_mul(p, p, g, b->ctx);
        if (i > 0)
            fmpz_mpoly_mul(q, q, g, b->ctx);
    }
    fmpz_mpoly_mul(p, p, mpoly_random(b, height, 0, 1), b->ctx);
    const struct root **roots, **others;
    size_t count, other, distinct = 0, matched = 0;
    bool good = sample_roots(b->sample, b->arena, p, X, &roots, &count) &&
                sample_roots(b->sample, b->arena, q, X, &others, &other);
    for (int i = 0; i < COUNT && good; i++) {
        bool again = false, found = false;
        for (int j = 0; j < i; j++)
            again |= arb_overlaps(values[i], values[j]);
        distinct += !again;
        for (size_t j = 0; j < count; j++)
            found |= root_enclose(b->sample, roots[j], 300, ball) && arb_overlaps(ball, values[i]);
        check_that(b->check, found || b->budget.spent, "root %d of %s is missing", i,
                   text_of(b, p));
    }
    if (good && !b->budget.spent) {
        check_that(b->check, count == distinct, "%s has %d roots, not %d", text_of(b, p),
                   (int)distinct, (int)count);
        for (size_t i = 0; i < other; i++)
            for (size_t j = 0; j < count; j++)
                matched += root_compare(b->sample, others[i], roots[j]) == 0;
        check_that(b->check, matched == other || b->budget.spent, "roots of %s among those of %s",
                   text_of(b, q), text_of(b, p));
    }
    for (int i = 0; i < COUNT; i++)
        arb_clear(values[i]);
    arb_clear(ball);
}

/* The simplest number between neighbouring roots is between them, and nothing simpler is. */
static void random_between(struct bench *b, int height)
{
    const struct root **roots;
    size_t count;
    fmpq_t q, simpler;
    fmpq_init(q);
    fmpq_init(simpler);
    if (sample_roots(b->sample, b->arena, mpoly_random(b, height, 4, 5), X, &roots, &count) &&
        count > 0)
        for (size_t i = 0; i <= count; i++) {
            const struct root *lo = i > 0 ? roots[i - 1] : NULL, *hi = i < count ? roots[i] : NULL;
            if (!root_between(b->sample, lo, hi, q))
                continue;
            check_that(b->check,
                       (!lo || root_compare_rational(b->sample, lo, q) < 0) &&
                           (!hi || root_compare_rational(b->sample, hi, q) > 0),
                       "number between roots");
            if (fmpz_is_one(fmpq_denref(q)))
                fmpq_sub_si(simpler, q, fmpq_sgn(q));
            for (int side = -1; side <= 1 && !fmpq_is_zero(q); side += 2) {
                if (!fmpz_is_one(fmpq_denref(q))) {
                    fmpq_set_fmpz_frac(simpler, fmpq_numref(q), fmpq_denref(q));
                    fmpz_add_si(fmpq_numref(simpler), fmpq_numref(simpler), side);
                    fmpq_canonicalise(simpler);
                }
                check_that(b->check,
                           (lo && root_compare_rational(b->sample, lo, simpler) >= 0) ||
                               (hi && root_compare_rational(b->sample, hi, simpler) <= 0),
                           "simplest number");
            }
        }
    fmpq_clear(q);
    fmpq_clear(simpler);
}

/* Minimal polynomials: irreducible, with the coordinate as a root and no other real root in the
   interval (qqbar). */
static void random_minimal(struct bench *b, int height)
{
    fmpz_poly_t f;
    fmpq_t lo, hi;
    arb_t ball, value;
    fmpz_poly_init(f);
    fmpq_init(lo);
    fmpq_init(hi);
    arb_init(ball);
    arb_init(value);
    for (int i = 0; i < height && i < 3 && sample_minimal(b->sample, (size_t)i, f, lo, hi); i++) {
        slong n = fmpz_poly_degree(f), within = 0;
        qqbar_ptr all = _qqbar_vec_init(n);
        fmpz_poly_factor_t factors;
        fmpz_poly_factor_init(factors);
        fmpz_poly_factor(factors, f);
        check_that(b->check,
                   factors->num == 1 && factors->exp[0] == 1 && fmpz_is_one(&factors->c) == 1,
                   "a minimal polynomial is irreducible");
        arb_fmpz_poly_evaluate_arb(value, f, b->point + i, ORACLE_BITS);
        check_that(b->check, arb_contains_zero(value),
                   "a minimal polynomial has its coordinate as a root");
        arb_set_fmpq(ball, lo, ORACLE_BITS);
        bool inside = !arb_gt(ball, b->point + i);
        arb_set_fmpq(ball, hi, ORACLE_BITS);
        check_that(b->check, inside && !arb_lt(ball, b->point + i),
                   "the coordinate is in its interval");
        qqbar_roots_fmpz_poly(all, f, QQBAR_ROOTS_IRREDUCIBLE);
        qqbar_t end;
        qqbar_init(end);
        for (slong j = 0; j < n; j++) {
            if (!qqbar_is_real(all + j))
                continue;
            qqbar_set_fmpq(end, lo);
            bool above = qqbar_cmp_re(all + j, end) >= 0;
            qqbar_set_fmpq(end, hi);
            within += above && qqbar_cmp_re(all + j, end) <= 0;
        }
        check_that(b->check, within == 1, "%d roots in the interval of a coordinate", (int)within);
        qqbar_clear(end);
        fmpz_poly_factor_clear(factors);
        _qqbar_vec_clear(all, n);
    }
    fmpz_poly_clear(f);
    fmpq_clear(lo);
    fmpq_clear(hi);
    arb_clear(ball);
    arb_clear(value);
}

/* One round; answers the steps left of the budget. */
static uint64_t random_round(struct check *check, uint64_t seed, int round, uint64_t *spent)
{
    struct bench b = {.check = check, .state = seed + (uint64_t)round};
    bench_start(&b);
    int height = 1 + round % 4;
    if (round % 7 == 6)
        b.budget.left = 100 + (uint64_t)below(&b, 20000);
    bool small = b.budget.left < STEPS;
    for (int v = 0; v < height; v++)
        push_random(&b, v);
    random_signs(&b, height);
    for (int i = 0; i < 2; i++) {
        const struct root **roots;
        arb_ptr expected;
        fmpz_mpoly_struct *p = mpoly_random(&b, height, 1 + below(&b, 5), 5);
        check_roots(&b, p, X, &roots, &expected);
        oracle_free(&b, expected, p);
    }
    random_multiple(&b, height);
    random_between(&b, height);
    random_minimal(&b, height);
    check_that(check, b.budget.spent == (b.budget.reason != NULL),
               "a reason where the budget is spent");
    if (b.budget.spent && !small)
        printf("round %d of height %d: %s\n", round, height, b.budget.reason);
    *spent += b.budget.spent && !small;
    uint64_t left = b.budget.left;
    bench_end(&b);
    return left;
}

static void test_random(struct check *check, uint64_t seed, int first, int rounds)
{
    uint64_t spent = 0;
    for (int round = first; round < first + rounds; round++) {
        uint64_t left = random_round(check, seed, round, &spent);
        if (round < first + 12)
            check_that(check, left == random_round(check, seed, round, &spent),
                       "the steps of round %d repeat", round);
    }
    check_that(check, spent * 100 <= (uint64_t)rounds, "%d of %d rounds spent their budget",
               (int)spent, rounds);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int rounds = argc > 2 ? atoi(argv[2]) : 200, first = argc > 3 ? atoi(argv[3]) : 0;
    printf("seed %llu\n", (unsigned long long)seed);
    test_random(&check, seed, first, rounds);
    flint_cleanup();
    return check_end(&check, "constraints_sample");
}
