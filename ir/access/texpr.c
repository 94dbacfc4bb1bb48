/* From polynomials and forms of an analysis back to program expressions (in the compilation's
   arena), and to polynomials of the kernel's ring. Floors come out as the C divisions they stand
   for, iterators as their program variables. */
#include "ir/access/analysis.h"

struct lookup {
    struct analysis *analysis;
    enum type type;
    bool failed;
};

static const struct floor_param *floor_find(const struct analysis *analysis, int variable)
{
    for (size_t i = 0; i < analysis->floors.list.count; i++)
        if (analysis->floors.list.at[i].variable == variable)
            return &analysis->floors.list.at[i];
    return NULL;
}

static const struct var *lookup_name(void *state, const char *name)
{
    struct lookup *lookup = state;
    int v = ring_find(lookup->analysis->ring, name);
    const struct floor_param *f = floor_find(lookup->analysis, v);
    return f ? f->var : lookup->analysis->params[v];
}

static const struct expr *cast_to(struct analysis *analysis, enum type type, const struct expr *e)
{
    return e->type == type ? e : expr_cast(analysis->ctx->arena, type, e);
}

/* Each floor refers to earlier ones only, so that this ends. */
static const struct expr *lookup_floor(void *state, const struct var *var)
{
    struct lookup *lookup = state;
    struct analysis *analysis = lookup->analysis;
    for (size_t i = 0; i < analysis->floors.list.count; i++) {
        const struct floor_param *f = &analysis->floors.list.at[i];
        if (f->var != var)
            continue;
        const struct expr *a = expr_of_poly(analysis, f->numerator, f->type);
        const struct expr *b = expr_of_poly(analysis, f->denominator, f->type);
        lookup->failed |= !a || !b;
        return a && b ? expr_binary(analysis->ctx->arena, OP_DIV, a, b) : NULL;
    }
    const struct expr *value = launched_value(analysis, var);
    return value ? cast_to(analysis, lookup->type, value) : NULL;
}

const struct expr *expr_of_poly(struct analysis *analysis, const struct poly *p, enum type type)
{
    struct lookup lookup = {analysis, type, false};
    const struct expr *e = poly_expr(analysis->ctx->arena, p, type, lookup_name, &lookup);
    if (e)
        e = expr_substitute(analysis->ctx->arena, e, lookup_floor, &lookup);
    return lookup.failed ? NULL : e;
}

static bool all_negative(const struct poly *p)
{
    unsigned exponents[RING_CAPACITY];
    for (size_t i = 0; i < poly_terms(p); i++) {
        int64_t n, d;
        if (!poly_term(p, i, &n, &d, exponents) || n > 0)
            return false;
    }
    return poly_terms(p) > 0;
}

/* p times the iterator, or p alone where there is none (-1); NULL if it has no expression. */
static const struct expr *term_expr(struct analysis *analysis, const struct poly *p, int iterator,
                                    enum type type)
{
    const struct expr *e = expr_of_poly(analysis, p, type);
    const struct expr *value = iterator < 0 ? NULL : analysis->iterators.at[iterator].value;
    if (!e || iterator < 0 || !value)
        return iterator < 0 ? e : NULL;
    return expr_binary(analysis->ctx->arena, OP_MUL, e, cast_to(analysis, type, value));
}

/* sum + e, or sum - e, without parentheses around the sums in e; sum may be NULL. */
static const struct expr *sum_append(struct arena *arena, const struct expr *sum,
                                     const struct expr *e, bool minus)
{
    if (!sum)
        return minus ? expr_unary(arena, OP_NEG, e) : e;
    if (e->kind == EXPR_BINARY && (e->op == OP_ADD || e->op == OP_SUB)) {
        sum = sum_append(arena, sum, e->arguments[0], minus);
        return sum_append(arena, sum, e->arguments[1], minus != (e->op == OP_SUB));
    }
    return expr_binary(arena, minus ? OP_SUB : OP_ADD, sum, e);
}

/* Terms with negative coefficients are subtracted, after the others; a constant between them. */
const struct expr *expr_of_form(struct analysis *analysis, const struct form *a, enum type type)
{
    struct arena *arena = analysis->ctx->arena;
    const struct expr *sum = NULL;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i <= a->n_terms; i++) {
            bool last = i == a->n_terms;
            const struct poly *p = last ? a->constant : a->terms[i].coefficient;
            bool negative = all_negative(p);
            if ((last && poly_is_zero(p)) || negative != (pass == 1))
                continue;
            bool minus = negative && sum;
            const struct expr *e = term_expr(analysis, minus ? poly_neg(p) : p,
                                             last ? -1 : a->terms[i].iterator, type);
            if (!e)
                return NULL;
            sum = sum_append(arena, sum, e, minus);
        }
    return sum ? sum : expr_integer(arena, type, 0);
}

const struct poly *poly_move(struct ring *ring, const struct poly *p)
{
    const struct ring *from = poly_ring(p);
    int variables[RING_CAPACITY];
    if (poly_is_constant(p))
        return poly_map(ring, p, variables);
    for (size_t i = 0; i < poly_terms(p); i++) {
        int64_t n, d;
        unsigned exponents[RING_CAPACITY];
        if (!poly_term(p, i, &n, &d, exponents))
            return NULL;
        for (int v = 0; v < ring_count(from); v++) {
            if (exponents[v])
                variables[v] = ring_variable(ring, ring_name(from, v));
            if (exponents[v] && variables[v] < 0)
                return NULL;
        }
    }
    return poly_map(ring, p, variables);
}

const struct poly *analysis_export(struct analysis *analysis, const struct poly *p)
{
    for (size_t i = 0; i < analysis->floors.list.count; i++)
        if (poly_uses(p, analysis->floors.list.at[i].variable))
            return NULL;
    return poly_move(analysis->kernel->ring, p);
}

struct expansion {
    struct analysis *analysis;
    bool failed;
};

static const struct expr *expand_var(void *state, const struct var *var)
{
    struct expansion *expansion = state;
    if (var->kind == VAR_PARAM)
        return NULL;
    const struct scope_binding *binding = scope_find(expansion->analysis, var);
    if (!binding || (!binding->expr && binding->iterator < 0)) {
        expansion->failed = true;
        return NULL;
    }
    return binding->expr;
}

const struct expr *scope_expand_partly(struct analysis *analysis, const struct expr *e)
{
    struct expansion expansion = {analysis, false};
    return expr_substitute(analysis->ctx->arena, e, expand_var, &expansion);
}

const struct expr *scope_expand(struct analysis *analysis, const struct expr *e)
{
    struct expansion expansion = {analysis, false};
    e = expr_substitute(analysis->ctx->arena, e, expand_var, &expansion);
    return expansion.failed ? NULL : e;
}
