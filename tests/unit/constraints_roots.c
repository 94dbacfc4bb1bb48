/* Samples and roots by tables: points over which polynomials vanish, lose degrees or have multiple roots, close roots,
   rational roots among others, numbers between roots; random polynomials in one variable against FLINT's count. */
#include "constraints_real.h"
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
    {{"a^2 - 2", "b^2 - 3", "c^4 - 10*c^2 + 1"}, {2, 2, 4}, "(c - a - b)*x^2 + (c^2 - 5 - 2*a*b)*x", -1, 0},
    {{"a^2 - 2", "b^2 - 3", "c^4 - 10*c^2 + 1"}, {2, 2, 3}, "(c - a - b)*x^2 + (c^2 - 5 - 2*a*b)*x", 2, 1},
    {{"a^2 - 2", "b^2 - 3", "c^4 - 10*c^2 + 1"}, {2, 2, 3}, "(c + a - b)*x^3 + x - a", 1, 0},
    {{"a^2 - 2", "b^2 - a^2", "c^2 - a*b - 1"}, {2, 2, 1}, "(b - a)*x^2 + x^3 - c*x", 1, 1},
    {{"a^2 - 2", "b^2 - a^2", "c^2 - a*b - 3"}, {2, 1, 1}, "(b + a)*x^2 + x - c", 1, 0},
    {{"a^3 - a - 1", "b^3 - b - 1"}, {1, 1}, "(a - b)*x + a^2 - b^2", -1, 0},
    {{"a^3 - a - 1", "b^2 - 2*a*b + a^2"}, {1, 1}, "(x - a)*(x - b)", 1, 0},
    {{"a^2 - 2", "a*b^2 - b - a", "c*b - a"}, {1, 2, 1}, "(b*c - a)*x^7 + (x^2 - b^2*c^2)*(x - c)", 3, 0},
};

static void test_row(struct check *check, const struct row *row)
{
    struct bench b = {.check = check};
    const struct root **roots;
    size_t count;
    int rational = 0;
    bench_start(&b);
    for (int v = 0; v < 4 && row->point[v]; v++) {
        bool there = sample_roots(b.sample, b.arena, mpoly_read(&b, row->point[v]), v, &roots, &count);
        if (!check_that(check, there && count >= (size_t)row->root[v], "%s has root %d", row->point[v], row->root[v]))
            break;
        sample_push_root(b.sample, roots[row->root[v] - 1]);
    }
    const fmpz_mpoly_struct *p = mpoly_read(&b, row->p);
    bool good = sample_roots(b.sample, b.arena, p, X, &roots, &count);
    check_that(check, good == (row->count >= 0) && !b.budget.spent, "%s vanishes or not", row->p);
    check_that(check, (int)count == (row->count < 0 ? 0 : row->count), "%s has %d roots, not %d", row->p, row->count,
               (int)count);
    for (size_t i = 0; i < count; i++) {
        rational += root_rational(roots[i]) != NULL;
        check_that(check, i == 0 || root_compare(b.sample, roots[i - 1], roots[i]) < 0, "roots of %s ascend", row->p);
        sample_push_root(b.sample, roots[i]);
        check_that(check, sample_sign(b.sample, p) == 0, "%s vanishes at its root %d", row->p, (int)i);
        sample_pop(b.sample);
    }
    check_that(check, rational == row->rational, "%s has %d rational roots, not %d", row->p, row->rational, rational);
    bench_end(&b);
}

/* Wilkinson's polynomial, whole and with a coefficient changed, and others against FLINT's count. */
static void test_close(struct check *check)
{
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
        check_that(check, root_rational(roots[i]) && fmpq_equal_si((fmpq *)root_rational(roots[i]), (slong)i + 1), "root %d", (int)i);
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
        check_that(check, good && (slong)count == fmpz_poly_num_real_roots(f), "roots of %s", text_of(&b, q));
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
            bool found = root_between(b.sample, j > 0 ? roots[j - 1] : NULL, j < count ? roots[j] : NULL, q);
            char *number = fmpq_get_str(NULL, 10, q);
            str_addf(&text, "%s%s", j > 0 ? " " : "", found ? number : "?");
            flint_free(number);
        }
        check_that(check, strcmp(text.text, simple[i].between) == 0, "%s: %s, not %s", simple[i].p, text.text,
                   simple[i].between);
        fmpq_clear(q);
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
    flint_cleanup();
    return check_end(&check, "constraints_roots");
}
