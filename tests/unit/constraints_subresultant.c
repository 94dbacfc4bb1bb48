/* Subresultants against their definition: S_j is compared with the determinant polynomial of
   Sylvester's rows, the determinants expanded by minors over sets of columns. Random pairs in two
   and three variables, among them pairs with gaps between the degrees of the chain (defective ones)
   and pairs with common divisors. */
#include "check.h"
#include "constraints/real/subresultant.h"

enum { VARIABLES = 3, SEED = 20240607, ROUNDS = 150, ROWS = 12 };

static const char *names[VARIABLES] = {"x", "y", "z"};

/* The determinant of a square matrix: the minors of its first rows by the set of their columns. */
static void determinant(fmpz_mpoly_t r, fmpz_mpoly_struct (*matrix)[ROWS], int size,
                        const fmpz_mpoly_ctx_t ctx)
{
    static fmpz_mpoly_struct minors[1 << ROWS];
    unsigned all = (1u << size) - 1;
    fmpz_mpoly_t t;
    fmpz_mpoly_init(t, ctx);
    for (unsigned set = 0; set <= all; set++) {
        int row = __builtin_popcount(set) - 1, above = 0;
        fmpz_mpoly_init(&minors[set], ctx);
        if (!set)
            fmpz_mpoly_one(&minors[set], ctx);
        for (int c = size - 1; c >= 0; c--) {
            if (!(set >> c & 1))
                continue;
            fmpz_mpoly_mul(t, &matrix[row][c], &minors[set & ~(1u << c)], ctx);
            if (above++ % 2)
                fmpz_mpoly_sub(&minors[set], &minors[set], t, ctx);
            else
                fmpz_mpoly_add(&minors[set], &minors[set], t, ctx);
        }
    }
    fmpz_mpoly_set(r, &minors[all], ctx);
    for (unsigned set = 0; set <= all; set++)
        fmpz_mpoly_clear(&minors[set], ctx);
    fmpz_mpoly_clear(t, ctx);
}

static void coefficient(fmpz_mpoly_t r, const fmpz_mpoly_t p, slong exponent,
                        const fmpz_mpoly_ctx_t ctx)
{
    slong variable = 0;
    ulong e = (ulong)exponent;
    if (exponent < 0)
        fmpz_mpoly_zero(r, ctx);
    else
        fmpz_mpoly_get_coeff_vars_ui(r, p, &variable, &e, 1, ctx);
}

/* Coefficient of x^i in S_j by the definition. */
static void by_definition(fmpz_mpoly_t r, const fmpz_mpoly_t p, const fmpz_mpoly_t q, int j, int i,
                          const fmpz_mpoly_ctx_t ctx)
{
    int m = (int)fmpz_mpoly_degree_si(p, 0, ctx), n = (int)fmpz_mpoly_degree_si(q, 0, ctx),
        size = m + n - 2 * j;
    static fmpz_mpoly_struct matrix[ROWS][ROWS];
    for (int row = 0; row < size; row++)
        for (int c = 0; c < size; c++) {
            bool first = row < n - j;
            int shift = first ? n - j - 1 - row : m - j - 1 - (row - (n - j));
            int exponent = c < size - 1 ? m + n - j - 1 - c : i;
            fmpz_mpoly_init(&matrix[row][c], ctx);
            coefficient(&matrix[row][c], first ? p : q, exponent - shift, ctx);
        }
    determinant(r, matrix, size, ctx);
    for (int row = 0; row < size; row++)
        for (int c = 0; c < size; c++)
            fmpz_mpoly_clear(&matrix[row][c], ctx);
}

static void random_polynomial(fmpz_mpoly_t p, flint_rand_t state, int degree,
                              const fmpz_mpoly_ctx_t ctx)
{
    do {
        fmpz_mpoly_t t;
        ulong exponents[VARIABLES];
        fmpz_mpoly_init(t, ctx);
        fmpz_mpoly_zero(p, ctx);
        for (int e = 0; e <= degree; e++)
            for (ulong terms = n_randint(state, 3); terms > 0 || e == degree; terms--) {
                exponents[0] = (ulong)e;
                exponents[1] = n_randint(state, 2);
                exponents[2] = n_randint(state, 2);
                fmpz_mpoly_zero(t, ctx);
                fmpz_mpoly_push_term_si_ui(t,
                                           n_randint(state, 2) ? -1 - (slong)n_randint(state, 3)
                                                               : 1 + (slong)n_randint(state, 3),
                                           exponents, ctx);
                fmpz_mpoly_add(p, p, t, ctx);
                if (terms == 0)
                    break;
            }
        fmpz_mpoly_clear(t, ctx);
    } while (fmpz_mpoly_is_zero(p, ctx) || fmpz_mpoly_degree_si(p, 0, ctx) < 1);
}

static void compare(struct check *check, const fmpz_mpoly_t p, const fmpz_mpoly_t q,
                    const fmpz_mpoly_ctx_t ctx, int *defective)
{
    struct arena *arena = arena_new();
    struct budget budget = {UINT64_MAX, false, NULL};
    struct subresultants *s = subresultants_new(arena, ctx, p, q, 0);
    slong m = fmpz_mpoly_degree_si(p, 0, ctx), n = fmpz_mpoly_degree_si(q, 0, ctx);
    char *a = fmpz_mpoly_get_str_pretty(p, names, ctx),
         *b = fmpz_mpoly_get_str_pretty(q, names, ctx);
    fmpz_mpoly_t want, got;
    fmpz_mpoly_init(want, ctx);
    fmpz_mpoly_init(got, ctx);
    check_that(check, subresultants_count(s) == (size_t)(m < n ? m : n),
               "number of subresultants of %s, %s", a, b);
    for (int j = 0; j < (m < n ? m : n); j++) {
        int same = 1, opposite = 1;
        for (int i = 0; i <= j; i++) {
            by_definition(want, p, q, j, i, ctx);
            coefficient(got, subresultants_polynomial(s, (size_t)j, &budget), i, ctx);
            if (i == j) {
                *defective += fmpz_mpoly_is_zero(want, ctx);
                check_that(
                    check,
                    fmpz_mpoly_equal(got, subresultants_principal(s, (size_t)j, &budget), ctx),
                    "principal coefficient %d of %s, %s", j, a, b);
            }
            same &= fmpz_mpoly_equal(want, got, ctx);
            fmpz_mpoly_neg(want, want, ctx);
            opposite &= fmpz_mpoly_equal(want, got, ctx);
        }
        check_that(check, same || opposite, "S_%d of %s, %s", j, a, b);
    }
    fmpz_mpoly_clear(want, ctx);
    fmpz_mpoly_clear(got, ctx);
    flint_free(a);
    flint_free(b);
    arena_free(arena);
}

static void test_random(struct check *check, const fmpz_mpoly_ctx_t ctx)
{
    check_test(check);
    flint_rand_t state;
    fmpz_mpoly_t p, q, common;
    int defective = 0;
    flint_randinit(state);
    flint_randseed(state, SEED, SEED);
    fmpz_mpoly_init(p, ctx);
    fmpz_mpoly_init(q, ctx);
    fmpz_mpoly_init(common, ctx);
    for (int round = 0; round < ROUNDS; round++) {
        bool shared = round % 3 == 0;
        random_polynomial(p, state, 1 + (int)n_randint(state, shared ? 2 : 4), ctx);
        random_polynomial(q, state, 1 + (int)n_randint(state, shared ? 2 : 4), ctx);
        if (shared) {
            random_polynomial(common, state, 1 + (int)n_randint(state, 2), ctx);
            fmpz_mpoly_mul(p, p, common, ctx);
            fmpz_mpoly_mul(q, q, common, ctx);
        }
        compare(check, p, q, ctx, &defective);
    }
    check_that(check, defective > ROUNDS / 10,
               "only %d vanishing coefficients among the random chains", defective);
    fmpz_mpoly_clear(p, ctx);
    fmpz_mpoly_clear(q, ctx);
    fmpz_mpoly_clear(common, ctx);
    flint_randclear(state);
}

static const char *const pairs[][2] = {
    {"x^5 + y", "x^2 + z"},
    {"x^4 - 2*x^2 + y", "4*x^3 - 4*x"},
    {"x^4 + y*x + z", "4*x^3 + y"},
    {"x^6 + y", "x^3 + z"},
    {"x^5 + 1", "x^5 + x + y"},
    {"x + y", "x + z"},
    {"y*x^3 + 1", "z*x^3 + x"},
    {"x^2", "x^4"},
    {"x^4 + x^3*y + 1", "x^3*z + x^2 + y"},
    {"x^5 + y*x + 1", "5*x^4 + y"},
};

static void test_budget(struct check *check, const fmpz_mpoly_ctx_t ctx)
{
    check_test(check);
    struct arena *arena = arena_new();
    const fmpz_mpoly_struct **psc;
    fmpz_mpoly_t p, q;
    fmpz_mpoly_init(p, ctx);
    fmpz_mpoly_init(q, ctx);
    fmpz_mpoly_set_str_pretty(p, "x^4 + y*x^3 + z*x + 1", names, ctx);
    fmpz_mpoly_set_str_pretty(q, "x^3 + z*x^2 + y", names, ctx);
    for (uint64_t steps = 1; steps < 500; steps = steps * 3 / 2 + 1) {
        struct budget small = {steps, false, NULL}, ample = {1000000, false, NULL};
        struct subresultants *s = subresultants_new(arena, ctx, p, q, 0);
        bool gone = !subresultants_principal(s, 0, &small);
        check_that(check, gone == small.spent && (!gone || small.reason), "%d steps", (int)steps);
        check_that(check, subresultants_principal(s, 0, &ample) != NULL, "again after %d steps",
                   (int)steps);
    }
    struct budget none = {3, false, NULL}, ample = {1000000, false, NULL};
    check_that(check, subresultant_principal(arena, ctx, p, q, 0, &none, &psc) == 0 && none.spent,
               "spent at once");
    check_that(check, subresultant_principal(arena, ctx, p, q, 0, &ample, &psc) == 3,
               "all at once");
    fmpz_mpoly_clear(p, ctx);
    fmpz_mpoly_clear(q, ctx);
    arena_free(arena);
}

int main(void)
{
    struct check check = {0};
    fmpz_mpoly_ctx_t ctx;
    fmpz_mpoly_t p, q;
    int defective = 0;
    printf("seed %d\n", SEED);
    fmpz_mpoly_ctx_init(ctx, VARIABLES, ORD_LEX);
    fmpz_mpoly_init(p, ctx);
    fmpz_mpoly_init(q, ctx);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        fmpz_mpoly_set_str_pretty(p, pairs[i][0], names, ctx);
        fmpz_mpoly_set_str_pretty(q, pairs[i][1], names, ctx);
        check_test(&check);
        compare(&check, p, q, ctx, &defective);
    }
    fmpz_mpoly_clear(p, ctx);
    fmpz_mpoly_clear(q, ctx);
    test_random(&check, ctx);
    test_budget(&check, ctx);
    fmpz_mpoly_ctx_clear(ctx);
    flint_cleanup();
    return check_end(&check, "constraints_subresultant");
}
