/* The checker's polynomials. In: polynomials of the question and of the certificate; out: items
   (primitive, with positive leading coefficient, equal ones the same object), their factors,
   coefficients and principal subresultant coefficients. The certificate's polynomials are read over
   a ring of the check's own, so that the question's is not touched. Sizes are limited before FLINT
   is asked. Subresultants are determinants of minors of Sylvester's matrix by Bareiss' elimination.
 */
#include "constraints/check/checker.h"
#include <string.h>

enum { TERM_LIMIT = 1 << 14, FACTOR_DEGREE_LIMIT = 256, MATRIX_LIMIT = 48 };

static const char *const too_large = "a polynomial is beyond the checker's limits";

static void polynomials_clear(void *object)
{
    struct checker *checker = object;
    while (checker->all.count > 0)
        fmpz_mpoly_clear(vec_pop(&checker->all)->p, checker->ctx->zctx);
    fmpq_mpoly_ctx_clear(checker->ctx);
}

bool checker_polynomials(struct checker *checker, const struct ring *ring)
{
    if (ring_count(ring) + 1 >= RING_CAPACITY)
        return checker_give_up(checker, "the question has too many variables for the checker");
    checker->ring = ring_new(checker->arena);
    for (int v = 0; v <= ring_count(ring); v++)
        ring_variable(checker->ring, v < ring_count(ring) ? ring_name(ring, v) : "x");
    checker->variables = ring_count(checker->ring);
    for (int v = 0; v <= checker->variables; v++) {
        const char *name = v < checker->variables ? ring_name(checker->ring, v) : "|";
        checker->names[v] = strpbrk(name, " +-*/^|") || strspn(name, "0123456789")
                                ? arena_printf(checker->arena, "|%d", v)
                                : name;
    }
    checker->items = map_new(checker->arena);
    fmpq_mpoly_ctx_init(checker->ctx, checker->variables + 1, ORD_DEGLEX);
    arena_on_free(checker->arena, polynomials_clear, checker);
    return true;
}

const struct poly *checker_poly(struct checker *checker, const struct text *text)
{
    const char *error = NULL;
    if (!checker_step(checker, 100 + 16 * strlen(text->word)))
        return NULL;
    const struct poly *p =
        strpbrk(text->word, "()") ? NULL : poly_read(checker->ring, text->word, &error);
    if (p && ring_count(checker->ring) > checker->variables) {
        checker_refute(checker, text, "the question has no variable %s",
                       ring_name(checker->ring, checker->variables));
        return NULL;
    }
    if (!p)
        checker_refute(checker, text, "no polynomial: %s",
                       error ? error : "a sum of terms has no parentheses");
    return p;
}

const qqbar_struct *checker_rational(struct checker *checker, const struct text *text)
{
    const struct poly *p = checker_poly(checker, text);
    if (p && poly_is_constant(p)) {
        qqbar_struct *number = number_new(checker);
        qqbar_set_fmpq(number, p->value->content);
        return number;
    }
    checker_refute(checker, text, "a rational number should stand here");
    return NULL;
}

const struct item *item_intern(struct checker *checker, const fmpz_mpoly_t p)
{
    const fmpz_mpoly_ctx_struct *ctx = checker->ctx->zctx;
    struct item *item = ARENA_NEW(checker->arena, struct item), *known;
    fmpz_mpoly_init(item->p, ctx);
    vec_push(checker->arena, &checker->all, item);
    fmpz_t content;
    fmpz_init(content);
    _fmpz_vec_content(content, p->coeffs, p->length);
    if (p->length && fmpz_sgn(p->coeffs) < 0)
        fmpz_neg(content, content);
    if (p->length)
        fmpz_mpoly_scalar_divexact_fmpz(item->p, p, content, ctx);
    fmpz_clear(content);
    char *text = fmpz_mpoly_get_str_pretty(item->p, checker->names, ctx);
    if (!(known = map_get(checker->items, text))) {
        item->text = arena_strdup(checker->arena, text);
        map_put(checker->items, text, known = item);
    }
    flint_free(text);
    return known;
}

const struct item *item_of(struct checker *checker, const struct poly *p, int *sign)
{
    ulong exponents[RING_CAPACITY];
    fmpz_mpoly_t q;
    fmpz_mpoly_init(q, checker->ctx->zctx);
    for (slong i = 0; i < p->value->zpoly->length; i++) {
        fmpz_mpoly_get_term_exp_ui(exponents, p->value->zpoly, i, p->ring->ctx->zctx);
        fmpz_mpoly_push_term_fmpz_ui(q, p->value->zpoly->coeffs + i, exponents, checker->ctx->zctx);
    }
    *sign = fmpq_sgn(p->value->content) * (q->length && fmpz_sgn(q->coeffs) < 0 ? -1 : 1);
    const struct item *item = item_intern(checker, q);
    fmpz_mpoly_clear(q, checker->ctx->zctx);
    return item;
}

slong item_degree(const struct checker *checker, const struct item *item, int variable)
{
    return fmpz_mpoly_degree_si(item->p, variable, checker->ctx->zctx);
}

bool item_factor(struct checker *checker, const struct item *known)
{
    struct item *item = (struct item *)known;
    const fmpz_mpoly_ctx_struct *ctx = checker->ctx->zctx;
    if (item->factors)
        return true;
    uint64_t length = (uint64_t)fmpz_mpoly_length(item->p, ctx);
    if (length > TERM_LIMIT || fmpz_mpoly_total_degree_si(item->p, ctx) > FACTOR_DEGREE_LIMIT ||
        !checker_step(checker, length * length + 100))
        return checker_give_up(checker, too_large);
    fmpz_mpoly_factor_t factor;
    fmpz_mpoly_factor_init(factor, ctx);
    bool ok = fmpz_mpoly_is_zero(item->p, ctx) || fmpz_mpoly_factor(factor, item->p, ctx);
    size_t count = ok ? (size_t)factor->num : 0;
    item->exponents = ARENA_ARRAY(checker->arena, unsigned, count + 1);
    const struct item **factors = ARENA_ARRAY(checker->arena, const struct item *, count + 1);
    for (size_t i = 0; i < count; i++) {
        factors[i] = item_intern(checker, factor->poly + i);
        item->exponents[i] = (unsigned)fmpz_get_ui(factor->exp + i);
    }
    fmpz_mpoly_factor_clear(factor, ctx);
    item->factors = factors;
    item->factor_count = count;
    return ok || checker_give_up(checker, too_large);
}

static void coefficient_set(struct checker *checker, fmpz_mpoly_t c, struct reductum f,
                            int variable, slong k)
{
    const slong variables[1] = {variable};
    const ulong exponents[1] = {(ulong)(k + f.derived)};
    fmpz_mpoly_get_coeff_vars_ui(c, f.item->p, variables, exponents, 1, checker->ctx->zctx);
    if (f.derived)
        fmpz_mpoly_scalar_mul_ui(c, c, exponents[0], checker->ctx->zctx);
}

const struct item *item_coefficient(struct checker *checker, const struct item *item, int variable,
                                    slong k)
{
    fmpz_mpoly_t c;
    fmpz_mpoly_init(c, checker->ctx->zctx);
    coefficient_set(checker, c, (struct reductum){item, k, 0}, variable, k);
    const struct item *coefficient = item_intern(checker, c);
    fmpz_mpoly_clear(c, checker->ctx->zctx);
    return coefficient;
}

/* m[i][j] = (m[i][j] m[k][k] - m[i][k] m[k][j]) / before, exactly. */
static bool eliminate(struct checker *checker, fmpz_mpoly_struct **m, size_t k, size_t i, size_t j)
{
    const fmpz_mpoly_ctx_struct *ctx = checker->ctx->zctx;
    slong products = m[i][j].length * m[k][k].length + m[i][k].length * m[k][j].length;
    if (products > POLY_PRODUCT_LIMIT || !checker_step(checker, (uint64_t)products + 4))
        return checker_give_up(checker, too_large);
    fmpz_mpoly_t product;
    fmpz_mpoly_init(product, ctx);
    fmpz_mpoly_mul(&m[i][j], &m[i][j], &m[k][k], ctx);
    fmpz_mpoly_mul(product, &m[i][k], &m[k][j], ctx);
    fmpz_mpoly_sub(&m[i][j], &m[i][j], product, ctx);
    bool ok = !k || fmpz_mpoly_divides(&m[i][j], &m[i][j], &m[k - 1][k - 1], ctx);
    fmpz_mpoly_clear(product, ctx);
    return ok || checker_give_up(checker, "an exact division failed");
}

/* The determinant of the n x n matrix, up to sign, goes to m[n - 1][n - 1]; rows are swapped to the
   shortest pivot. */
static bool determinant(struct checker *checker, fmpz_mpoly_struct **m, size_t n)
{
    for (size_t k = 0; k + 1 < n; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < n; i++)
            if (m[i][k].length && (!m[best][k].length || m[i][k].length < m[best][k].length))
                best = i;
        fmpz_mpoly_struct *row = m[best];
        m[best] = m[k];
        m[k] = row;
        if (!row[k].length) {
            fmpz_mpoly_zero(&m[n - 1][n - 1], checker->ctx->zctx);
            return true;
        }
        for (size_t i = k + 1; i < n; i++)
            for (size_t j = k + 1; j < n; j++)
                if (!eliminate(checker, m, k, i, j))
                    return false;
    }
    return true;
}

/* Of Sylvester's matrix the rows y^(b-k-1) f … f, y^(a-k-1) g … g and the columns y^(a+b-k-1) …
   y^k. */
static const struct item *minor(struct checker *checker, const struct reductum fg[2], int variable,
                                slong k)
{
    slong n = fg[0].degree + fg[1].degree - 2 * k, row = 0;
    if (n > MATRIX_LIMIT && !checker_give_up(checker, too_large))
        return NULL;
    fmpz_mpoly_struct **m = ARENA_ARRAY(checker->arena, fmpz_mpoly_struct *, n);
    for (int h = 0; h < 2; h++)
        for (slong shift = fg[!h].degree - k - 1; shift >= 0; shift--, row++) {
            m[row] = ARENA_ARRAY(checker->arena, fmpz_mpoly_struct, n);
            for (slong column = 0; column < n; column++) {
                slong power = n + k - 1 - column - shift;
                fmpz_mpoly_init(&m[row][column], checker->ctx->zctx);
                if (power >= 0 && power <= fg[h].degree)
                    coefficient_set(checker, &m[row][column], fg[h], variable, power);
            }
        }
    const struct item *result =
        determinant(checker, m, (size_t)n) ? item_intern(checker, &m[n - 1][n - 1]) : NULL;
    for (slong i = 0; i < n * n; i++)
        fmpz_mpoly_clear(&m[i / n][i % n], checker->ctx->zctx);
    return result;
}

const struct item *subresultant(struct checker *checker, struct reductum f, struct reductum g,
                                int variable, slong k)
{
    const char *key =
        arena_printf(checker->arena, "%p %ld %p %ld %ld %d %ld", (const void *)f.item, f.degree,
                     (const void *)g.item, g.degree, g.derived, variable, k);
    struct item *known = map_get(checker->items, key);
    if (!known &&
        (known = (struct item *)minor(checker, (const struct reductum[]){f, g}, variable, k)))
        map_put(checker->items, key, known);
    return known;
}
