/* In: an integer expression in the present scope (parameters, iterators, local scalars with one
   definition). Out: its linear form over the iterators, or NULL.

   Quotients and remainders. e = m*h + r where m collects the terms that m divides: if r lies in [0,
   m-1] and h >= 0, then e / m = h and e % m = r exactly. A quotient of parameters alone becomes a
   floor, a parameter q of its own, and the remainder is e - m*q. What is left of a remainder is a
   fresh iterator in its range: a conservative stand-in.

   Casts between integer types of at least 32 bits are transparent: wrap-around is taken not to
   happen, as expr_poly does. Narrower targets are not, unless a loop's own counter is cast: a
   variable that wraps never reaches its bound. */
#include "ir/access/analysis.h"
#include <string.h>

const struct scope_binding *scope_find(const struct analysis *analysis, const struct var *var)
{
    for (size_t i = analysis->scope.count; i-- > 0;)
        if (analysis->scope.at[i].var == var)
            return &analysis->scope.at[i];
    return NULL;
}

int analysis_floor(struct analysis *analysis, const struct poly *numerator,
                   const struct poly *denominator, enum type type)
{
    for (size_t i = 0; i < analysis->floors.list.count; i++) {
        const struct floor_param *f = &analysis->floors.list.at[i];
        if (poly_equal(f->numerator, numerator) && poly_equal(f->denominator, denominator))
            return f->variable;
    }
    char *name = arena_printf(analysis->arena, "_q%zu", analysis->floors.list.count);
    int variable = ring_variable(analysis->ring, name);
    if (variable < 0)
        return -1;
    struct floor_param f = {variable,
                            numerator,
                            denominator,
                            flat_of(analysis->arena, numerator),
                            flat_of(analysis->arena, denominator),
                            type_is_floating(type) ? TYPE_I64 : type,
                            NULL};
    f.var = var_new(analysis->ctx->arena, name, f.type, VAR_LOCAL);
    vec_push(analysis->arena, &analysis->floors.list, f);
    analysis->context->filled = false;
    analysis->context->n_points = 0;
    context_floors(analysis->context);
    return variable;
}

/* e = m*quotient + rest: terms, and monomials of the constant, that m divides go to
   the quotient. */
static void form_split(struct analysis *analysis, const struct form *e, const struct poly *m,
                       const struct form **quotient, const struct form **rest)
{
    const struct form *h = form_integer(analysis, 0), *r = h;
    for (int i = 0; i < e->n_terms; i++) {
        const struct poly *c = poly_divide_exact(e->terms[i].coefficient, m);
        const struct form *v = form_iterator(analysis, e->terms[i].iterator);
        if (c)
            h = form_add(analysis, h, form_scale(analysis, v, c));
        else
            r = form_add(analysis, r, form_scale(analysis, v, e->terms[i].coefficient));
    }
    for (size_t i = 0; i < poly_terms(e->constant); i++) {
        int64_t n, d;
        unsigned exponents[RING_CAPACITY];
        if (!poly_term(e->constant, i, &n, &d, exponents))
            continue;
        const struct poly *monomial = poly_rational(analysis->ring, n, d);
        for (int v = 0; v < ring_count(analysis->ring); v++)
            if (exponents[v])
                monomial = poly_mul(monomial,
                                    poly_power(poly_variable(analysis->ring, v), exponents[v]));
        const struct poly *c = poly_divide_exact(monomial, m);
        bool whole = c != NULL;
        if (c)
            for (size_t k = 0; k < poly_terms(c); k++)
                whole &= poly_term(c, k, &n, &d, exponents) && d == 1;
        if (whole)
            h = form_add(analysis, h, form_constant(analysis, c));
        else
            r = form_add(analysis, r, form_constant(analysis, monomial));
    }
    *quotient = h;
    *rest = r;
}

static bool form_integral(const struct form *a)
{
    for (int i = -1; i < a->n_terms; i++) {
        const struct poly *p = i < 0 ? a->constant : a->terms[i].coefficient;
        int64_t n, d;
        unsigned exponents[RING_CAPACITY];
        for (size_t k = 0; k < poly_terms(p); k++)
            if (!poly_term(p, k, &n, &d, exponents) || d != 1)
                return false;
    }
    return true;
}

static bool extreme_in(struct analysis *analysis, const struct form *a, const struct poly *lo,
                       const struct poly *hi)
{
    const struct poly *least = form_extreme(analysis, analysis->context, NULL, a, false);
    const struct poly *most = hi ? form_extreme(analysis, analysis->context, NULL, a, true) : NULL;
    return least && context_at_least(analysis->context, least, lo) &&
           (!hi || (most && context_at_least(analysis->context, hi, most)));
}

/* The range of e % m for m >= 1: its sign is that of e, and it is no farther from 0 than e and
   m - 1. Unsigned numbers may be differences that wrap, of which only m says something. */
static void remainder_range(struct analysis *analysis, const struct form *e, const struct poly *m,
                            enum type type, const struct poly **lo, const struct poly **hi)
{
    const struct context *context = analysis->context;
    const struct poly *zero = poly_integer(analysis->ring, 0);
    const struct poly *least = form_extreme(analysis, context, NULL, e, false);
    const struct poly *most = form_extreme(analysis, context, NULL, e, true);
    *hi = poly_sub(m, poly_integer(analysis->ring, 1));
    *lo = type_is_signed(type) ? poly_neg(*hi) : zero;
    if (least && context_nonnegative(context, least))
        *lo = zero;
    else if (!type_is_signed(type))
        return;
    else if (least && context_at_least(context, zero, least) &&
             context_at_least(context, least, *lo))
        *lo = least;
    if (most && context_at_least(context, zero, most))
        *hi = zero;
    else if (most && context_nonnegative(context, most) && context_at_least(context, *hi, most))
        *hi = most;
}

/* e % m as a number of its own in its range, the same one wherever the same e occurs. */
static const struct form *fresh_remainder(struct analysis *analysis, const struct form *e,
                                          const struct poly *m, const struct expr *value)
{
    const struct poly *lo, *hi;
    struct iterator it = {.level = LEVEL_FRESH, .axis = -1};
    for (size_t i = 0; i < analysis->remainders.count; i++) {
        const struct remainder *r = &analysis->remainders.at[i];
        if (form_equal(r->dividend, e) && poly_equal(r->divisor, m))
            return form_iterator(analysis, r->iterator);
    }
    remainder_range(analysis, e, m, value->type, &lo, &hi);
    it.range.lo = form_constant(analysis, lo);
    it.range.hi = form_constant(analysis, hi);
    it.value = scope_expand(analysis, value);
    vec_push(analysis->arena, &analysis->iterators, it);
    struct remainder r = {e, m, (int)analysis->iterators.count - 1};
    vec_push(analysis->arena, &analysis->remainders, r);
    return form_iterator(analysis, r.iterator);
}

/* `whole` is the expression that asks, a quotient or a remainder (also one written >> or &). */
static const struct form *form_divide(struct analysis *analysis, const struct form *e,
                                      const struct poly *m, bool remainder,
                                      const struct expr *whole)
{
    const struct form *h, *r;
    const struct poly *zero = poly_integer(analysis->ring, 0),
                      *top = poly_sub(m, poly_integer(analysis->ring, 1));
    if (poly_is_zero(m))
        return NULL;
    form_split(analysis, e, m, &h, &r);
    if (form_integral(h)) {
        if (r->n_terms == 0 && poly_is_zero(r->constant))
            return remainder ? r : h;
        if (extreme_in(analysis, r, zero, top) && extreme_in(analysis, h, zero, NULL))
            return remainder ? r : h;
    }
    if (e->n_terms == 0) {
        int q = analysis_floor(analysis, e->constant, m, whole->type);
        if (q < 0)
            return NULL;
        const struct form *quotient = form_constant(analysis, poly_variable(analysis->ring, q));
        return remainder ? form_sub(analysis, e, form_scale(analysis, quotient, m)) : quotient;
    }
    if (!remainder || !context_nonnegative(analysis->context, top))
        return NULL;
    return fresh_remainder(analysis, e, m, whole);
}

static const struct form *form_var(struct analysis *analysis, const struct var *var)
{
    if (var->kind == VAR_PARAM) {
        int v = ring_find(analysis->ring, var->name);
        return v >= 0 && analysis->params[v] == var
                   ? form_constant(analysis, poly_variable(analysis->ring, v))
                   : NULL;
    }
    const struct scope_binding *binding = scope_find(analysis, var);
    return binding ? binding->form : NULL;
}

static const struct form *form_binary(struct analysis *analysis, const struct expr *e)
{
    if (analysis->launches && e->op == OP_MUL)
        launched_product(analysis, e);
    const struct form *a = form_of(analysis, e->arguments[0]),
                      *b = a ? form_of(analysis, e->arguments[1]) : NULL;
    int64_t n;
    if (!b)
        return NULL;
    switch (e->op) {
    case OP_ADD: return form_add(analysis, a, b);
    case OP_SUB: return form_sub(analysis, a, b);
    case OP_MUL:
        if (b->n_terms == 0)
            return form_scale(analysis, a, b->constant);
        return a->n_terms == 0 ? form_scale(analysis, b, a->constant) : NULL;
    case OP_DIV:
    case OP_REM:
        return b->n_terms == 0 ? form_divide(analysis, a, b->constant, e->op == OP_REM, e) : NULL;
    case OP_SHL:
        if (b->n_terms || !poly_get_integer(b->constant, &n) || n < 0 || n > 30)
            return NULL;
        return form_scale(analysis, a, poly_integer(analysis->ring, (int64_t)1 << n));
    case OP_SHR:
        if (b->n_terms || !poly_get_integer(b->constant, &n) || n < 0 || n > 30 ||
            !extreme_in(analysis, a, poly_integer(analysis->ring, 0), NULL))
            return NULL;
        return form_divide(analysis, a, poly_integer(analysis->ring, (int64_t)1 << n), false, e);
    case OP_AND:
        if (b->n_terms || !poly_get_integer(b->constant, &n) || n < 0 || (n & (n + 1)) ||
            !extreme_in(analysis, a, poly_integer(analysis->ring, 0), NULL))
            return NULL;
        return form_divide(analysis, a, poly_integer(analysis->ring, n + 1), true, e);
    default: return NULL;
    }
}

static bool is_iterator(const struct analysis *analysis, const struct expr *e)
{
    const struct scope_binding *binding = e->kind == EXPR_VAR ? scope_find(analysis, e->var) : NULL;
    return binding && binding->iterator >= 0;
}

const struct form *form_of(struct analysis *analysis, const struct expr *e)
{
    if (type_is_floating(e->type))
        return NULL;
    const struct form *launched = analysis->launches ? launched_form(analysis, e) : NULL;
    if (launched)
        return launched;
    switch (e->kind) {
    case EXPR_INTEGER: return form_integer(analysis, e->integer);
    case EXPR_VAR: return form_var(analysis, e->var);
    case EXPR_CAST:
        if (type_bytes(e->type) < 4 && type_bytes(e->arguments[0]->type) > type_bytes(e->type) &&
            !is_iterator(analysis, e->arguments[0]))
            return NULL;
        return form_of(analysis, e->arguments[0]);
    case EXPR_UNARY: {
        const struct form *a = e->op == OP_NEG ? form_of(analysis, e->arguments[0]) : NULL;
        return a ? form_scale(analysis, a, poly_integer(analysis->ring, -1)) : NULL;
    }
    case EXPR_BINARY: return form_binary(analysis, e);
    default: return NULL;
    }
}
