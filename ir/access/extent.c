/* In: a global array. Out: how many of its elements, counted from its start, the kernel may touch, as an expression over
   the parameters.

   Declared extents are taken as they are. An open first extent is found from the subscripts: per reference the greatest
   value of the first subscript plus one, from the loops' ranges and, where a guard bounds a part of the subscript, from
   the guard: the smaller of the two, as a selection if the parameters decide. References under conditions on parameters,
   or in loops that may be empty, count under those conditions only, so that not more memory is promised than a run
   touches. */
#include "ir/access/footprint.h"

static const struct expr *choose(struct analysis *analysis, const struct expr *a, const struct expr *b, bool greater)
{
    struct arena *arena = analysis->ctx->arena;
    if (!a || !b)
        return a ? a : b;
    if (expr_equal(a, b))
        return a;
    return expr_select(arena, expr_binary(arena, greater ? OP_GE : OP_LE, a, b), a, b);
}

/* Guards bound m * L where the subscript contains m * L: the greatest value with the guard's bound in its place. */
static const struct poly *guard_extreme(struct analysis *analysis, const struct access *access, const struct form *subscript,
                                        const struct form *guard)
{
    const struct poly *scale = NULL;
    for (int i = 0; i < guard->n_terms; i++) {
        const struct poly *c = form_coefficient(subscript, guard->terms[i].iterator);
        const struct poly *m = c ? poly_divide_exact(poly_neg(c), guard->terms[i].coefficient) : NULL;
        if (!m || (scale && !poly_equal(m, scale)))
            return NULL;
        scale = m;
    }
    if (!scale || !context_nonnegative(analysis->context, scale))
        return NULL;
    const struct form *rest = form_add(analysis, subscript, form_scale(analysis, guard, scale));
    return form_extreme(analysis, analysis->context, access, rest, true);
}

/* One more than the greatest first subscript of a reference. */
static const struct expr *access_top(struct analysis *analysis, const struct access *access, enum type type)
{
    const struct form *subscript = access->subscripts[0];
    const struct poly *best = subscript ? form_extreme(analysis, analysis->context, access, subscript, true) : NULL;
    const struct poly *one = poly_integer(analysis->ring, 1);
    const struct expr *top = NULL;
    VEC(const struct poly *) bounds = {0};
    if (best)
        vec_push(analysis->arena, &bounds, best);
    for (size_t i = 0; subscript && i < access->n_guards; i++) {
        const struct poly *bound = guard_extreme(analysis, access, subscript, access->guards[i]);
        if (bound)
            vec_push(analysis->arena, &bounds, bound);
    }
    for (size_t i = 0; i < bounds.count; i++) {
        bool needed = true;
        for (size_t k = 0; k < bounds.count && needed; k++)
            needed = i == k || !context_at_least(analysis->context, bounds.at[i], bounds.at[k]) ||
                     (k > i && context_at_least(analysis->context, bounds.at[k], bounds.at[i]));
        const struct expr *e = needed ? expr_of_poly(analysis, poly_add(bounds.at[i], one), type) : NULL;
        top = e ? choose(analysis, top, e, false) : top;
    }
    return top;
}

static const struct expr *conjoin(struct analysis *analysis, const struct expr *a, const struct expr *b)
{
    return !a ? b : !b ? a : expr_binary(analysis->ctx->arena, OP_LAND, a, b);
}

/* Conditions on parameters under which the reference is made at all; NULL if it always is. */
static const struct expr *access_condition(struct analysis *analysis, const struct access *access)
{
    struct arena *arena = analysis->ctx->arena;
    const struct expr *all = NULL, *zero = expr_integer(arena, TYPE_I64, 0);
    for (size_t i = 0; i < access->n_path; i++) {
        const struct step *step = &access->path[i];
        if (step->iterator < 0) {
            if (step->condition.kind != CONDITION_PARAMS || !step->condition.expr)
                continue;
            const struct expr *c = step->condition.expr;
            all = conjoin(analysis, all, step->condition.negated ? expr_unary(arena, OP_NOT, c) : c);
            continue;
        }
        const struct range *range = &access->ranges[step->iterator];
        if (!range->lo || !range->hi)
            continue;
        const struct form *span = form_sub(analysis, range->hi, range->lo);
        if (span->n_terms || context_nonnegative(analysis->plain, span->constant))
            continue;
        const struct expr *e = expr_of_poly(analysis, span->constant, TYPE_I64);
        const struct expr *c = e ? expr_binary(arena, OP_GE, e, zero) : NULL;
        bool seen = false;
        for (const struct expr *k = all; c && k && !seen; k = k->kind == EXPR_BINARY && k->op == OP_LAND ? k->arguments[0] : NULL)
            seen = expr_equal(k->kind == EXPR_BINARY && k->op == OP_LAND ? k->arguments[1] : k, c) || expr_equal(k, c);
        all = seen ? all : conjoin(analysis, all, c);
    }
    return all;
}

const struct expr *analysis_rows(struct analysis *analysis, const struct array *array, enum type type, bool exactly)
{
    struct arena *arena = analysis->ctx->arena;
    const struct expr *rows = NULL;
    for (size_t i = 0; i < analysis->accesses.count; i++) {
        const struct access *access = analysis->accesses.at[i];
        if (access->reference.array != array)
            continue;
        const struct expr *top = access_top(analysis, access, type);
        const struct expr *condition = exactly ? access_condition(analysis, access) : NULL;
        if (!top)
            return NULL;
        if (condition)
            top = expr_select(arena, condition, top, expr_integer(arena, type, 0));
        rows = choose(analysis, rows, top, true);
    }
    return rows ? rows : expr_integer(arena, type, 0);
}

const struct expr *analysis_extent(struct analysis *analysis, const struct array *array)
{
    struct arena *arena = analysis->ctx->arena;
    const struct expr *product = NULL;
    for (int d = 0; d < array->n_dims; d++) {
        const struct expr *e = array->dims[d] ? expr_cast(arena, TYPE_I64, array->dims[d]) : NULL;
        if (!e && d == 0)
            e = analysis_rows(analysis, array, TYPE_I64, true);
        if (!e)
            return NULL;
        product = product ? expr_binary(arena, OP_MUL, product, e) : e;
    }
    return product;
}

const struct expr *access_extent(struct ctx *ctx, const struct kernel *kernel, const struct array *array)
{
    struct analysis *analysis = analysis_new(ctx, kernel);
    const struct expr *extent = analysis_extent(analysis, array);
    analysis_free(analysis);
    return extent;
}
