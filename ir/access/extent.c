/* In: a global array. Out: how many of its elements, counted from its start, the kernel may touch,
   as an expression over the parameters.

   Declared extents are taken as they are. An open first extent is found from the subscripts: per
   reference the greatest value of the first subscript plus one, from the loops' ranges and, where a
   guard bounds a part of the subscript, from the guard: the smaller of the two, as a selection if
   the parameters decide. References under conditions on parameters, or in loops that may be empty,
   count under those conditions only, so that not more memory is promised than a run touches. */
#include "ir/access/delta.h"
#include "ir/access/footprint.h"

enum { TOPS_MAX = 6 };

static const struct expr *choose(struct analysis *analysis, const struct expr *a,
                                 const struct expr *b, bool greater)
{
    struct arena *arena = analysis->ctx->arena;
    if (!a || !b)
        return a ? a : b;
    if (expr_equal(a, b))
        return a;
    return expr_select(arena, expr_binary(arena, greater ? OP_GE : OP_LE, a, b), a, b);
}

/* One past the greatest first subscript of references under one condition: the least
   of `bounds`. */
struct top {
    const struct expr *condition;
    bool negative;                    /* a bound may be below 0 even where the reference is made */
    VEC(const struct poly *) bounds;
};

/* Where the form contains m * L and the guard says L <= b, m >= 0: the form with m * b instead;
   else NULL. */
static const struct form *guard_apply(struct analysis *analysis, const struct form *form,
                                      const struct form *guard)
{
    const struct poly *scale = NULL;
    for (int i = 0; i < guard->n_terms; i++) {
        const struct poly *c = form_coefficient(form, guard->terms[i].iterator);
        const struct poly *m = c ? poly_divide_exact(poly_neg(c), guard->terms[i].coefficient)
                                 : NULL;
        if (!m || (scale && !poly_equal(m, scale)))
            return NULL;
        scale = m;
    }
    if (!scale || !context_nonnegative(analysis->context, scale))
        return NULL;
    return form_add(analysis, form, form_scale(analysis, guard, scale));
}

/* False if nothing bounds the subscript. */
static bool top_make(struct analysis *analysis, const struct access *access, struct top *top)
{
    const struct form *subscript = access->subscripts[0];
    const struct poly *one = poly_integer(analysis->ring, 1);
    VEC(const struct poly *) found = {0};
    const struct poly *box =
        subscript ? form_extreme(analysis, analysis->context, access, subscript, true) : NULL;
    if (box)
        vec_push(analysis->arena, &found, box);
    if (subscript)
        for (size_t i = 0; i < access->n_guards; i++) {
            const struct form *rest = guard_apply(analysis, subscript, access->guards[i]);
            for (size_t k = 0; rest && k <= access->n_guards; k++) {
                const struct poly *bound = form_extreme(analysis, analysis->context, access, rest,
                                                        true);
                if (bound)
                    vec_push(analysis->arena, &found, bound);
                const struct form *more = k < access->n_guards && k != i
                                              ? guard_apply(analysis, rest, access->guards[k])
                                              : NULL;
                rest = more ? more : rest;
            }
        }
    for (size_t i = 0; i < found.count; i++) {
        bool needed = true;
        for (size_t k = 0; k < found.count && needed; k++)
            needed = i == k || !context_at_least(analysis->context, found.at[i], found.at[k]) ||
                     (k > i && context_at_least(analysis->context, found.at[k], found.at[i]));
        if (needed)
            vec_push(analysis->arena, &top->bounds, poly_add(found.at[i], one));
    }
    const struct context *made = pair_context(analysis, access, access);
    for (size_t i = 0; i < top->bounds.count; i++)
        top->negative |= !context_nonnegative(made, top->bounds.at[i]);
    return top->bounds.count > 0;
}

/* Is a never above b, under the same condition? */
static bool top_below(struct analysis *analysis, const struct top *a, const struct top *b)
{
    if (!a->condition != !b->condition || (a->condition && !expr_equal(a->condition, b->condition)))
        return false;
    for (size_t i = 0; i < b->bounds.count; i++) {
        bool below = false;
        for (size_t k = 0; k < a->bounds.count && !below; k++)
            below = context_at_least(analysis->context, b->bounds.at[i], a->bounds.at[k]);
        if (!below)
            return false;
    }
    return true;
}

static const struct expr *top_expr(struct analysis *analysis, const struct top *top, enum type type)
{
    const struct expr *least = NULL;
    for (size_t i = 0; i < top->bounds.count; i++) {
        const struct expr *e = expr_of_poly(analysis, top->bounds.at[i], type);
        if (!e)
            return NULL;
        least = choose(analysis, least, e, false);
    }
    if (!top->condition)
        return least;
    return expr_select(analysis->ctx->arena, top->condition, least,
                       expr_integer(analysis->ctx->arena, type, 0));
}

static const struct expr *conjoin(struct analysis *analysis, const struct expr *a,
                                  const struct expr *b)
{
    return expr_join(analysis->ctx->arena, OP_LAND, a, b);
}

/* span >= 0, or trip count > 0 where that is shorter. */
static const struct expr *loop_runs(struct analysis *analysis, const struct poly *span)
{
    const struct poly *trips = poly_add(span, poly_integer(analysis->ring, 1));
    bool shorter = poly_terms(trips) < poly_terms(span);
    const struct expr *e = expr_of_poly(analysis, shorter ? trips : span, TYPE_I64);
    const struct expr *zero = expr_integer(analysis->ctx->arena, TYPE_I64, 0);
    return e ? expr_binary(analysis->ctx->arena, shorter ? OP_GT : OP_GE, e, zero) : NULL;
}

/* Is c one of the conjuncts of `all`, which conjoin made? Both may be NULL. */
static bool is_conjunct(const struct expr *all, const struct expr *c)
{
    while (c && all) {
        if (expr_equal(all, c))
            return true;
        if (all->kind != EXPR_BINARY || all->op != OP_LAND)
            return false;
        if (expr_equal(all->arguments[1], c))
            return true;
        all = all->arguments[0];
    }
    return false;
}

/* Conditions on parameters under which the reference is made at all, beyond what is known; NULL if
   it always is. */
static const struct expr *access_condition(struct analysis *analysis, const struct context *known,
                                           const struct access *access)
{
    struct arena *arena = analysis->ctx->arena;
    const struct expr *all = NULL;
    for (size_t i = 0; i < access->n_path; i++) {
        const struct path_step *step = &access->path[i];
        if (step->iterator < 0) {
            if (step->condition.kind != CONDITION_PARAMS || !step->condition.expr)
                continue;
            const struct expr *c = step->condition.expr;
            all = conjoin(analysis, all,
                          step->condition.negated ? expr_unary(arena, OP_NOT, c) : c);
            continue;
        }
        const struct range *range = &access->ranges[step->iterator];
        if (!range->lo || !range->hi)
            continue;
        const struct form *span = form_sub(analysis, range->hi, range->lo);
        if (span->n_terms || context_nonnegative(known, span->constant))
            continue;
        const struct expr *c = loop_runs(analysis, span->constant);
        if (!is_conjunct(all, c))
            all = conjoin(analysis, all, c);
    }
    return all;
}

const struct expr *analysis_rows(struct analysis *analysis, const struct context *known,
                                 const struct array *array, const struct box *box, enum type type)
{
    struct top tops[TOPS_MAX];
    size_t n = 0;
    for (size_t i = 0; i < analysis->accesses.count; i++) {
        const struct access *access = analysis->accesses.at[i];
        bool member = !box;
        if (box)
            for (int k = 0; k < box->n_members; k++)
                member |= box->members[k].access == access;
        if (access->reference.array != array || !member)
            continue;
        struct top top = {0};
        if (!top_make(analysis, access, &top))
            return NULL;
        top.condition = box ? NULL : access_condition(analysis, known, access);
        bool covered = false;
        for (size_t k = 0; k < n && !covered; k++)
            covered = top_below(analysis, &top, &tops[k]);
        if (!covered)
            for (size_t k = 0; k < n; k++)
                if (top_below(analysis, &tops[k], &top))
                    tops[k--] = tops[--n];
        if (!covered && n == TOPS_MAX)
            return NULL;
        if (!covered)
            tops[n++] = top;
    }
    bool negative = false;
    const struct expr *rows = n ? NULL : expr_integer(analysis->ctx->arena, type, 0);
    for (size_t k = 0; k < n; k++) {
        const struct expr *e = top_expr(analysis, &tops[k], type);
        if (!e)
            return NULL;
        rows = choose(analysis, rows, e, true);
        negative |= tops[k].negative;
    }
    return negative ? choose(analysis, rows, expr_integer(analysis->ctx->arena, type, 0), true)
                    : rows;
}

const struct expr *analysis_extent(struct analysis *analysis, const struct array *array)
{
    struct arena *arena = analysis->ctx->arena;
    const struct expr *product = NULL;
    for (int d = 0; d < array->n_dims; d++) {
        const struct expr *e = array->dims[d] ? expr_cast(arena, TYPE_I64, array->dims[d]) : NULL;
        if (!e && d == 0)
            e = analysis_rows(analysis, analysis->plain, array, NULL, TYPE_I64);
        if (!e)
            return NULL;
        product = product ? expr_binary(arena, OP_MUL, product, e) : e;
    }
    return product;
}

const struct expr *access_extent(struct ctx *ctx, const struct kernel *kernel,
                                 const struct array *array)
{
    struct analysis *analysis = analysis_new(ctx, kernel);
    analysis_assume(analysis);
    const struct expr *extent = analysis_extent(analysis, array);
    analysis_free(analysis);
    return extent;
}
