/* Samples and roots by tables: points over which polynomials vanish, lose degrees or have multiple
   roots, close roots, rational roots among others, values next to zero, numbers between roots,
   minimal polynomials; random polynomials in one variable against FLINT's count. */
#include "constraints_real.h"
#include <flint/fmpz_lll.h>
#include <string.h>

/* A point, by polynomials and the number of their root (from 1), and a polynomial over it. */
struct row {
    const char *point[4];
    int root[4];
    const char *p;
    int count;               /* of its real roots; -1: it vanishes identically */
    int rational;            /* how many of them must be recognised */
};

static const struct row rows[] = {
    {{NULL}, {0}, "x^2 - 2", 2, 0},
    {{NULL}, {0}, "(3*x - 2)*(x^2 - 2)*(x - 5)*(1000003*x + 999)*x", 6, 4},
    {{NULL}, {0}, "(x^2 + 1)^3", 0, 0},
    {{NULL}, {0}, "(2*x - 1)^4*(x^2 - 3)^2*(x^2 + x + 1)", 3, 1},
    {{NULL}, {0}, "x^20 - 2*(1000000*x - 1)^2", 4, 0},
    {{NULL}, {0}, "x^12 - 2*(99991*x - 1)^2", 4, 0},
    {{NULL}, {0}, "(131072*x - 92681)*(32768*x - 23170)*(65536*x - 102835)", 3, 3},
    {{NULL}, {0}, "123456789012345678901234567890*x^3 - 7*x + 1", 1, 0},
    {{NULL}, {0}, "5", 0, 0},
    {{NULL}, {0}, "(5*x - 1)*(x^2 - 2)", 3, 1},
    {{NULL}, {0}, "(7*x - 2)*(13*x + 5)*(x^2 - 3)", 4, 2},
    {{"a^2 - 2"}, {2}, "(a^2 - 2)*x + a^2 - 2", -1, 0},
    {{"a^2 - 2"}, {2}, "(a^2 - 2)*x^3 + x - a", 1, 0},
    {{"a^2 - 2"}, {2}, "(a^2 - 2)*x^2 + (a^2 - 2)*x + 1", 0, 0},
    {{"a^2 - 2"}, {2}, "(a^4 - 4)*x^4 + (a - 1)*(x^2 - a)*(a^2 - 2) + x^2*(a^3 - 2*a)", -1, 0},
    {{"a^2 - 2"}, {1}, "x^2 - a", 0, 0},
    {{"a^2 - 2"}, {2}, "x - a^2", 1, 1},
    {{"a^2 - 2"}, {2}, "(x - a)^2*(x + a)^3*(x - 1)", 3, 0},
    {{"a^2 - 2"}, {2}, "x^4 - 2*a*x^2 + 2", 2, 0},
    {{"a^2 - 2"}, {2}, "x^5 - a*x^4", 2, 1},
    {{"a^2 - 2"}, {2}, "x^12 - 2*(1000*a*x - 1)^2", 4, 0},
    {{"a^2 - 2", "b^2 - 3"}, {2, 2}, "x^2 - a*b*x - x*b + 3*a", 2, 0},
    {{"a^2 - 2", "b^2 - 3", "c^4 - 10*c^2 + 1"},
     {2, 2, 4},
     "(c - a - b)*x^2 + (c^2 - 5 - 2*a*b)*x",
     -1,
     0},
    {{"a^2 - 2", "b^2 - 3", "c^4 - 10*c^2 + 1"},
     {2, 2, 3},
     "(c - a - b)*x^2 + (c^2 - 5 - 2*a*b)*x",
     2,
     1},
    {{"a^2 - 2", "b^2 - 3", "c^4 - 10*c^2 + 1"}, {2, 2, 3}, "(c + a - b)*x^3 + x - a", 1, 0},
    {{"a^2 - 2", "b^2 - a^2", "c^2 - a*b - 1"}, {2, 2, 1}, "(b - a)*x^2 + x^3 - c*x", 1, 1},
    {{"a^2 - 2", "b^2 - a^2", "c^2 - a*b - 3"}, {2, 1, 1}, "(b + a)*x^2 + x - c", 1, 0},
    {{"a^3 - a - 1", "b^3 - b - 1"}, {1, 1}, "(a - b)*x + a^2 - b^2", -1, 0},
    {{"a^3 - a - 1", "b^2 - 2*a*b + a^2"}, {1, 1}, "(x - a)*(x - b)", 1, 0},
    {{"a^2 - 2", "b^2 - a - 1"}, {2, 2}, "b*((a + 1)*x^2 - 2*b*x + 1)*(x^2 - b)", 3, 0},
    {{"a^2 - 2", "b^3 - a*b - 1"}, {2, 1}, "(b^2*x^2 - 2*a*b*x + 2)*(x^2 - b)", 3, 0},
    {{"a^2 - 2", "a*b^3 - a*b - 1"}, {2, 1}, "((a*b + 1)*x^2 - 2*a*b^2*x + a*b^3)*(b*x - a)", 1, 0},
    {{"a^2 - 2", "a*b^2 - b - a", "c*b - a"},
     {1, 2, 1},
     "(b*c - a)*x^7 + (x^2 - b^2*c^2)*(x - c)",
     3,
     0},
};

static void push_point(struct bench *b, const char *const *point, const int *root)
{
    const struct root **roots;
    size_t count;
    for (int v = 0; v < 4 && point[v]; v++) {
        bool there = sample_roots(b->sample, b->arena, mpoly_read(b, point[v]), v, &roots, &count);
        if (!check_that(b->check, there && count >= (size_t)root[v], "%s has root %d", point[v],
                        root[v]))
            return;
        sample_push_root(b->sample, roots[root[v] - 1]);
    }
}

static void test_row(struct check *check, const struct row *row)
{
    check_test(check);
    struct bench b = {.check = check};
    const struct root **roots;
    size_t count;
    int rational = 0;
    fmpq_t q;
    fmpq_init(q);
    fmpq_set_si(q, 1, 8);
    bench_start(&b);
    push_point(&b, row->point, row->root);
    const fmpz_mpoly_struct *p = mpoly_read(&b, row->p);
    bool good = sample_roots(b.sample, b.arena, p, X, &roots, &count);
    check_that(check, good == (row->count >= 0) && !b.budget.spent, "%s vanishes or not", row->p);
    check_that(check, (int)count == (row->count < 0 ? 0 : row->count), "%s has %d roots, not %d",
               row->p, row->count, (int)count);
    for (size_t i = 0; i < count; i++) {
        rational += root_rational(roots[i]) != NULL;
        check_that(check, i == 0 || root_compare(b.sample, roots[i - 1], roots[i]) < 0,
                   "roots of %s ascend", row->p);
        sample_push_root(b.sample, roots[i]);
        check_that(check, sample_sign(b.sample, p) == 0, "%s vanishes at its root %d", row->p,
                   (int)i);
        check_that(check,
                   sample_sign(b.sample, mpoly_read(&b, "8*x - 1")) ==
                       root_compare_rational(b.sample, roots[i], q),
                   "root %d of %s against 1/8", (int)i, row->p);
        sample_pop(b.sample);
    }
    fmpq_clear(q);
    check_that(check, rational == row->rational, "%s has %d rational roots, not %d", row->p,
               row->rational, rational);
    bench_end(&b);
}

/* Wilkinson's polynomial, whole and with a coefficient changed, and others against FLINT's
   count. */
static void test_close(struct check *check)
{
    check_test(check);
    struct bench b = {.check = check};
    const struct root **roots;
    size_t count;
    fmpz_poly_t f;
    bench_start(&b);
    fmpz_mpoly_struct *p = mpoly_read(&b, "1"), *x = mpoly_read(&b, "x"), *factor = mpoly_new(&b);
    for (int i = 1; i <= 20; i++) {
        fmpz_mpoly_sub_si(factor, x, i, b.ctx);
        fmpz_mpoly_mul(p, p, factor, b.ctx);
    }
    sample_roots(b.sample, b.arena, p, X, &roots, &count);
    check_that(check, count == 20, "Wilkinson: %d roots", (int)count);
    for (size_t i = 0; i < count; i++)
        check_that(check,
                   root_rational(roots[i]) &&
                       fmpq_equal_si((fmpq *)root_rational(roots[i]), (slong)i + 1),
                   "root %d", (int)i);
    fmpz_mpoly_scalar_mul_si(p, p, 1 << 23, b.ctx);
    fmpz_mpoly_sub(p, p, mpoly_read(&b, "x^19"), b.ctx);
    sample_roots(b.sample, b.arena, p, X, &roots, &count);
    check_that(check, count == 10, "Wilkinson, changed: %d roots", (int)count);
    fmpz_poly_init(f);
    for (int i = 0; i < 200; i++) {
        fmpz_mpoly_struct *q = mpoly_new(&b);
        fmpz_poly_zero(f);
        for (int terms = below(&b, 8); terms >= 0; terms--)
            fmpz_poly_set_coeff_si(f, below(&b, 12), below(&b, 19) - 9);
        if (fmpz_poly_is_zero(f))
            continue;
        fmpz_mpoly_set_fmpz_poly(q, f, X, b.ctx);
        fmpz_poly_t g, common;
        fmpz_poly_init(g);
        fmpz_poly_init(common);
        fmpz_poly_derivative(g, f);
        fmpz_poly_gcd(common, f, g);
        fmpz_poly_div(f, f, common);
        bool good = sample_roots(b.sample, b.arena, q, X, &roots, &count);
        check_that(check, good && (slong)count == fmpz_poly_num_real_roots(f), "roots of %s",
                   text_of(&b, q));
        fmpz_poly_clear(g);
        fmpz_poly_clear(common);
    }
    fmpz_poly_clear(f);
    bench_end(&b);
}

static const struct { const char *p, *between; } simple[] = {
    {"x^2 - 2", "-2 0 2"},
    {"(x^2 - 2)*(2*x - 3)", "-2 0 23/16 2"},
    {"x^2 - 10*x + 22", "0 4 7"},
    {"x", "-1 1"},
    {"(x - 1)*(x - 2)", "0 3/2 3"},
    {"(10*x - 1)*(10*x - 2)", "0 1/8 1"},
    {"x^2 + 1", "0"},
    {"(x^2 - 3)*(1000000*x - 1732051)", "-2 0 1816187/1048576 2"},
    {"(x + 7)*(x + 3)", "-8 -4 0"},
};

static void test_simple(struct check *check)
{
    check_test(check);
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++) {
        struct bench b = {.check = check};
        const struct root **roots;
        size_t count;
        fmpq_t q;
        bench_start(&b);
        struct str text = str_new(b.arena);
        fmpq_init(q);
        sample_roots(b.sample, b.arena, mpoly_read(&b, simple[i].p), X, &roots, &count);
        for (size_t j = 0; j <= count; j++) {
            bool found =
                root_between(b.sample, j > 0 ? roots[j - 1] : NULL, j < count ? roots[j] : NULL, q);
            char *number = fmpq_get_str(NULL, 10, q);
            str_addf(&text, "%s%s", j > 0 ? " " : "", found ? number : "?");
            flint_free(number);
        }
        check_that(check, strcmp(text.text, simple[i].between) == 0, "%s: %s, not %s", simple[i].p,
                   text.text, simple[i].between);
        fmpq_clear(q);
        bench_end(&b);
    }
}

/* Signs of values next to zero: q*a - p for convergents p/q of the square root of two, and the same
   times zero. */
static void test_tiny(struct check *check)
{
    check_test(check);
    struct bench b = {.check = check};
    const char *point[4] = {"(a - 1)*(a^2 - 2)", "b^2 - a"};
    const int root[4] = {3, 2};
    fmpz_t p, q, t;
    bench_start(&b);
    push_point(&b, point, root);
    check_that(check, sample_sign(b.sample, mpoly_read(&b, "a^2 - 2")) == 0,
               "the square root of two, cut off a cubic");
    fmpz_mpoly_struct *value = mpoly_new(&b), *gone = mpoly_new(&b);
    fmpz_init_set_ui(p, 1);
    fmpz_init_set_ui(q, 1);
    fmpz_init(t);
    for (int i = 0, above = 1; i < 3000 && !b.budget.spent; i++, above = -above) {
        if (i % 251 == 1) {
            fmpz_mpoly_gen(value, 0, b.ctx);
            fmpz_mpoly_scalar_mul_fmpz(value, value, q, b.ctx);
            fmpz_mpoly_sub_fmpz(value, value, p, b.ctx);
            check_that(check, sample_sign(b.sample, value) == above, "convergent %d", i);
            fmpz_mpoly_mul(gone, value, mpoly_read(&b, "b^4 - a^2"), b.ctx);
            check_that(check, sample_sign(b.sample, gone) == 0, "convergent %d times zero", i);
        }
        fmpz_addmul_ui(p, q, 2);
        fmpz_sub(t, p, q);
        fmpz_swap(q, t);
        fmpz_set(t, p);
    }
    check_that(check, !b.budget.spent, "%s", b.budget.spent ? b.budget.reason : "");
    fmpz_clear(p);
    fmpz_clear(q);
    fmpz_clear(t);
    bench_end(&b);
}

/* A root a = 1/3 - something like 10^-k, and b = a^4: the long coefficients count, and at b the
   degree in a. */
static void test_thirds(struct check *check)
{
    check_test(check);
    for (int k = 10; k <= 400; k += 65) {
        struct bench b = {.check = check};
        const struct root **roots;
        size_t count;
        fmpz_t power;
        bench_start(&b);
        fmpz_mpoly_struct *p = mpoly_read(&b, "(3*a - 1)*(a - 5)");
        fmpz_init_set_ui(power, 10);
        fmpz_pow_ui(power, power, (ulong)k);
        fmpz_mpoly_scalar_mul_fmpz(p, p, power, b.ctx);
        fmpz_mpoly_sub_si(p, p, 1, b.ctx);
        if (check_that(check, sample_roots(b.sample, b.arena, p, 0, &roots, &count) && count == 2,
                       "thirds, k = %d", k))
            sample_push_root(b.sample, roots[0]);
        check_that(check, sample_sign(b.sample, mpoly_read(&b, "3*a - 1")) == -1, "3*a - 1, k = %d",
                   k);
        if (check_that(
                check,
                sample_roots(b.sample, b.arena, mpoly_read(&b, "b - a^4"), 1, &roots, &count) &&
                    count == 1,
                "a^4, k = %d", k))
            sample_push_root(b.sample, roots[0]);
        check_that(check, sample_sign(b.sample, mpoly_read(&b, "81*b - 1")) == -1,
                   "81*b - 1, k = %d", k);
        check_that(check, sample_sign(b.sample, mpoly_read(&b, "b^2 - a^8")) == 0,
                   "b^2 - a^8, k = %d", k);
        fmpz_clear(power);
        bench_end(&b);
    }
}

/* Small values that are as small as a separation bound allows up to a constant: integer relations
   that lattice reduction finds among monomials which are independent over Q, so that no relation is
   zero. */
static const struct {
    const char *point[4];
    int root[4];
    const char *monomials[9];
} relations[] = {
    {{"a^2 - 2"}, {2}, {"1", "a"}},
    {{"a^3 - a - 1"}, {1}, {"1", "a", "a^2"}},
    {{"7*a^3 - 2*a - 30"}, {1}, {"1", "a", "a^2"}},
    {{"a^3 - a - 1", "b^2 - a"}, {1, 2}, {"1", "a", "a^2", "b", "a*b", "a^2*b"}},
    {{"a^2 - 2", "a*b^2 - b - 5*a"}, {2, 1}, {"1", "a", "b", "a*b"}},
    {{"a^2 - 2", "b^2 - 3", "c^2 - 5"},
     {2, 2, 1},
     {"1", "a", "b", "c", "a*b", "a*c", "b*c", "a*b*c"}},
    {{"a^2 - 2", "(b^2 - 3)*(b - 9)", "b*c^2 - a*c - 11"},
     {2, 2, 2},
     {"1", "a", "b", "c", "a*b", "a*c", "b*c", "a*b*c"}},
};

/* p := the monomials' shortest relation to `bits` bits; answers the sign of its value. */
static int relation_find(struct bench *b, fmpz_mpoly_struct *p, const char *const *monomials,
                         slong bits)
{
    slong count = 0, precision = 8 * bits + 64;
    fmpz_mat_t lattice;
    fmpz_lll_t settings;
    arb_t value, sum;
    while (count < 9 && monomials[count])
        count++;
    fmpz_mat_init(lattice, count, count + 1);
    arb_ptr values = _arb_vec_init(count), x = _arb_vec_init(3);
    arb_init(value);
    arb_init(sum);
    for (size_t v = 0; v < sample_height(b->sample); v++)
        root_enclose(b->sample, sample_root(b->sample, v), precision, x + v);
    for (slong i = 0; i < count; i++) {
        arb_one(values + i);
        for (const char *c = monomials[i]; *c; c++)
            if (*c >= 'a' && *c <= 'c') {
                arb_pow_ui(value, x + (*c - 'a'), c[1] == '^' ? 2 : 1, precision);
                arb_mul(values + i, values + i, value, precision);
            }
        arb_mul_2exp_si(value, values + i, bits);
        arf_get_fmpz(fmpz_mat_entry(lattice, i, count), arb_midref(value), ARF_RND_NEAR);
        fmpz_one(fmpz_mat_entry(lattice, i, i));
    }
    fmpz_lll_context_init_default(settings);
    fmpz_lll(lattice, NULL, settings);
    fmpz_mpoly_zero(p, b->ctx);
    for (slong i = 0; i < count; i++) {
        fmpz_mpoly_struct *term = mpoly_read(b, monomials[i]);
        fmpz_mpoly_scalar_mul_fmpz(term, term, fmpz_mat_entry(lattice, 0, i), b->ctx);
        fmpz_mpoly_add(p, p, term, b->ctx);
        arb_addmul_fmpz(sum, values + i, fmpz_mat_entry(lattice, 0, i), precision);
    }
    int sign = arb_contains_zero(sum) ? 0 : arb_is_positive(sum) ? 1 : -1;
    _arb_vec_clear(values, count);
    _arb_vec_clear(x, 3);
    arb_clear(value);
    arb_clear(sum);
    fmpz_mat_clear(lattice);
    return sign;
}

static void test_relations(struct check *check)
{
    check_test(check);
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        struct bench b = {.check = check};
        bench_start(&b);
        push_point(&b, relations[i].point, relations[i].root);
        for (slong bits = 3; bits <= 3000; bits = bits * 4 / 3 + 1) {
            fmpz_mpoly_struct *p = mpoly_new(&b);
            int want = relation_find(&b, p, relations[i].monomials, bits),
                got = sample_sign(b.sample, p);
            check_that(check, want != 0 && got == want, "sign of %s is %d, not %d", text_of(&b, p),
                       want, got);
        }
        bench_end(&b);
    }
}

/* The real root of x^3 - x - 1 against roots of quadratic polynomials next to it, found by lattice
   reduction. */
static void test_neighbours(struct check *check)
{
    check_test(check);
    const char *point[4] = {"a^3 - a - 1"}, *monomials[] = {"1", "a", "a^2", NULL};
    const int root[4] = {1};
    for (slong bits = 60; bits <= 1200; bits += 60) {
        struct bench b = {.check = check};
        const struct root **cubic, **quadratic;
        size_t count;
        int near = 0;
        bench_start(&b);
        push_point(&b, point, root);
        fmpz_mpoly_struct *p = mpoly_new(&b);
        int sign = relation_find(&b, p, monomials, bits);
        sample_pop(b.sample);
        char *text = arena_strdup(b.arena, text_of(&b, p));
        for (char *c = text; *c; c++)
            *c = *c == 'a' ? 'x' : *c;
        sample_roots(b.sample, b.arena, mpoly_read(&b, "x^3 - x - 1"), X, &cubic, &count);
        sample_roots(b.sample, b.arena, mpoly_read(&b, text), X, &quadratic, &count);
        for (size_t i = 0; i < count; i++) {
            int order = root_compare(b.sample, cubic[0], quadratic[i]);
            check_that(check, order == 1 || order == -1, "the root of the cubic is none of %s",
                       text);
            near = order > 0 ? near + 1 : near;
        }
        int lead = fmpz_sgn(p->coeffs) * (near % 2 == (int)count % 2 ? 1 : -1);
        check_that(check, count == 0 || sign == lead,
                   "%zu roots of %s, %d of them below the cubic's", count, text, near);
        bench_end(&b);
    }
}

/* A double root and a pair of simple ones 2 * 10^-k/2 apart, over an irrational point. */
static void test_pairs(struct check *check)
{
    check_test(check);
    const char *point[4] = {"a^2 - 2"};
    const int root[4] = {2};
    for (int k = 10; k <= 150; k += 5) {
        struct bench b = {.check = check};
        const struct root **roots;
        size_t count;
        fmpz_t power;
        bench_start(&b);
        push_point(&b, point, root);
        fmpz_mpoly_struct *p = mpoly_read(&b, "(x - 1)^2"), *q = mpoly_new(&b);
        fmpz_init_set_ui(power, 10);
        fmpz_pow_ui(power, power, (ulong)k);
        fmpz_mpoly_scalar_mul_fmpz(p, p, power, b.ctx);
        fmpz_mpoly_sub_si(p, p, 1, b.ctx);
        fmpz_mpoly_mul(q, p, mpoly_read(&b, "x^2 - 2*a*x + 2"), b.ctx);
        sample_roots(b.sample, b.arena, q, X, &roots, &count);
        check_that(check, count == 3, "a double root and a pair, k = %d: %d roots", k, (int)count);
        for (size_t i = 0; i < count; i++) {
            sample_push_root(b.sample, roots[i]);
            check_that(check, sample_sign(b.sample, p) == (i == 2), "the pair at root %d, k = %d",
                       (int)i, k);
            check_that(check, sample_sign(b.sample, mpoly_read(&b, "x - a")) == (i == 2) - 1,
                       "a at root %d, k = %d", (int)i, k);
            sample_pop(b.sample);
        }
        fmpz_clear(power);
        bench_end(&b);
    }
}

/* Roots closer than any fixed precision: of x^2 - 2 and of (x^2 - 2) * (10^k * (x^2 - 2) - 1). */
static void test_near(struct check *check)
{
    check_test(check);
    for (int k = 20; k <= 320; k += 100) {
        struct bench b = {.check = check};
        const struct root **roots, **others;
        size_t count, other;
        fmpz_t power;
        bench_start(&b);
        fmpz_mpoly_struct *p = mpoly_read(&b, "x^2 - 2"), *q = mpoly_new(&b);
        fmpz_init_set_ui(power, 10);
        fmpz_pow_ui(power, power, (ulong)k);
        fmpz_mpoly_scalar_mul_fmpz(q, p, power, b.ctx);
        fmpz_mpoly_sub_si(q, q, 1, b.ctx);
        fmpz_mpoly_mul(q, q, p, b.ctx);
        sample_roots(b.sample, b.arena, p, X, &roots, &count);
        sample_roots(b.sample, b.arena, q, X, &others, &other);
        if (check_that(check, count == 2 && other == 4, "close roots, 10^-%d apart", k))
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 4; j++) {
                    int want = (2 * i + (i == 0) > j) - (2 * i + (i == 0) < j),
                        got = root_compare(b.sample, roots[i], others[j]);
                    check_that(check, got == want, "roots %d, %d: %d, not %d", i, j, got, want);
                }
        fmpz_clear(power);
        bench_end(&b);
    }
}

static const struct {
    const char *point[4];
    int root[4];
    const char *minimal;      /* of the last coordinate */
} minima[] = {
    {{"a^2 - 2", "b^2 - 3", "c - a - b"}, {2, 2, 1}, "x^4-10*x^2+1"},
    {{"a^2 - 2", "(b - 1)*(b^2 - a)", "(b - 1)*(c^2 - b)"}, {2, 3, 2}, "x^8-2"},
    {{"a^2 - 2", "(b - a)*(b^2 - 3)", "c - a*b"}, {2, 2, 1}, "x-2"},
    {{"a^3 - a - 1", "b*a - 1"}, {1, 1}, "x^3+x^2-1"},
    {{"3*a - 2", "b^2 - a"}, {1, 2}, "3*x^2-2"},
    {{"3*a - 2"}, {1}, "3*x-2"},
    {{"a^2 - 2", "b^2 - a", "c^2 - b", "d^2 - c"}, {2, 2, 2, 2}, "x^16-2"},
};

static void test_minimal(struct check *check)
{
    check_test(check);
    for (size_t i = 0; i < sizeof minima / sizeof *minima; i++) {
        struct bench b = {.check = check};
        fmpz_poly_t f;
        fmpq_t lo, hi;
        bench_start(&b);
        fmpz_poly_init(f);
        fmpq_init(lo);
        fmpq_init(hi);
        push_point(&b, minima[i].point, minima[i].root);
        bool good = sample_minimal(b.sample, sample_height(b.sample) - 1, f, lo, hi);
        char *text = fmpz_poly_get_str_pretty(f, "x");
        check_that(check, good && strcmp(text, minima[i].minimal) == 0, "%s, not %s", text,
                   minima[i].minimal);
        check_that(check, fmpz_poly_degree(f) > 1 ? fmpq_cmp(lo, hi) < 0 : fmpq_equal(lo, hi),
                   "interval of %s", text);
        flint_free(text);
        fmpz_poly_clear(f);
        fmpq_clear(lo);
        fmpq_clear(hi);
        bench_end(&b);
    }
}

int main(void)
{
    struct check check = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        test_row(&check, &rows[i]);
    test_close(&check);
    test_simple(&check);
    test_tiny(&check);
    test_thirds(&check);
    test_relations(&check);
    test_neighbours(&check);
    test_pairs(&check);
    test_near(&check);
    test_minimal(&check);
    flint_cleanup();
    return check_end(&check, "constraints_roots");
}
