/* The way from program expressions to polynomials and back.

   expr_poly takes the integers as unbounded: casts between integer types are transparent and
   wrap-around is taken not to happen (the host checks products of parameters). It fails on whatever
   is no polynomial: division, loads, calls, selections, comparisons. poly_expr writes a polynomial
   as a sum of products in the ring's order of terms, with the positive terms first so that no
   expression begins with a minus sign if it can be helped. */
#include "ir/expr.h"

/* No program has extents like these, but a text may hold them, and expanding them would
   take forever. */
enum { TERMS_MAX = 20000, DEGREE_MAX = 256 };

static const struct poly *product(const struct poly *a, const struct poly *b)
{
    if (poly_terms(a) * poly_terms(b) > TERMS_MAX ||
        poly_total_degree(a) + poly_total_degree(b) > DEGREE_MAX)
        return NULL;
    return poly_mul(a, b);
}

/* a / b where b is a constant that divides a by one of the facts. */
static const struct poly *quotient(const struct poly *a, const struct poly *b, int n,
                                   const struct divisible *facts)
{
    int64_t divisor;
    if (!poly_get_integer(b, &divisor) || divisor < 1)
        return NULL;
    for (int i = 0; i < n; i++)
        if (facts[i].divisor % divisor == 0 && poly_equal(facts[i].value, a))
            return poly_scale(a, 1, divisor);
    return NULL;
}

static const struct poly *binary_poly(struct ring *ring, const struct expr *e, int n,
                                      const struct divisible *facts)
{
    int64_t shift;
    const struct poly *a = expr_poly_exact(ring, e->arguments[0], n, facts);
    const struct poly *b = a ? expr_poly_exact(ring, e->arguments[1], n, facts) : NULL;
    if (!b)
        return NULL;
    switch (e->op) {
    case OP_ADD: return poly_add(a, b);
    case OP_SUB: return poly_sub(a, b);
    case OP_MUL: return product(a, b);
    case OP_DIV: return quotient(a, b, n, facts);
    case OP_SHL:
        if (!poly_get_integer(b, &shift) || shift < 0 || shift > 62)
            return NULL;
        return poly_scale(a, (int64_t)1 << shift, 1);
    default: return NULL;
    }
}

const struct poly *expr_poly(struct ring *ring, const struct expr *e)
{
    return expr_poly_exact(ring, e, 0, NULL);
}

const struct poly *expr_poly_exact(struct ring *ring, const struct expr *e, int n,
                                   const struct divisible *facts)
{
    int64_t value;
    int variable;
    const struct poly *a;
    if (type_is_floating(e->type))
        return NULL;
    switch (e->kind) {
    case EXPR_INTEGER:
        return expr_get_integer(e, &value) ? poly_integer(ring, value) : NULL;
    case EXPR_VAR:
        variable = ring_variable(ring, e->var->name);
        return variable < 0 ? NULL : poly_variable(ring, variable);
    case EXPR_CAST:
        return e->type == TYPE_BOOL ? NULL : expr_poly_exact(ring, e->arguments[0], n, facts);
    case EXPR_UNARY:
        a = e->op == OP_NEG ? expr_poly_exact(ring, e->arguments[0], n, facts) : NULL;
        return a ? poly_neg(a) : NULL;
    case EXPR_BINARY:
        return binary_poly(ring, e, n, facts);
    default:
        return NULL;
    }
}

struct writer {
    struct arena *arena;
    const struct poly *poly;
    enum type type;
    const struct var *(*lookup)(void *state, const char *name);
    void *state;
};

/* |coefficient| × product of the powers. NULL if a variable is unknown or the coefficient is no
   64-bit integer. */
static const struct expr *term_expr(const struct writer *w, size_t i, bool *negative)
{
    struct ring *ring = poly_ring(w->poly);
    unsigned exponents[RING_CAPACITY] = {0};
    int64_t numerator, denominator;
    if (!poly_term(w->poly, i, &numerator, &denominator, exponents) || denominator != 1 ||
        numerator == INT64_MIN)
        return NULL;
    *negative = numerator < 0;
    const struct expr *product = expr_integer(w->arena, w->type,
                                              numerator < 0 ? -numerator : numerator);
    for (int v = 0; v < ring_count(ring); v++) {
        if (!exponents[v])
            continue;
        const struct var *var = w->lookup(w->state, ring_name(ring, v));
        if (!var)
            return NULL;
        const struct expr *factor = expr_cast(w->arena, w->type, expr_var(w->arena, var));
        for (unsigned k = 0; k < exponents[v]; k++)
            product = expr_binary(w->arena, OP_MUL, product, factor);
    }
    return product;
}

const struct expr *poly_expr(struct arena *arena, const struct poly *p, enum type type,
                             const struct var *(*lookup)(void *state, const char *name),
                             void *state)
{
    struct writer w = {arena, p, type, lookup, state};
    const struct expr *sum = NULL;
    size_t n = poly_terms(p);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < n; i++) {
            bool negative;
            const struct expr *term = term_expr(&w, i, &negative);
            if (!term)
                return NULL;
            if (negative != (pass == 1))
                continue;
            if (!sum)
                sum = negative ? expr_unary(arena, OP_NEG, term) : term;
            else
                sum = expr_binary(arena, negative ? OP_SUB : OP_ADD, sum, term);
        }
    return sum ? sum : expr_integer(arena, type, 0);
}
